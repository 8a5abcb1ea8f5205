package completion_test

import (
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// Tab proposes what may stand there on this world: verbs, variables that hold communicators,
// parameters that are still missing, resource types that the hardware has, meta commands. What is
// completed is the text from start on.
func TestComplete(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 8, sessions.Prelude, "hat = 3")
	for _, c := range []struct {
		line  string
		start int
		has   []string // must be proposed
		not   []string // must not be proposed
	}{
		{"", 0, []string{"split", "dup", "world", "half", "for"}, nil},
		{"spl", 0, []string{"split", "split_type"}, []string{"dup", "world"}},
		{"half.Sp", 5, []string{"Split", "Split_type"}, []string{"split"}},
		{"print(half.Get_r", 11, []string{"Get_rank"}, nil},
		{"MPI.COMM_W", 4, []string{"COMM_WORLD"}, []string{"world"}},
		{"i = MPI.Info.Cr", 13, []string{"Create"}, nil},
		{"split half color=here.nu", 22, []string{"numa"}, []string{"rank"}},
		{"..un", 2, nil, []string{"undo"}},
		{"nothing.", 8, nil, []string{"world", "half"}},
		{"3.", 2, nil, []string{"world", "half"}},
		{"x = spl", 4, []string{"split", "split_type"}, nil},
		{"@0-3 spl", 5, []string{"split", "split_type"}, nil},
		{"@0-3 x = cre", 9, []string{"create", "create_group"}, nil},
		{"dup ", 4, []string{"world", "half"}, []string{"hat"}},
		{"dup ha", 4, []string{"half"}, []string{"hat", "world"}},
		{"x = dup ha", 8, []string{"half"}, nil},
		{"split half ", 11, []string{"color=", "key="}, []string{"world"}},
		{"split half color=0 ", 19, []string{"key="}, []string{"color=", "comm=", "rank"}},
		{"split world co", 12, []string{"color="}, []string{"comm=", "core"}}, // world is comm
		{"split half color=ra", 17, []string{"rank"}, []string{"size"}},
		{"split half color=rank%si", 22, []string{"size"}, []string{"rank"}},
		{"split half ra", 11, []string{"rank"}, nil},
		{"split half color=pa", 17, []string{"package"}, nil},
		{"split_type world HW", 17, []string{"HW_GUIDED", "HW_UNGUIDED"}, []string{"SHARED"}},
		{"split-type world HW", 17, []string{"HW_GUIDED", "HW_UNGUIDED"}, nil},
		{"split_type world type=SH", 22, []string{"SHARED"}, nil},
		{"split_type world HW_GUIDED resource=", 36, []string{`"hwloc://Package"`, `"hwloc://Core"`}, []string{`"hwloc://L3Cache"`}},
		{`split_type world HW_GUIDED resource="hwloc://Pa`, 36, []string{`"hwloc://Package"`}, []string{`"hwloc://Core"`}},
		{"split_type world HW_GUIDED resource=hw", 36, []string{`"hwloc://Package"`}, nil},
		{`split_type world HW_GUIDED resource="num`, 36, []string{`"hwloc://NUMANode"`}, []string{`"hwloc://Core"`}},
		{"split_type world HW_GUIDED resource=Cor", 36, []string{`"hwloc://Core"`}, []string{`"hwloc://NUMANode"`}},
		{"MPI_Comm_spl", 0, []string{"MPI_Comm_split", "MPI_Comm_split_type"}, []string{"split"}},
		{"call MPI_Comm_fr", 5, []string{"MPI_Comm_free"}, nil},
		{"MPI_Comm_split(MPI_COMM_W", 15, []string{"MPI_COMM_WORLD"}, []string{"MPI_Comm_split"}},
		{"MPI_Comm_split(ha", 15, []string{"half"}, []string{"split"}},
		{"bind 3 ", 7, []string{"cpuset="}, []string{"world"}},
		{"split_type world RESOURCE_GUIDED pset=", 38, []string{`"mpi://WORLD"`, `"mpi://SELF"`}, nil},
		{"create_from_group pset=mpi", 23, []string{`"mpi://WORLD"`}, nil},
		{"split_type world HW_S", 17, nil, []string{"HW_SUBDOMAIN"}},
		{"print(ha", 6, []string{"half", "hat"}, []string{"split"}},
		{".un", 0, []string{".undo"}, []string{".redo"}},
		{".", 0, []string{".undo", ".help", ".quit"}, nil},
		{".help spl", 6, []string{"split"}, []string{"dup"}},
		{".show ", 6, []string{"tree", "table", "half"}, []string{"hat"}},
		{".topo fig", 6, []string{"figure-7.3"}, nil},
		{".topo th", 6, []string{"this"}, nil},
		{".bind --", 6, []string{"--map-by", "--bind-to"}, nil},
		{".bind --map-by nu", 15, []string{"numa"}, []string{"core"}},
		{".bind --map-by=ppr:2:co", 15, []string{"ppr:2:core"}, nil},
		{".bind --map-by numa:span:", 15, []string{"numa:span:pe=", "numa:span:hwtcpus"}, []string{"numa:span:span"}},
		{".bind --map-by numa --bind-to core:o", 30, []string{"core:overload-allowed"}, []string{"core:oversubscribe"}},
		{".open first", 6, []string{"first-split"}, nil},
		{".open ../../scripts/first", 6, []string{"../../scripts/first-split.mpi"}, []string{"first-split"}},
		{".open ../../scri", 6, []string{"../../scripts/"}, nil},
		{".mode j", 6, []string{"json"}, []string{"text"}},
		{"zzz", 0, nil, []string{"split"}},
		{"split world colr=", 17, nil, []string{"rank"}},
	} {
		start, options := completion.Complete(s, c.line)
		if start != c.start && (len(c.has) > 0 || len(options) > 0) {
			t.Errorf("%q: completes from %d, want %d", c.line, start, c.start)
		}
		for _, o := range c.has {
			if !slices.Contains(options, o) {
				t.Errorf("%q: %s is not proposed: %v", c.line, o, options)
			}
		}
		for _, o := range c.not {
			if slices.Contains(options, o) {
				t.Errorf("%q: %s is proposed", c.line, o)
			}
		}
	}
}

