package picture

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Figure is a picture for documents: with a title, and with a key below it.
type Figure struct {
	Name  string
	Short string
	All   bool // it shows all communicators, not those of a variable
	// Scene arranges the picture; h is nil where All is set.
	Scene func(v *render.View, h *render.Handle) (*scene.Scene, error)
}

// Figures lists the pictures for documents.
func Figures() []Figure {
	return []Figure{
		{"partition", "the communicators of a variable on the hardware", false, partition},
		{"split", "the hardware before and after the call", false, split},
		{"lanes", "communicators as lanes, members in rank order", false, laned},
		{"buckets", "the arguments of the ranks, and the buckets sorted by key", false, bucketed},
		{"levels", "all communicators around the hardware, as Figure 7.3", true, levels},
		{"lineage", "which communicator was made from which", true, lineage},
		{"time", "how many communicators were alive over the run, by the place that made them", true, timed},
		{"sides", "the two groups of intercommunicators", false, sides},
		{"waiting", "which ranks wait in which call, and for which ranks", true, waits},
	}
}

// FigureOf returns the figure with a name; "" is the one that suits the variable, and for a recording the run.
func FigureOf(name string, v *render.View, h *render.Handle) Figure {
	switch {
	case name != "":
	case h == nil && v.Timeline != nil:
		name = "time"
	case h != nil && render.HoldsInter(v, h):
		name = "sides"
	default:
		name = "partition"
	}
	list := Figures()
	return list[slices.IndexFunc(list, func(f Figure) bool { return f.Name == name })]
}

// Widths are the columns that figures have, the first in which they are not higher than figureLines.
var widths = [...]int{80, 120, 160, 200}

const figureLines = 40

// leastFigure is the fewest columns of titles and keys.
const leastFigure = 72

// titled begins a figure.
func titled(title, says string) *scene.Scene {
	s := &scene.Scene{Title: title, Says: says}
	s.Say(title, widths[0], paint.Bold)
	return s
}

// figure arranges a title, a picture and the sentences below it.
func figure(title, says string, body *scene.Scene, list ...string) *scene.Scene {
	out := titled(title, says)
	out.Below(body, 1)
	out.Height++
	notes(out, leastFigure, list...)
	return out
}

// fitted arranges something in the least of the widths in which it is low enough.
func fitted(arrange func(width int) *scene.Scene) *scene.Scene {
	var s *scene.Scene
	for _, width := range widths {
		if s = arrange(width); s.Height <= figureLines {
			break
		}
	}
	return s
}

func partition(v *render.View, h *render.Handle) (*scene.Scene, error) {
	p := render.PartingOf(v.Snapshot, h)
	k := render.KeyOf(v, h, p)
	title := "Communicators of " + h.Name
	if v.Snapshot.Topology != nil && v.Snapshot.Bindings != nil {
		title += " on " + v.Snapshot.Topology.Name
	}
	out := titled(title, k.Sentences())
	ground := fitted(func(width int) *scene.Scene { return hardware(v, p, width) })
	out.Below(ground, 1)
	out.Below(devices(v.Snapshot, ground.Width), 1)
	out.Below(keyOf(k, p, max(ground.Width, leastFigure)), 1)
	return out, nil
}

// mostDevices is the most lines of devices below the hardware.
const mostDevices = 24

// devices lists the devices of the hardware by the objects that they are near; nil where there are none.
func devices(s *engine.Snapshot, width int) *scene.Scene {
	if s.Topology == nil || s.Bindings == nil {
		return nil
	}
	o := outline.Of(s, outline.BriefDevices)
	var list []paint.Line
	var add func(n *outline.Node)
	add = func(n *outline.Node) {
		name := ""
		for _, k := range n.Kids() {
			if k.Device == "" {
				add(k)
				continue
			}
			if name == "" {
				name = outline.Name(o.Topology, n.First())
				list = append(list, paint.Line{{Text: name + ": ", Ink: paint.Faint}})
			}
			last := &list[len(list)-1]
			if text := k.Device; last.Width()+paint.Width(text)+2 > width && len(*last) > 1 {
				list = append(list, paint.Line{{Text: "  ", Ink: paint.Plain}})
				last = &list[len(list)-1]
			} else if len(*last) > 1 {
				last.Add(", ", paint.Plain)
			}
			last.Add(paint.Cut(k.Device, width-last.Width()), paint.Plain)
		}
	}
	add(o.Root)
	if n := len(list) - mostDevices; n > 0 {
		list = append(list[:mostDevices], paint.Text(render.More(n, "line")+" of devices", paint.Faint))
	}
	out := &scene.Scene{}
	out.Lines(list...)
	return out
}

// keyOf arranges what the letters of a picture stand for.
func keyOf(k *render.Key, p *render.Parting, width int) *scene.Scene {
	out := &scene.Scene{Width: width}
	mark := 3
	for _, l := range k.Lines {
		mark = max(mark, paint.Width(l.Mark)+2)
	}
	for _, l := range k.Lines {
		c := scene.Thing{Kind: scene.Cell, Y: out.Height, W: mark, H: 1, Cell: paint.Cell{Text: l.Mark, Slot: l.Slot}}
		if l.Part >= 0 {
			c.Of = scene.Comm(p.Comm(l.Part))
		} else {
			c.Cell.State = paint.Outside
		}
		out.Add(c)
		for _, line := range paint.Wrap(l.Text, width-mark-1) {
			out.Put(mark+1, out.Height, line, paint.Plain)
			out.Height++
		}
	}
	if k.Rest != "" {
		out.Lines(paint.Text(k.Rest, paint.Faint))
	}
	notes(out, width, k.Notes...)
	return out
}

// notes adds sentences below a picture.
func notes(out *scene.Scene, width int, list ...string) {
	for _, note := range list {
		out.Say(note, width, paint.Faint)
	}
}

const memberCells = "A member's cell has its rank in the communicator, and below it its world rank."

func laned(v *render.View, h *render.Handle) (*scene.Scene, error) {
	p := render.PartingOf(v.Snapshot, h)
	k := render.KeyOf(v, h, p)
	return figure("Communicators of "+h.Name, k.Sentences(), members(v, h, p, widths[0]), append(k.Notes, memberCells)...), nil
}

func bucketed(v *render.View, h *render.Handle) (*scene.Scene, error) {
	p := render.PartingOf(v.Snapshot, h)
	if !slices.ContainsFunc(commsOf(v, p), func(c *engine.CommInfo) bool { return divided(v.Snapshot, c.Step) != nil }) {
		return nil, fmt.Errorf("no call made the communicators of %s from buckets: only MPI_Comm_split and MPI_Comm_split_type do", h.Name)
	}
	return figure("The buckets of "+h.Name, render.KeyOf(v, h, p).Sentences(), buckets(v, h, p, widths[0]),
		"Each bucket is sorted by key; processes with equal keys keep the order of their old ranks."), nil
}

func sides(v *render.View, h *render.Handle) (*scene.Scene, error) {
	p := render.PartingOf(v.Snapshot, h)
	inter := slices.DeleteFunc(commsOf(v, p), func(c *engine.CommInfo) bool { return c.Remote == nil })
	if len(inter) == 0 {
		return nil, fmt.Errorf("%s holds no intercommunicator, and only an intercommunicator has two sides", h.Name)
	}
	return figure("The two groups of "+h.Name, render.KeyOf(v, h, p).Sentences(),
		drawn(lanes.Rooms, source(v, h, p), inter, nil, widths[0]),
		"A0 is rank 0 of the left group, A'0 of the right group; the small number below is the world rank."), nil
}
