package render

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Look tells how hardware alone is drawn.
type Look struct {
	Devices  bool // with the devices
	Physical bool // by the kernel's numbers
}

// Hardware draws the hardware alone, with its devices if asked for, then the kinds of cores and
// notes about hardware that is known to be missing. On a page that is not whole, large hardware is folded to
// about 60 lines.
func Hardware(w io.Writer, t *hw.Topology, look Look, st Style) error {
	p := newPage(st)
	o := outline.New(t, devicesFor(look.Devices, p.whole))
	o.Physical = look.Physical
	lines, rest := o.Fit(p.limit(pictureLines), nil)
	labels, _, _ := p.labelsOf(o, lines)
	for i, label := range labels {
		if lines[i].Nodes[0].Barred {
			p.line(faint(label))
		} else {
			p.line(plain(label))
		}
	}
	p.more("  ", rest, "line")
	for _, h := range t.Hosts {
		p.kinds(t, h)
	}
	if look.Devices {
		for _, l := range t.Localities(t.Located()) {
			if l.Resource == nil && !l.Object.CPUSet.Empty() { // else its PUs are left out
				p.paragraph(l.Advice(), 0, paint.Plain)
			}
		}
	}
	for _, n := range t.Notes {
		p.paragraph("note: "+n, 0, paint.Plain)
	}
	return p.writeTo(w)
}

// Objects prints the names of some objects, a line each.
func Objects(w io.Writer, t *hw.Topology, objects []*hw.Object, physical bool, st Style) error {
	p, name := newPage(st), outline.Name
	if physical {
		name = outline.PhysicalName
	}
	for _, o := range objects {
		text := name(t, o)
		if o.Host() != o {
			text = hostOf(t, o) + text
		}
		p.line(plain(text))
	}
	return p.writeTo(w)
}

// hostOf returns the host of an object as the beginning of a sentence, "node1: "; "" where there is only one host.
func hostOf(t *hw.Topology, o *hw.Object) string {
	if h := o.Host(); h != nil && len(t.Hosts) > 1 {
		return h.Name + ": "
	}
	return ""
}

// devicesFor returns which devices are drawn if devices are asked for: on a whole page, all that lstopo shows.
func devicesFor(asked, whole bool) outline.Devices {
	switch {
	case !asked:
		return outline.NoDevices
	case whole:
		return outline.AllDevices
	}
	return outline.BriefDevices
}

// kinds prints the kinds of cores of a host, unless all its PUs are of one kind:
// "kind 0 (IntelAtom, up to 3400 MHz): PUs 12-19".
func (p *page) kinds(t *hw.Topology, host *hw.Object) {
	if host.Details == nil {
		return
	}
	list := host.Details.Kinds
	if len(list) == 1 && host.CPUSet.Equal(list[0].CPUSet) {
		return
	}
	for i := range list {
		p.paragraph(hostOf(t, host)+KindLabel(&list[i])+": PUs "+list[i].CPUSet.String(), 0, paint.Plain)
	}
}

// KindLabel names a kind of cores: "kind 0 (IntelAtom, up to 3400 MHz)". Kind 0 is the most energy-efficient.
func KindLabel(k *hw.Kind) string {
	text := "kind"
	if k.Efficiency != hw.Unknown {
		text += " " + strconv.Itoa(k.Efficiency)
	}
	if about := aboutKind(k); about != "" {
		text += " (" + about + ")"
	}
	return text
}

// aboutKind returns the name and the speed of a kind of cores.
func aboutKind(k *hw.Kind) string {
	var list []string
	if core := k.Info("CoreType"); core != "" {
		list = append(list, core)
	}
	if most := k.Info("FrequencyMaxMHz"); most != "" {
		list = append(list, "up to "+most+" MHz")
	} else if base := k.Info("FrequencyBaseMHz"); base != "" {
		list = append(list, base+" MHz")
	}
	if capacity := k.Info("LinuxCapacity"); capacity != "" {
		list = append(list, "capacity "+capacity)
	}
	return strings.Join(list, ", ")
}

