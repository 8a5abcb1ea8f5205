package render_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// messagesIn returns what .show messages draws for a program on n ranks, with single blanks.
func messagesIn(t *testing.T, n int, program func(p *engine.Process) error) string {
	t.Helper()
	w, err := engine.New(engine.Config{Size: n, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := engine.Run(w, program); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := render.Messages(&out, &render.View{Snapshot: w.Snapshot()}, render.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// A message is received in the context in which it was sent, and messages of one sender with one tag do not
// overtake each other [MPI-5.0 §3.5]: with tags 1, 2, 1 on world and 7 on its duplicate, a receive with tag 2
// takes the second message on world, and the two receives with tag 1 take the first and the third message on world.
func TestMessagesByContext(t *testing.T) {
	t.Parallel()
	got := messagesIn(t, 2, func(p *engine.Process) error {
		world := p.World()
		own, err := world.Dup() // step 1
		if err != nil || world.Rank() == 0 {
			for _, m := range []struct {
				on  *engine.Comm
				tag int
			}{{world, 1}, {own, 7}, {world, 2}, {world, 1}} { // steps 2 to 5
				if err == nil {
					err = m.on.Send("", 1, m.tag)
				}
			}
			return err
		}
		for _, m := range []struct {
			on  *engine.Comm
			tag int
		}{{own, 7}, {world, 2}, {world, 1}, {world, 1}} { // steps 6 to 9
			if _, err := m.on.Recv(engine.AnySource, m.tag); err != nil {
				return err
			}
		}
		return nil
	})
	want := "world ctx 0 3 messages rank 0 1 " +
		"step 2 tag=1 ●────▶ received in step 8 step 4 tag=2 ●────▶ received in step 7 step 5 tag=1 ●────▶ received in step 9 " +
		"#2 ctx 1 1 message rank 0 1 step 3 tag=7 ●────▶ received in step 6"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// In the communicator of ranks 3, 4 and 5, world rank 5 sends to rank 0, which is world rank 3; no rank receives
// the message.
func TestMessageToTheLeft(t *testing.T) {
	t.Parallel()
	got := messagesIn(t, 6, func(p *engine.Process) error {
		half, err := p.World().Split(p.World().Rank()/3, 0)
		if err == nil && p.World().Rank() == 5 {
			err = half.Send("", 0, 0)
		}
		return err
	})
	if want := "#3 ctx 1 1 message rank 0 2 world rank 3 5 step 2 tag=0 ◀────● the trace has no receive of this message"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
