package source

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// Load returns the topology that spec names: one machine as loadOne reads it,
// or several, "SPEC*4+SPEC". Each machine may get names, "cn[01-04]=SPEC".
// Several machines are below a Level "Cluster"; a part that itself has several
// machines keeps its levels, but not a cluster around them.
//
// A machine's own name is kept, but copies and machines without names are
// called node0, node1, ... by their place. All names must differ.
//
// "job:FILE" is the hosts of a job, with the places where its ranks ran; it
// stands alone.
//
// A spec that begins with '<' is the text of an hwloc XML file, and one
// machine.
//
// "SPEC slurm(...)" adds the Slurm settings of these machines' site, as
// hw.ParseSlurm reads them.
func Load(ctx context.Context, spec string) (*hw.Topology, error) {
	text, settings, stated := cutSlurm(spec)
	if !stated {
		return loadMachines(ctx, text)
	}
	site, err := hw.ParseSlurm(settings)
	if err != nil {
		return nil, fmt.Errorf("hardware %q: %w", hw.Clip(strings.TrimSpace(spec)), err)
	}
	t, err := loadMachines(ctx, text)
	if err != nil {
		return nil, err
	}
	return t.At(site), nil
}

// Copies returns the spec of several copies of a machine, with the given names; without names, node0, node1, ...
func Copies(spec string, machines int, names []string) (string, error) {
	text, settings, stated := cutSlurm(spec)
	if IsJob(text) {
		return "", fmt.Errorf("%s has exactly the machines of its job", hw.Clip(text))
	}
	if text == "" {
		text = "this"
	}
	if names != nil {
		text = strings.Join(names, ",") + "=" + text
	} else {
		text += "*" + strconv.Itoa(machines)
	}
	if stated {
		text += " " + slurm + settings + ")"
	}
	return text, nil
}

// cutSlurm cuts a text into the names of machines and the settings in slurm()
// behind them.
func cutSlurm(spec string) (machines, settings string, stated bool) {
	text := strings.TrimSpace(spec)
	if at := strings.LastIndex(text, slurm); strings.HasSuffix(text, ")") && at >= 0 && (at == 0 || text[at-1] == ' ') {
		return strings.TrimSpace(text[:at]), text[at+len(slurm) : len(text)-1], true
	}
	return text, "", false
}

// slurm begins the Slurm settings of a site.
const slurm = "slurm("

func loadMachines(ctx context.Context, text string) (*hw.Topology, error) {
	if strings.HasPrefix(text, "<") {
		return fromText(text)
	}
	if !strings.ContainsAny(text, "+*=") {
		return loadOne(ctx, text)
	}
	parts, err := split(text)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if IsJob(p.spec) && (len(parts) > 1 || p.copies > 0 || p.names != nil) {
			return nil, fmt.Errorf("hardware %q: a job has its own hosts: write %s without +, *N or NAMES=",
				hw.Clip(text), hw.Clip(p.spec))
		}
	}
	if p := parts[0]; len(parts) == 1 && p.copies == 0 && p.names == nil {
		return loadOne(ctx, p.spec)
	}
	a := assembly{ctx: ctx, loaded: map[string]*loadedPart{}}
	for i := range parts {
		if err := a.count(&parts[i]); err != nil {
			return nil, err
		}
	}
	for _, p := range parts {
		a.add(p, len(parts) > 1)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	t := hw.New(text, root, a.notes...)
	t.Slurm = a.slurm()
	if err := checkNames(t); err != nil {
		return nil, err
	}
	return t, nil
}

// Unavailable is the error of Load for a file that cannot be read, or for this
// machine where it cannot be detected: the text of the spec may be right.
type Unavailable struct{ Err error }

func (e *Unavailable) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Unavailable) Unwrap() error { return e.Err }

// loadedPart is the tree of a spec. The tree is copied for every use.
type loadedPart struct {
	root    *hw.Object
	notes   []string
	slurm   *hw.Slurm
	written bool // a description: host names in it are the user's
	hosts   int
	pus     int
	objects int
}

// assembly gathers the machines of several parts.
type assembly struct {
	ctx     context.Context
	loaded  map[string]*loadedPart
	below   []*hw.Object // of the root
	notes   []string
	pus     int
	objects int
}

