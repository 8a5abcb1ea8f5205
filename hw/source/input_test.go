package source

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

const oneCore = `<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1">` +
	`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>` +
	`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/></object></topology>`

// "-" is the file on standard input, which is read once however often a spec
// names it.
func TestLoadInput(t *testing.T) {
	t.Parallel()
	ctx := WithInput(context.Background(), strings.NewReader(oneCore))
	for range 2 {
		top, err := Load(ctx, " - ")
		if err != nil || top.Name != "<stdin>" || len(top.Objects(hw.PU)) != 1 {
			t.Fatalf("%v, %v", top, err)
		}
	}
	if !Outside("-") {
		t.Error("standard input is not outside")
	}
}

// Input that cannot be read gives its error every time.
func TestLoadInputErrors(t *testing.T) {
	t.Parallel()
	for want, ctx := range map[string]context.Context{
		`hardware "-": there is no standard input here`:                context.Background(),
		`hardware "-": it is in use`:                                   WithoutInput(context.Background(), "it is in use"),
		`hardware "-": standard input: line 1: text after </topology>`: WithInput(context.Background(), strings.NewReader(oneCore+"x")),
		`hardware "-": standard input: no <topology>: want an hwloc XML file, such as "lstopo file.xml" writes`: WithInput(
			context.Background(), strings.NewReader("")),
	} {
		for range 2 {
			if _, err := Load(ctx, "-"); err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		}
	}
}

// Load stops waiting for input when the program is to end.
func TestLoadInputInterrupted(t *testing.T) {
	t.Parallel()
	silent, end := io.Pipe()
	defer end.Close()
	ctx, cancel := context.WithCancel(WithInput(context.Background(), silent))
	cancel()
	if _, err := Load(ctx, "-"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
