package scripts_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/scripts"
)

// configOf reads the flags of a script.
func configOf(t *testing.T, s *repl.Script) repl.Config {
	t.Helper()
	var c repl.Config
	f := pflag.NewFlagSet(s.Name, pflag.ContinueOnError)
	f.IntVarP(&c.Size, "np", "n", 0, "")
	f.StringVar(&c.Topo, "topo", "", "")
	f.StringVar(&c.Policy.MapBy, "map-by", "", "")
	f.StringVar(&c.Policy.BindTo, "bind-to", "", "")
	f.StringVar(&c.Policy.List, "bind", "", "")
	f.StringArrayVar(&c.Psets, "pset", nil, "")
	f.StringVar(&c.Std, "std", "", "")
	if err := f.Parse(s.Flags); err != nil {
		t.Fatal(err)
	}
	return c
}

// replay runs a script and returns what it prints and ends with.
func replay(t *testing.T, file, text string) (string, render.Expectations, error) {
	t.Helper()
	s := repl.NewScript(file, text)
	chunks, err := s.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c, err := repl.NewConsole(context.Background(), configOf(t, s), &out, &out, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	end := c.Script(context.Background(), chunks)
	v := c.Session.View()
	if err := render.JSON(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String(), v.Expectations, end
}

// Every embedded script says what it shows, names its world, and meets its expectations.
func TestScriptsHold(t *testing.T) {
	t.Parallel()
	all := scripts.All()
	if len(all) == 0 {
		t.Fatal("no scripts are embedded")
	}
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			if !strings.HasPrefix(e.Text, "# "+e.Title) || len(e.Title) < 10 {
				t.Errorf("the first line is no title: %q", e.Title)
			}
			if flags := strings.Join(repl.NewScript(e.File, e.Text).Flags, " "); !strings.Contains(flags, "-n ") || !strings.Contains(flags, "--topo ") {
				t.Errorf("the flags do not say the world: %s", flags)
			}
			_, expected, err := replay(t, e.File, e.Text)
			if err != nil {
				t.Fatal(err)
			}
			if expected.Failed != 0 || expected.Passed == 0 {
				t.Errorf("%+v", expected)
			}
		})
	}
}

// The expectations are not met by anything: with one of them changed, the script fails there.
func TestScriptsCanFail(t *testing.T) {
	t.Parallel()
	file, text, ok := scripts.Lookup("example-7.5")
	if !ok {
		t.Fatal("example-7.5 is missing")
	}
	for _, c := range []struct{ old, new, message string }{
		{"expect_parts(level(2), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [10, 11]])", "expect_parts(level(2), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])", "found [8, 9]"},
		{`stands_for(1, "commsplit://Rack")`, `stands_for(1, "hwloc://Package")`, "level 1"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("the script does not hold %q", c.old)
		}
		_, expected, err := replay(t, file, changed)
		var unmet *repl.Unmet
		if !errors.As(err, &unmet) || expected.Failed != 1 {
			t.Fatalf("with %s: error %v, %+v", c.new, err, expected)
		}
		line := strings.Count(text[:strings.Index(text, c.old)], "\n") + 1
		f := expected.Failures[0]
		if want := file + ":" + strconv.Itoa(line); f.Where != want || !strings.Contains(f.Message, c.message) {
			t.Errorf("failure %+v, want it at %s with %q", f, want, c.message)
		}
	}
}

// The same script gives the same bytes on one processor and on four. Not parallel: GOMAXPROCS is
// everybody's.
func TestScriptsAreDeterministic(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	for _, e := range scripts.All() {
		runtime.GOMAXPROCS(1)
		first, _, _ := replay(t, e.File, e.Text)
		runtime.GOMAXPROCS(4)
		for range 3 {
			again, _, _ := replay(t, e.File, e.Text)
			if d := cmp.Diff(first, again); d != "" {
				t.Fatalf("%s (-one processor +four):\n%s", e.Name, d)
			}
		}
	}
}

// Scripts are found by name with and without extension; a wrong name is told with the nearest.
func TestLookup(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"example-7.3", "example-7.3.py", "Example-7.3"} {
		if file, _, ok := scripts.Lookup(name); !ok || file != "example-7.3.py" {
			t.Errorf("%s: found %q, %v", name, file, ok)
		}
	}
	if _, _, ok := scripts.Lookup("example-7"); ok {
		t.Error("a part of a name is found")
	}
}
