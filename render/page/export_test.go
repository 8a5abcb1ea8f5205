package page_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// exported returns the page of a script, which may fail.
func exported(t testing.TB, name, text string) []byte {
	t.Helper()
	script := stories.NewScript(name, text)
	var b bytes.Buffer
	console, end := ran(t, script)
	if err := stories.ExportTo(&b, console.Session, stories.Export{To: "html", Title: script.Title(), End: end}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ran runs a script with the flags of its head: -n, --topo, --bind, --max-contexts, --picture.
func ran(t testing.TB, script *stories.Script) (*console.Console, error) {
	t.Helper()
	chunks, err := script.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	cfg, style := repl.Config{}, renderStyle
	for i := 0; i+1 < len(script.Flags); i += 2 {
		switch value := script.Flags[i+1]; script.Flags[i] {
		case "-n":
			cfg.Size = number(t, value)
		case "--topo":
			cfg.Topo = value
		case "--bind":
			cfg.Policy = placement.Policy{List: value}
		case "--max-contexts":
			cfg.Contexts = number(t, value)
		case "--picture":
			style.Picture = render.Picture(slices.Index(render.Pictures, value))
		default:
			t.Fatalf("%s: the tests do not know %s", script.Name, script.Flags[i])
		}
	}
	console, err := console.NewConsole(t.Context(), cfg, io.Discard, io.Discard, style)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.Session.Close)
	console.Silent = true
	return console, console.Script(t.Context(), chunks)
}

// embedded returns the page of an embedded script.
func embedded(t testing.TB, name string) []byte {
	t.Helper()
	script, err := stories.FindScript(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return exported(t, script.Name, script.Text)
}
