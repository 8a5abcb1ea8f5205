package source

import (
	"context"
	"fmt"
	"strings"

	"commsplit/hw"
	"commsplit/hw/synthetic"
)

// Load returns the topology that spec names: one machine as loadOne reads it,
// or several, "SPEC*4+SPEC". Each may be called by its own names,
// "cn[01-04]=SPEC". Several machines are below a Level "Cluster"; a part that
// is several itself keeps its levels, but not a cluster around them.
//
// A machine's own name is kept, but copies and machines without any are called
// node0, node1, ... by their place. All names must differ.
//
// "job:FILE" is the hosts of a job, with where its ranks ran, and stands alone.
//
// A spec that begins with '<' is an hwloc XML file itself, and one machine.
//
// "SPEC slurm(...)" says how the site of these machines has set Slurm, as hw.ParseSlurm reads it.
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

// cutSlurm cuts a text into what names machines and what is in the slurm() behind them.
func cutSlurm(spec string) (machines, settings string, stated bool) {
	text := strings.TrimSpace(spec)
	if at := strings.LastIndex(text, slurm); strings.HasSuffix(text, ")") && at >= 0 && (at == 0 || text[at-1] == ' ') {
		return strings.TrimSpace(text[:at]), text[at+len(slurm) : len(text)-1], true
	}
	return text, "", false
}

// slurm begins what a site has set.
const slurm = "slurm("

func loadMachines(ctx context.Context, text string) (*hw.Topology, error) {
	if strings.HasPrefix(text, "<") {
		return fromText(text)
	}
	parts, err := split(text)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if IsJob(p.spec) && (len(parts) > 1 || p.copies > 0 || p.names != nil) {
			return nil, fmt.Errorf("hardware %q: a job has its own hosts: %s stands alone, without +, *N or NAMES=",
				hw.Clip(text), hw.Clip(p.spec))
		}
	}
	if p := parts[0]; IsJob(p.spec) {
		t, err := loadJob(ctx, p.spec)
		return t, whose(p.spec, err)
	}
	if p := parts[0]; len(parts) == 1 && p.copies == 0 && p.names == nil {
		t, err := loadOne(ctx, p.spec)
		return t, whose(p.spec, err)
	}
	a := assembly{ctx: ctx, loaded: map[string]*loadedPart{}}
	for i := range parts {
		if err := a.count(&parts[i]); err != nil {
			return nil, whose(parts[i].spec, err)
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

// Unavailable is the error of Load for what is outside, this machine or a file,
// and cannot be had: no mistake in the text.
type Unavailable struct{ Err error }

func (e *Unavailable) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Unavailable) Unwrap() error { return e.Err }

func whose(spec string, err error) error {
	if err != nil && Outside(spec) {
		return &Unavailable{err}
	}
	return err
}

// loadedPart is what a spec stands for. Its tree is copied for every use.
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
		root, err := synthetic.Parse(spec)
		if err != nil {
			return nil, err
		}
		l.root, l.notes = root, synthetic.Notes(root)
	} else {
		t, err := loadOne(a.ctx, spec)
		if err != nil {
			return nil, err
		}
		l.root, l.notes, l.slurm = t.Root, t.Notes, t.Slurm
		if l.root.Type == hw.Machine && l.root.Name == "node0" {
			l.root.Name = "" // nobody's own
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

// slurm is how all sites have set Slurm; nil where they differ.
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

// add adds the machines of a part that was counted.
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

// count finds how often a part is there, by its number or by its names, and
// refuses what makes the whole too large.
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

// around reports whether o is only there to hold several.
func around(o *hw.Object) bool {
	return o.Type == hw.Level && (o.Subtype == "Cluster" || o.Subtype == "System")
}

// root is the machine, or a level around all. Its name is nobody else's.
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
			return nil, fmt.Errorf("hardware: %s is a level above machines and a Group inside of one: "+
				"which nothing could distinguish, need another name", name)
		}
	}
	if outer["Cluster"] || inner["Cluster"] {
		root.Subtype = "System"
	}
	return root, nil
}

// checkNames refuses hosts that nobody could tell apart.
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
