package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// pickExample lists the embedded scripts, scripts for newcomers first. The chosen script runs in the world that
// its flags ask for; then its steps are played from the beginning.
func (m *Model) pickExample() {
	if !m.free() {
		return
	}
	p := &picker{head: "lessons, exercises and examples"}
	for _, g := range []*scripts.Group{scripts.Lessons, scripts.Tours, scripts.Standard, scripts.Rules} {
		if g == scripts.Tours { // behind the lessons
			m.addExercises(p)
		}
		p.group, _, _ = strings.Cut(g.Title, " (")
		for _, e := range g.Examples() {
			note := e.Title
			if e.Section != "" {
				note += " [" + e.Section + "]"
			}
			p.add(e.Name, note, func(m *Model) tea.Cmd { return m.openExample(e) })
		}
	}
	p.group = "recordings in this folder"
	for _, name := range stories.RecordingsHere() {
		p.add(name, "written by commsplit record", func(m *Model) tea.Cmd { return m.run(".open " + name) })
	}
	m.over = p
}

func (m *Model) openExample(e scripts.Example) tea.Cmd {
	script := stories.NewScript(e.File, e.Text)
	cfg, err := m.opts.Flags(script.Flags)
	if err != nil {
		m.notice = err.Error()
		return nil
	}
	chunks, err := script.Chunks()
	if err != nil {
		m.notice = err.Error()
		return nil
	}
	m.log.add(entry{".open " + e.Name, typed})
	m.exercise, m.typing = nil, false
	m.verdicts = map[string]string{}
	m.player.autoplay = !m.opts.Still && strings.HasSuffix(e.File, ".py") // a program, which runs as a whole
	if strings.HasSuffix(e.File, ".py") {
		cmd := m.perform([]step{restarting(cfg), again(chunks)})
		m.busy.seen, m.busy.heard = 0, 0
		return cmd
	}
	return m.read(e, cfg, chunks)
}

// step is work with the session, done in the background.
type step = func(context.Context, *console.Console) error

// restarting returns a step that begins a world and prints its flags, as the first line of a script.
func restarting(cfg repl.Config) step {
	return func(ctx context.Context, c *console.Console) error {
		if err := c.Session.Restart(ctx, cfg); err != nil {
			return err
		}
		flags, _, _ := strings.Cut(stories.Text(c.Session), "\n")
		fmt.Fprintf(c.Out, "%s\n%s\n", flags, c.Session.Describe())
		return nil
	}
}

// again returns a step that runs chunks in a restarted world; it stops at the first chunk that fails.
func again(chunks []*lang.Chunk) step {
	return func(ctx context.Context, c *console.Console) error {
		for _, chunk := range chunks {
			if err := c.Do(ctx, chunk); err != nil {
				return err
			}
		}
		return nil
	}
}

// pickTopology lists machines.
func (m *Model) pickTopology() {
	if !m.free() {
		return
	}
	p := &picker{head: "hardware: a fresh world on"}
	choose := func(spec string) func(m *Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.run(".topo " + spec) }
	}
	p.add("this", "the machine that commsplit runs on", choose("this"))
	for _, t := range preset.All() {
		p.add(t.Name, t.Shape(), choose(t.Name))
	}
	p.add("another ...", "pack:2 core:4, an hwloc file, fsroot:PATH, job:FILE; several machines: frontier*4", begins(".topo "))
	m.over = p
}

// pickResource lists the resource types that this hardware has.
func (m *Model) pickResource() {
	if !m.free() || !m.onHardware() {
		return
	}
	on := m.moment.Handles[m.handle].Name
	p := &picker{head: "split " + on + " by"}
	split := func(args string) func(m *Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.run("split_type " + on + " " + args) }
	}
	for _, r := range m.moment.Ground.Topology.Resources() {
		p.add(r.URI, spell.Plural(len(r.Instances), "instance"), split(fmt.Sprintf("HW_GUIDED resource=%q", r.URI)))
	}
	p.add("HW_UNGUIDED", "one level down the hardware", split("HW_UNGUIDED"))
	p.add("SHARED", "ranks that can share memory: "+spell.Plural(len(m.moment.Ground.Topology.Hosts), "host"), split("SHARED"))
	if o := m.sel.Object; o != nil {
		p.at = max(slices.IndexFunc(p.items, func(it item) bool { return it.name == m.moment.Ground.Resource(o) }), 0)
	}
	m.over = p
}

// placing describes a placement of the session's ranks.
type placing struct {
	name   string
	note   string
	line   string // that makes a fresh world with this placement
	config repl.Config
}