func (a *assembly) load(spec string) (*loadedPart, error) {
	if l := a.loaded[spec]; l != nil {
		return l, nil
	}
	l := &loadedPart{written: isSynthetic(spec) && !Outside(spec)}
	if l.written {
		var err error
		if l.root, l.notes, err = synthetic.Parse(spec); err != nil {
			return nil, err
		}
	} else {
		t, err := loadOne(a.ctx, spec)
		if err != nil {
			return nil, err
		}
		l.root, l.notes, l.slurm = t.Root, t.Notes, t.Slurm
		if l.root.Type == hw.Machine && l.root.Name == "node0" {
			l.root.Name = "" // not a name of the machine's own
		}
	}
	for o := range l.root.All() {
		if l.objects++; o.Type == hw.Machine {
			l.hosts++
			l.pus += o.CPUSet.Len()
		}
	}
	a.loaded[spec] = l
	return l, nil
}

// slurm returns the Slurm settings that all sites share; nil where they differ.
func (a *assembly) slurm() *hw.Slurm {
	var all *hw.Slurm
	first := true
	for _, l := range a.loaded {
		if !first && (l.slurm == nil || all == nil || *l.slurm != *all) {
			return nil
		}
		all, first = l.slurm, false
	}
	return all
}

// add adds the copies of a part, after count; with noteWhose its notes name the
// part.
func (a *assembly) add(p part, noteWhose bool) {
	l := a.loaded[p.spec]
	names := p.names
	for range p.copies {
		if a.ctx.Err() != nil { // Load tells
			return
		}
		o := l.root.Copy()
		for h := range o.All() {
			switch {
			case h.Type != hw.Machine:
			case names != nil:
				h.Name, names = names[0], names[1:]
			case p.copies > 1 && !l.written:
				h.Name = ""
			}
		}
		if around(o) {
			a.below = append(a.below, o.Children...)
		} else {
			a.below = append(a.below, o)
		}
	}
	for _, n := range l.notes {
		if noteWhose {
			n = hw.Clip(p.text) + ": " + n
		}
		a.notes = append(a.notes, n)
	}
}

// count determines the number of copies of a part, by its number or by its
// names, and returns an error when the whole becomes too large.
func (a *assembly) count(p *part) error {
	l, err := a.load(p.spec)
	if err != nil {
		return err
	}
	if p.names != nil && p.copies == 0 {
		p.copies = len(p.names) / l.hosts
	}
	n := max(p.copies, 1)
	switch {
	case p.names != nil && len(p.names) != n*l.hosts:
		return fmt.Errorf("hardware %q: %d names for %d machines", hw.Clip(p.text), len(p.names), n*l.hosts)
	case n > (synthetic.MaxPUs-a.pus)/max(l.pus, 1):
		return fmt.Errorf("hardware %q: more than %d PUs in all", hw.Clip(p.text), synthetic.MaxPUs)
	case n > (synthetic.MaxObjects-a.objects)/l.objects:
		return fmt.Errorf("hardware %q: more than %d objects in all", hw.Clip(p.text), synthetic.MaxObjects)
	}
	p.copies = n
	a.pus += n * l.pus
	a.objects += n * l.objects
	return nil
}

// around reports whether o is a level that only holds several machines.
func around(o *hw.Object) bool {
	return o.Type == hw.Level && (o.Subtype == "Cluster" || o.Subtype == "System")
}

// root returns the only machine, or a level around all machines. The name of
// that level differs from all others.
func (a *assembly) root() (*hw.Object, error) {
	if len(a.below) == 1 {
		return a.below[0], nil
	}
	root := &hw.Object{Type: hw.Level, Subtype: "Cluster", OSIndex: hw.Unknown, Children: a.below}
	outer, inner := map[string]bool{}, map[string]bool{}
	for _, l := range a.loaded {
		for o := range l.root.All() {
			switch o.Type {
			case hw.Level:
				outer[o.Subtype] = outer[o.Subtype] || !(o == l.root && around(o))
			case hw.Group:
				inner[o.Subtype] = true
			}
		}
	}
	for name := range inner {
		if outer[name] {
			return nil, fmt.Errorf("hardware: %s is both a level above machines and a Group inside "+
				"a machine: rename one of them", name)
		}
	}
	if outer["Cluster"] || inner["Cluster"] {
		root.Subtype = "System"
	}
	return root, nil
}

// checkNames returns an error when two hosts have the same name.
func checkNames(t *hw.Topology) error {
	seen := make(map[string]bool, len(t.Hosts))
	for _, h := range t.Hosts {
		if seen[h.Name] {
			return fmt.Errorf("hardware %q: two machines are called %s: give names, as in a,b=SPEC",
				hw.Clip(t.Name), h.Name)
		}
		seen[h.Name] = true
	}
	return nil
}
