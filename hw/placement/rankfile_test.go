package placement_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/placement"
)

// rankfiles are rankfiles about which Open MPI 4.1.4 and its manual agree.
var rankfiles = []string{
	"rank 0=HOST slot=0:0-2\nrank 1=HOST slot=1-2\n",
	"rank 0=HOST slot=0:1,1:0-2\nrank 1=HOST slot=3,5-6\n",
	"rank 0=HOST slot=0:1;1:0-2\nrank 1=HOST slot=1:*\n",
	"# a comment\nrank 0 = HOST slot = s1 # another\n\nrank 1=HOST slots=1\n",
}

// Rankfiles mean what mpirun(1) of Open MPI 4.1 describes.
func TestRankfile(t *testing.T) {
	t.Parallel()
	const smt = "pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)"
	for _, c := range []struct{ text, lines, want string }{
		// The example of the manual: sockets are numbered on a host, cores on a socket or host.
		{"machine:3 " + smt, "rank 0=node0 slot=1:0-2\nrank 1=node1 slot=0:0,1\nrank 2=node2 slot=1-2\n",
			"node0:8-10,24-26 node1:0-1,16-17 node2:1-2,17-18"},
		{"machine:3 " + smt, "rank 0=+n2 slot=1:0-2\nrank 1=+n0 slot=0:0,1\nrank 2=+N2 slot=1-2\n",
			"node2:8-10,24-26 node0:0-1,16-17 node2:1-2,17-18"},
		// The example with physical numbers: the core that holds the PU.
		{smt, "rank 0=node0 slot=p1\nrank 1=node0 slot=p8\nrank 2=node0 slot=P30\n", "1,17 8,24 14,30"},
		{smt, "rank 1=node0 slot=S0:c1,3\nrank 0=node0 slot=s0-1\n", "0-31 1,3,17,19"},
		{smt, "rank 0=node0 slot=1:0,2;3\n", "3,8,10,19,24,26"},
		{"pu:4", "rank 0=node0 slot=1,3\n", "1,3"},
		{"pu:4", "rank 0=localhost slot=2\n", "2"}, // the only host
		{smt, "rank 0=node0 slot=0\r\nrank 1=node0 slot=0", "0,16 0,16"},
	} {
		file := filepath.Join(t.TempDir(), "ranks")
		if err := os.WriteFile(file, []byte(c.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		top := topology(t, c.text)
		ranks, err := place(top, placement.Policy{Rankfile: file})
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%q: %v, -want +got:\n%s", c.lines, err, diff)
		}
	}
}

// An error names the file and the line.
func TestRankfileErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines string
		n     int
		want  string
	}{
		{"", 0, `FILE: no line "rank N=HOST slot=LIST"`},
		{"rank 0=node0\n", 0, `FILE:1: "rank 0=node0" is not a rank: want rank N=HOST slot=LIST, such as rank 0=node0 slot=0:0-1`},
		{"rank 0=node0 slot=0\nrank 2=node0 slot=1", 0, "FILE: rank 1 is missing: each of ranks 0 to 2 needs a line"},
		{"rank 0=node0 slot=0\n#\nrank 0=node1 slot=1", 0, "FILE:3: rank 0 already has its place in line 1"},
		{"rank 0=node0 slot=0\n", 2, "FILE: -n 2, but it has places only for ranks 0 to 0"},
		{"rank 0=node7 slot=0\n", 0, `FILE:1: there is no host "node7": the hosts are node0 to node1, or +n0 to +n1`},
		{"rank 0=+n2 slot=0\n", 0, "FILE:1: +n2: want +n0 to +n1"},
		{"rank 0=node0 slot=0:4\n", 0, `FILE:1: slot=0:4: "4": package 0 of node0 has no core 4; it has 0-3`},
		{"rank 0=node0 slot=6-8\n", 0, `FILE:1: slot=6-8: "6-8": node0 has no core 8; it has 0-7`},
		{"rank 0=node0 slot=2:0\n", 0, `FILE:1: slot=2:0: "2": node0 has no package 2; it has 0-1`},
		{"rank 0=node0 slot=s2\n", 0, `FILE:1: slot=s2: "2": node0 has no package 2; it has 0-1`},
		{"rank 0=node0 slot=p8\n", 0, `FILE:1: slot=p8: "8": node0 has no PU 8; it has 0-7`},
		{"rank 0=node0 slot=0-1:0\n", 0, `FILE:1: slot=0-1:0: "0-1:0": want one package before the colon`},
		{"rank 0=node0 slot=2-1\n", 0, `FILE:1: slot=2-1: range "2-1" runs backwards`},
		{"rank 0=node0 slot=0,x\n", 0, `FILE:1: slot=0,x: "x" is neither a core nor a range such as 0-3`},
		{"rank 99999999=node0 slot=0\n", 0, "FILE:1: rank 99999999: want at most 16777215"},
	} {
		file := filepath.Join(t.TempDir(), "ranks")
		if err := os.WriteFile(file, []byte(c.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := placement.New(topology(t, "machine:2 pack:2 core:4 pu:1"), c.n, placement.Policy{Rankfile: file})
		if want := strings.ReplaceAll(c.want, "FILE", file); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", c.lines, err, want)
		}
	}
	_, err := placement.New(topology(t, "pu:2"), 0, placement.Policy{Rankfile: "/none/such"})
	if path := (*fs.PathError)(nil); !errors.As(err, &path) {
		t.Errorf("a file that is not there: %v", err)
	}
}