// Devices prints a table of the devices that programs know by name, with the NUMA node near to each, and the node
// that another program tells; then where both contradict each other, and what the other program could not tell.
// Without devices it prints nothing.
func Devices(w io.Writer, t *hw.Topology, heard []hw.Heard, by string, missing error, st Style) error {
	list := t.Located()
	if len(list) == 0 {
		return nil
	}
	p := newPage(st)
	p.line()
	g := &grid{columns: []column{{}, {}, {right: true}, {right: true}, {flexible: true}}}
	g.row(head("device"), head("bus"), head("NUMA node"), head(by), head("what it is"))
	for i := range list {
		d := &list[i]
		node, says := "-", "-"
		if n := t.NodeOf(d.Object); n != nil {
			node = strconv.Itoa(n.OSIndex)
		}
		for _, h := range heard {
			if h.Node != hw.Unknown && strings.EqualFold(h.BusID, d.BusID()) {
				says = strconv.Itoa(h.Node)
			}
		}
		g.row(text(strings.TrimSpace(d.Kind()+" "+d.Name)), text(cmp.Or(d.BusID(), "-")), text(node), text(says), text(cmp.Or(what(d), "-")))
	}
	g.drawTo(p)
	for _, c := range t.Contradictions(heard, by) {
		p.paragraph("note: "+c.String(), 0, paint.Plain)
	}
	if missing != nil {
		p.paragraph("note: "+missing.Error(), 0, paint.Faint)
	}
	return p.writeTo(w)
}

// what returns a device's vendor and model, or else its PCI numbers.
func what(d *hw.Located) string {
	if text := strings.TrimSpace(d.Vendor() + " " + d.Model()); text != "" {
		return text
	}
	if d.PCI == nil {
		return ""
	}
	vendor, device, _ := d.PCI.PCIIDs()
	return vendor + ":" + device
}

// HWInfo prints the results of MPI_Get_hw_resource_info on all ranks: for each hardware resource type, which ranks
// are restricted to one instance of it ("true") and which are not ("false"); then the types that only a guided
// split finds.
func HWInfo(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return p.withoutHardware(w)
	}
	resources := s.Topology.Resources()
	yes, no := make([][]int32, len(resources)), make([][]int32, len(resources))
	for r, b := range s.Bindings {
		for i, at := range s.Topology.Restricted(b) {
			if at >= 0 {
				yes[i] = append(yes[i], int32(r))
			} else {
				no[i] = append(no[i], int32(r))
			}
		}
	}
	g := &grid{columns: []column{{}, {right: true}, {flexible: true}, {flexible: true}}}
	g.row(head("resource type"), head("instances"),
		head(`"true" on ranks`), head(`"false" on ranks`))
	for i := range resources {
		r := &resources[i]
		g.row(text(r.URI), text(strconv.Itoa(len(r.Instances))), ascending(yes[i]), ascending(no[i]))
	}
	g.drawTo(p)
	if list := byNameOnly(resources); list != "" {
		p.paragraph("HW_UNGUIDED passes over "+list, 0, paint.Faint)
	}
	p.nearDevices(s)
	return p.writeTo(w)
}

// nearLines is how many places that have devices near to them are printed.
const nearLines = 16

// nearDevices prints which GPUs and network cards are local to which object, and the ranks that are restricted to
// that object. Devices that are local to a whole machine are left out.
func (p *page) nearDevices(s *engine.Snapshot) {
	t := s.Topology
	devices := slices.DeleteFunc(t.Located(), func(d hw.Located) bool { return d.Kind() == "Block" || d.Kind() == "DMA" })
	var list []hw.Locality
	for _, l := range t.Localities(devices) {
		if l.Resource == nil || !l.Object.CPUSet.Equal(l.Object.Host().CPUSet) {
			list = append(list, l)
		}
	}
	use := NewUse(t, s.Bindings)
	shown := fewer(len(list), p.limit(nearLines))
	for i := range list[:shown] {
		text := hostOf(t, list[i].Object) + list[i].Advice()
		if r := list[i].Resource; r != nil {
			if ranks, _ := use.Of(r.Instances[list[i].Instance]); len(ranks) > 0 {
				text += " (" + RankNoun(ranks, p.width/3) + ")"
			}
		}
		p.paragraph(text, 0, paint.Plain)
	}
	p.more("", len(list)-shown, "place")
}

func byNameOnly(resources []hw.Resource) string {
	var list []string
	for _, r := range resources {
		if r.ByNameOnly {
			list = append(list, r.URI)
		}
	}
	return strings.Join(list, ", ")
}
