package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/render"
	"commsplit/repl"
)

// placing is one way to place the ranks of the session.
type placing struct {
	name   string
	note   string
	line   string // that places them so in a fresh world
	config repl.Config
}

// objects are what ranks are mapped by and bound to, in mpirun's words.
var objects = []struct {
	word string
	typ  hw.Type
}{
	{"hwthread", hw.PU}, {"core", hw.Core}, {"l2cache", hw.L2Cache}, {"l3cache", hw.L3Cache},
	{"numa", hw.NUMANode}, {"package", hw.Package}, {"machine", hw.Machine},
}

// placements are those that this hardware has objects for, the number of ranks as it is.
func (m *Model) placements() []placing {
	t := m.moment.Ground.Topology
	if t == nil {
		return nil
	}
	shared := "" // what lets more ranks than cores have them
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
		note := render.Plural(len(t.Ranks), "rank") + ", each where it ran"
		list = append(list, placing{"as the job ran", note, ".topo " + cfg.Topo, cfg})
	}
	for _, o := range objects {
		n := len(t.Objects(o.typ))
		if n == 0 {
			continue
		}
		note := "each rank may use all of one " + o.typ.String() + "; there " + areThere(n)
		add("bind-to "+o.word, note, "", o.word)
	}
	add("bind-to none", "each rank may use its whole host", "", "none")
	for _, o := range objects {
		if n := len(t.Objects(o.typ)); n > 1 && o.typ != hw.Core {
			note := "ranks go round the " + itoa(n) + " objects, each on a core of its own"
			add("map-by "+o.word, note, o.word, "core")
		}
	}
	return list
}

func areThere(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + itoa(n)
}

// pickBinding lists placements of the ranks on this hardware. One chosen begins a fresh world, in which
// the lines of the session run again.
func (m *Model) pickBinding() {
	if !m.idle() {
		return
	}
	p := &picker{head: "place the ranks in a fresh world"}
	for _, c := range m.placements() {
		p.add(c.name, c.note, func(m *Model) tea.Cmd { return m.place(c) })
	}
	p.add("a list ...", "the PUs of each rank: 0,1,2-3+8", begins(".bind "))
	p.add("a rankfile ...", "a file of mpirun's that says where each rank runs", begins(".bind --rankfile "))
	if ranks := m.lit.Ranks(); len(ranks) > 0 && m.moment.Ground.Topology != nil {
		p.add("move "+ranks.Noun()+" ...", "in this world, whose communicators stay (B)", does((*Model).bindLine))
	}
	m.over = p
}

// place runs the line that makes a fresh world with a placement, then the lines of the session again.
func (m *Model) place(p placing) tea.Cmd {
	chunks, err := repl.ParseLines("<input>", []string{p.line})
	if err != nil {
		m.notice = err.Error()
		return nil
	}
	m.log.add(entry{m.console.PromptText(false) + p.line, typed})
	before := m.console.Session.Chunks()
	cmd := m.perform([]step{again(chunks), func(ctx context.Context, c *repl.Console) error {
		if len(before) > 0 {
			fmt.Fprintf(c.Out, "the %s of the session run again:\n", render.Plural(len(before), "line"))
		}
		return again(before)(ctx, c)
	}})
	m.busy.seen, m.busy.heard = 0, 0
	return cmd
}

// bindLine begins the line that moves the ranks that are lit. Which PUs they go to, a person says.
func (m *Model) bindLine() {
	switch ranks := m.lit.Ranks(); {
	case m.moment.Ground.Topology == nil:
		m.notice = "this world has no hardware to move ranks on: t chooses a machine"
	case len(ranks) == 0:
		m.notice = "choose a rank, or something that has ranks; then B moves them to other PUs"
	default:
		m.begin("bind " + ranks.String() + " ")
	}
}
