package recording

import (
	"strconv"
	"strings"
	"testing"
)

// All sites have different names. split is called at two lines of grid, so it only wraps the call. map makes a dup
// and a split and is called by init and by main, so that its own lines are needed again. main calls twice at two
// lines, which both reach the same line of leaf: the name has the callers. The two calls in one line of pair have
// their addresses.
func TestSitesHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	r := &Recording{}
	for i, frames := range []string{
		"split+1 grid+1 main+1", "split+1 grid+2 main+1",
		"map+1 init+1 main+2", "map+2 init+1 main+2", "map+1 main+3", "map+2 main+3",
		"leaf+1 twice+1 main+4", "leaf+1 twice+1 main+5", "pair+1@7", "pair+2@7",
	} {
		s := &Site{index: i}
		for text := range strings.FieldsSeq(frames) {
			function, offset, _ := strings.Cut(text, "+")
			offset, line, lined := strings.Cut(offset, "@")
			f := Frame{Module: "app", Function: function, Offset: "+" + offset}
			if lined {
				f.File = function + ".c"
				f.Line, _ = strconv.Atoi(line)
			}
			s.Frames = append(s.Frames, f)
		}
		r.sites = append(r.sites, s)
	}
	r.settlePlaces()
	want := []string{
		"grid+1", "grid+2",
		"map+1 < init+1", "map+2 < init+1", "map+1 < main+3", "map+2 < main+3",
		"leaf+1 < twice+1 < main+4", "leaf+1 < twice+1 < main+5", "pair.c:7 pair+1", "pair.c:7 pair+2",
	}
	for i, s := range r.sites {
		if s.String() != want[i] {
			t.Errorf("site %d is called %q, want %q", i, s, want[i])
		}
	}
}

// What a distribution installs is of the system, but for the program that ran; the interpreter is not the program.
func TestModulesOfTheSystem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		program, path string
		want          bool
	}{
		{"cp2k.psmp", "/usr/bin/cp2k.psmp", false},
		{"cp2k.psmp", "/usr/lib/libscalapack.so.2", true},
		{"python3.11", "/usr/bin/python3.11", true},
		{"app", "/home/me/app", false},
		{"app", "/home/me/mpi/lib/libmpi.so.40", true},
	} {
		in := &processReader{p: &Process{}, r: &Recording{program: c.program}}
		if err := in.module([]string{"module", "0", "1.2", c.path}); err != nil || in.modules[0].system != c.want {
			t.Errorf("%+v: %v, %v", c, in.modules, err)
		}
	}
}
