package tui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/hw/preset"
	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/scripts"
)

// pickExample lists the embedded scripts. The one chosen runs in the world that it asks for, and is
// then played from its beginning.
func (m *Model) pickExample() {
	if !m.idle() {
		return
	}
	p := &picker{head: "examples and lessons"}
	for _, g := range scripts.Groups() {
		p.group, _, _ = strings.Cut(g.Title, " (")
		for _, e := range g.Examples() {
			note := e.Title
			if e.Section != "" {
				note += " [" + e.Section + "]"
			}
			p.add(e.Name, note, func(m *Model) tea.Cmd { return m.openExample(e) })
		}
	}
	m.over = p
}

func (m *Model) openExample(e scripts.Example) tea.Cmd {
	script := repl.NewScript(e.File, e.Text)
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
	m.player.autoplay = !m.opts.Still
	m.typing = false
	m.verdicts = map[string]string{}
	cmd := m.perform([]step{restarting(cfg), again(chunks)})
	m.busy.seen, m.busy.heard = 0, 0
	return cmd
}

// step is something to do with the session beside the screen.
type step = func(context.Context, *repl.Console) error

// restarting begins a world and tells which, in the words of a script's first line.
func restarting(cfg repl.Config) step {
	return func(ctx context.Context, c *repl.Console) error {
		if err := c.Session.Restart(ctx, cfg); err != nil {
			return err
		}
		flags, _, _ := strings.Cut(c.Session.Text(), "\n")
		fmt.Fprintf(c.Out, "%s\n%s\n", flags, c.Session.Describe())
		return nil
	}
}

// again runs chunks on a world that was restarted; it stops at the first one that fails.
func again(chunks []*lang.Chunk) step {
	return func(ctx context.Context, c *repl.Console) error {
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
	if !m.idle() {
		return
	}
	p := &picker{head: "hardware: a fresh world on"}
	choose := func(spec string) func(m *Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.run(".topo " + spec) }
	}
	p.add("this", "the machine that the program runs on", choose("this"))
	for _, t := range preset.All() {
		p.add(t.Name, t.Shape(), choose(t.Name))
	}
	p.add("another ...", "pack:2 core:4, an hwloc file, fsroot:PATH, job:FILE; several machines: frontier*4", begins(".topo "))
	m.over = p
}

// pickResource lists the resource types that this hardware has.
func (m *Model) pickResource() {
	if !m.idle() || m.moment.Ground.Topology == nil {
		return
	}
	on := m.moment.Handles[m.handle].Name
	p := &picker{head: "split " + on + " by"}
	split := func(args string) func(m *Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.run("split_type " + on + " " + args) }
	}
	for _, r := range m.moment.Ground.Topology.Resources() {
		p.add(r.URI, render.Plural(len(r.Instances), "instance"), split(fmt.Sprintf("HW_GUIDED resource=%q", r.URI)))
	}
	p.add("HW_UNGUIDED", "one level down the hardware", split("HW_UNGUIDED"))
	p.add("SHARED", "ranks that can share memory: "+render.Plural(len(m.moment.Ground.Topology.Hosts), "host"), split("SHARED"))
	if o := m.sel.Object; o != nil {
		for i := range p.items {
			if p.items[i].name == m.moment.Ground.Resource(o) {
				p.at = i
			}
		}
	}
	m.over = p
}

// begins is what an item does that begins a line.
func begins(line string) func(m *Model) tea.Cmd {
	return does(func(m *Model) { m.begin(line) })
}

// begin puts the beginning of a line at the prompt.
func (m *Model) begin(line string) {
	m.typing = true
	m.prompt.set(line)
}