// objects are the types of objects to map ranks by and to bind ranks to, in mpirun's words.
var objects = []struct {
	word string
	typ  hw.Type
}{
	{"hwthread", hw.PU}, {"core", hw.Core}, {"l2cache", hw.L2Cache}, {"l3cache", hw.L3Cache},
	{"numa", hw.NUMANode}, {"package", hw.Package}, {"machine", hw.Machine},
}

// placements lists the placements for which this hardware has objects, with the same number of ranks.
func (m *Model) placements() []placing {
	t := m.moment.Ground.Topology
	if t == nil {
		return nil
	}
	shared := "" // the modifier that lets ranks share cores, when there are more ranks than cores
	if n, err := placement.Default(t, placement.Policy{MapBy: "core"}); err == nil && m.moment.Size() > n {
		shared = ":overload-allowed"
	}
	var list []placing
	add := func(name, note, mapBy, bindTo string) {
		cfg := m.console.Session.Config()
		cfg.Size = m.moment.Size()
		cfg.Policy = placement.Policy{MapBy: mapBy, BindTo: bindTo + shared}
		line := ".bind "
		if mapBy != "" {
			line += "--map-by " + mapBy + " "
		}
		list = append(list, placing{name, note, line + "--bind-to " + bindTo + shared, cfg})
	}
	if t.Ranks != nil {
		cfg := m.console.Session.Config()
		cfg.Size, cfg.Policy = 0, placement.Policy{}
		note := spell.Plural(len(t.Ranks), "rank") + ", each where it ran"
		list = append(list, placing{"as the job ran", note, ".topo " + cfg.Topo, cfg})
	}
	for _, o := range objects {
		n := len(t.Objects(o.typ))
		if n == 0 {
			continue
		}
		note := "each rank may use all of one " + o.typ.String() + "; there " + spell.Agreeing(n, "is ", "are ") + strconv.Itoa(n)
		add("bind-to "+o.word, note, "", o.word)
	}
	add("bind-to none", "each rank may use its whole host", "", "none")
	for _, o := range objects {
		if n := len(t.Objects(o.typ)); n > 1 && o.typ != hw.Core {
			note := "ranks go round the " + strconv.Itoa(n) + " objects, each on a core of its own"
			add("map-by "+o.word, note, o.word, "core")
		}
	}
	return list
}

// pickBinding lists placements of the ranks on this hardware. The chosen placement begins a fresh world, in which
// the lines of the session run again.
func (m *Model) pickBinding() {
	if !m.free() {
		return
	}
	p := &picker{head: "place the ranks in a fresh world"}
	for _, c := range m.placements() {
		p.add(c.name, c.note, func(m *Model) tea.Cmd { return m.place(c) })
	}
	p.add("a list ...", "the PUs of each rank: 0,1,2-3+8", begins(".bind "))
	p.add("a rankfile ...", "an mpirun file with the place of each rank", begins(".bind --rankfile "))
	if ranks := m.lit.Ranks(); len(ranks) > 0 && m.moment.Ground.Topology != nil {
		p.add("move "+ranks.Noun()+" ...", "in this world; its communicators stay (B)", does((*Model).bindLine))
	}
	m.over = p
}

// place makes a fresh world with a placement, then runs the lines of the session again.
func (m *Model) place(p placing) tea.Cmd {
	chunks, err := repl.ParseLines("<input>", []string{p.line})
	if err != nil {
		m.notice = err.Error()
		return nil
	}
	m.log.add(entry{m.console.PromptText(false) + p.line, typed})
	before := m.console.Session.Chunks()
	cmd := m.perform([]step{again(chunks), func(ctx context.Context, c *console.Console) error {
		if len(before) > 0 {
			fmt.Fprintf(c.Out, "the %s of the session run again:\n", spell.Plural(len(before), "line"))
		}
		return again(before)(ctx, c)
	}})
	m.busy.seen, m.busy.heard = 0, 0
	return cmd
}

// onHardware reports whether the world has hardware; if not, it tells how it gets some.
func (m *Model) onHardware() bool {
	if m.moment.Ground.Topology == nil {
		m.notice = "this world has no hardware: t chooses a machine"
		return false
	}
	return true
}

// bindLine begins the line that moves the selected ranks; the person completes it with PUs.
func (m *Model) bindLine() {
	switch ranks := m.lit.Ranks(); {
	case !m.onHardware():
	case len(ranks) == 0:
		m.notice = "select a rank, or an object with ranks; then B moves these ranks to other PUs"
	default:
		begins("bind " + ranks.String() + " ")(m)
	}
}
