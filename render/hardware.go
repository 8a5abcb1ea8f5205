package render

import (
	"io"
	"strings"

	"commsplit/hw"
)

// Hardware draws the hardware alone, with its devices if asked for, then the kinds of cores and
// what is known about what is missing. Large hardware is folded to about 60 lines, on a
// page that is not whole.
func Hardware(w io.Writer, t *hw.Topology, devices bool, st Style) error {
	p := newPage(st)
	lines, rest := arrange(outlineWith(t, devices, !p.whole), p.limit(treeLines))
	for _, label := range labelsOf(newLabeler(t), lines) {
		p.line(plain(label))
	}
	leftOut(p, rest)
	for _, h := range t.Hosts {
		p.kinds(t, h)
	}
	if devices {
		for _, l := range t.Localities(t.Located()) {
			if l.Resource == nil {
				p.paragraph(l.Advice(), 0, inkPlain)
			}
		}
	}
	for _, n := range t.Notes {
		p.paragraph("note: "+n, 0, inkPlain)
	}
	return p.writeTo(w)
}

// outlineWith is the whole topology as nodes, with devices if asked for, in short or as
// lstopo tells them.
func outlineWith(t *hw.Topology, devices, short bool) *node {
	o := newOutliner(nil, nil)
	o.devices, o.short = devices, short
	for object := range t.Root.All() {
		o.domains = o.domains || hasDomains(leaves(object.Devices(), short))
	}
	return o.node(t.Root)
}

// kinds tells the kinds of cores of a host, unless all its PUs are of one kind:
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
		text := coreKind(&list[i]) + ": PUs " + list[i].CPUSet.String()
		if len(t.Hosts) > 1 {
			text = host.Name + ": " + text
		}
		p.paragraph(text, 0, inkPlain)
	}
}

// coreKind is a kind of cores: "kind 0 (IntelAtom, up to 3400 MHz)", 0 being the most energy-efficient.
func coreKind(k *hw.Kind) string {
	text := "kind"
	if k.Efficiency != hw.Unknown {
		text += " " + itoa(k.Efficiency)
	}
	if about := aboutKind(k); about != "" {
		text += " (" + about + ")"
	}
	return text
}

// aboutKind is what tells a kind from others.
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

// Devices prints a table of the devices that programs know by name, with the NUMA node near to them and what
// another program says of it; then where both contradict each other, and what the other one could not tell. Without devices it prints nothing.
func Devices(w io.Writer, t *hw.Topology, heard []hw.Heard, by string, missing error, st Style) error {
	list := t.Located()
	if len(list) == 0 {
		return nil
	}
	p := newPage(st)
	p.line()
	g := newGrid(column{}, column{}, column{right: true}, column{right: true}, column{flexible: true})
	g.row(head("device"), head("bus"), head("NUMA node"), head(by), head("what it is"))
	for i := range list {
		d := &list[i]
		node, says := "-", "-"
		if n := t.NodeOf(d.Object); n != nil {
			node = itoa(n.OSIndex)
		}
		for _, h := range heard {
			if h.Node != hw.Unknown && strings.EqualFold(h.BusID, d.BusID()) {
				says = itoa(h.Node)
			}
		}
		g.row(text(strings.TrimSpace(d.Kind()+" "+d.Name)), text(orDash(d.BusID())), text(node), text(says), text(orDash(what(d))))
	}
	g.drawTo(p)
	for _, line := range t.Contradictions(heard, by) {
		p.paragraph("note: "+line, 0, inkPlain)
	}
	if missing != nil {
		p.paragraph("note: "+missing.Error(), 0, inkFaint)
	}
	return p.writeTo(w)
}

// what is a device's vendor and model, else its PCI numbers.
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
