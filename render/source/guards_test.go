package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// A name is needed from the oldest version that uses it, in code only: not in texts or comments.
func TestNeeded(t *testing.T) {
	t.Parallel()
	program := `    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
    /* info and nobody are told of */
    MPI_Info_set(info, "quoted \" text", "x");
    MPI_Comm_dup(copy, &deep);
#else
    /* without it deep stays MPI_COMM_NULL */
#endif
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 40
    MPI_Comm_free(&deep);
#endif
`
	need := inC.needed(program)
	for name, want := range map[string]engine.Std{"copy": 0, "info": 41, "deep": 40} {
		if got, ok := need[name]; !ok || got != want {
			t.Errorf("%s is needed from %d on: %v", name, got, ok)
		}
	}
	for _, name := range []string{"nobody", "quoted", "text", "without"} {
		if _, ok := need[name]; ok {
			t.Errorf("%s is needed", name)
		}
	}
}

// Names that only newer libraries need are declared for those alone, behind the others; unused names are not
// declared.
func TestDeclare(t *testing.T) {
	t.Parallel()
	list := []declaration{{"info", "MPI_Info info;"}, {"a", "MPI_Comm a;"}, {"unused", "MPI_Comm unused;"}, {"b", "MPI_Comm b;"}}
	got := inC.declare(list, map[string]engine.Std{"info": 41, "a": 0, "b": 41})
	want := `    MPI_Comm a;
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
    MPI_Info info;
    MPI_Comm b;
#endif
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Sites in the same file name it once, and not at all where the whole script is in one file.
func TestSites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ only, site, want string }{
		{"", "a.mpi:3, a.mpi:5, b.mpi:1", "a.mpi:3, 5, b.mpi:1"}, {"a.mpi", "a.mpi:3", "line 3"},
		{"a.mpi", "a.mpi:3, a.mpi:5", "lines 3, 5"}, {"", "", ""},
	} {
		p := plan{file: c.only}
		if got := p.sites(c.site); got != c.want {
			t.Errorf("%s is %q, not %q", c.site, got, c.want)
		}
	}
}