// On the command line of a shell, the word at the cursor is completed as a whole, and text stands there without the
// quotes of the language.
func TestCompleteArgument(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 8, sessions.Prelude)
	for _, c := range []struct {
		verb string
		args []string
		word string
		want []string
	}{
		{"split", nil, "wor", []string{"world"}},
		{"split", []string{"world"}, "co", []string{"color="}},
		{"split", []string{"world", "color=rank % 2"}, "", []string{"key="}},
		{"split", []string{"world"}, "color=rank%si", []string{"color=rank%size"}},
		{"split_type", []string{"world"}, "HW_G", []string{"HW_GUIDED"}},
		{"split_type", []string{"world", "HW_GUIDED"}, "resource=hwloc://P", []string{"resource=hwloc://Package", "resource=hwloc://PU"}},
		{"split_type", []string{"world", "HW_GUIDED"}, "resource=mpi", []string{"resource=mpi_shared_memory"}},
		{"split_type", []string{"world", "HW_GUIDED", "0"}, "hwloc://Pac", []string{"hwloc://Package"}},
		{"split_type", []string{"world", "RESOURCE_GUIDED"}, "pset=mpi://S", []string{"pset=mpi://SELF"}},
		{"split", []string{"world"}, "nothing=", nil},
	} {
		if got := completion.Argument(s, repl.FindVerb(c.verb), c.args, c.word); !slices.Equal(got, c.want) {
			t.Errorf("%s %q %q: %q, want %q", c.verb, c.args, c.word, got, c.want)
		}
	}
}

// Whatever is typed, completion neither fails nor points outside the line.
func FuzzComplete(f *testing.F) {
	for _, line := range []string{"", "x = split w", "@0- spl", "@", ".", ".show ", "split_type world resource=\"hw", "é = ü", "a=b=c d=", "split -"} {
		f.Add(line)
	}
	s := sessions.Open(f, 4)
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, line string) {
		start, options := completion.Complete(s, line)
		if start < 0 || start > len(line) {
			t.Fatalf("%q: completes from %d", line, start)
		}
		for i, o := range options {
			if o == "" || slices.Contains(options[:i], o) {
				t.Fatalf("%q: proposes %q", line, options)
			}
		}
	})
}

// A mistake is found before the line runs, at its column; what may still be right is none.
func TestCheck(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	sessions.Tell(t, c, "half = split world color=rank%2")
	for _, k := range []struct {
		line string
		col  int // 0: no mistake
	}{
		{"dup half", 0},
		{"x = split half color=rank//2", 0},
		{"for i in range(3):", 0},
		{".undo", 0},
		{"@0-3 barrier world", 0},
		{"dup hlaf", 5},
		{"split world colour=0", 13},
		{"split world", 12},
		{"splt world color=0", 1},
		{".undoo", 2},
		{"@0-99 barrier world", 2},
		{"x = 1 +", 8},
		{"split world color=rank+", 24},
	} {
		err := c.Session.Check(k.line)
		switch {
		case err == nil && k.col != 0:
			t.Errorf("%q: no mistake, want one at column %d", k.line, k.col)
		case err != nil && err.Col != k.col:
			t.Errorf("%q: column %d, want %d (%v)", k.line, err.Col, k.col, err)
		}
	}
}

// What a line is about while it is typed: the verb and the parameter that is written.
func TestHint(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"split ":                          "split comm",
		"split world ":                    "split color",
		"x = split world color=ra":        "split color",
		"@0-3 split world color=0 key=-r": "split key",
		"split":                           "split",
		"world.size":                      "",
		".und":                            ".undo",
		"x = 1":                           "",
		"MPI_Comm_split(w, ":              "MPI_Comm_split int color",
		"call mpi_comm_dup(":              "MPI_Comm_dup MPI_Comm comm",
	} {
		h, got := completion.HintOf(line), ""
		switch {
		case h.Meta != nil:
			got = "." + h.Meta.Name
		case h.C != nil:
			got = h.C.Name + " " + h.C.Declared()[h.Param]
		case h.Verb != nil && h.Param >= 0:
			got = h.Verb.Name + " " + h.Verb.Params[h.Param].Name
		case h.Verb != nil:
			got = h.Verb.Name
		}
		if got != want {
			t.Errorf("%q is about %q, want %q", line, got, want)
		}
	}
}
