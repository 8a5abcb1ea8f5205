//go:build linux

package programs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
)

// TestMain lets the test binary also be the program that is asked, under the name witness.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "witness" {
		testify(os.Args[1])
	}
	os.Exit(m.Run())
}

func testify(what string) {
	switch what {
	case "says":
		fmt.Println(os.Getenv("LC_ALL"), os.Getenv("HWLOC_XMLFILE"))
	case "hangs":
		child := exec.Command(os.Args[0], "sleeps")
		child.Stdout = os.Stdout
		if child.Start() == nil {
			time.Sleep(600 * time.Second)
		}
	case "sleeps":
		time.Sleep(3 * time.Second)
	case "fails":
		fmt.Fprint(os.Stderr, "no cpus\nmore\n")
		os.Exit(3)
	}
	os.Exit(0)
}

// witness links the test binary to that name and returns the path.
func witness(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "witness")
	if err := os.Symlink(self, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// A program that hangs is killed, also where a child process holds its output open; the error of a
// program that fails has its first complaint; hwloc's variables do not reach the program.
func TestWithin(t *testing.T) {
	t.Setenv("HWLOC_XMLFILE", "other.xml")
	tests := []struct {
		what     string
		patience time.Duration
		out, err string
	}{
		{"says", patience, "C \n", ""},
		{"hangs", 50 * time.Millisecond, "", "witness: killed after 50ms without an answer"},
		{"fails", patience, "", "witness: exit status 3 (no cpus)"},
	}
	for _, tt := range tests {
		out, err := within(t.Context(), tt.patience, witness(t), tt.what)
		if out != tt.out || err == nil && tt.err != "" || err != nil && err.Error() != tt.err {
			t.Errorf("%s: %q, %v", tt.what, out, err)
		}
	}
	if _, err := run(t.Context(), "no-such-program-here"); !errors.Is(err, ErrAbsent) {
		t.Errorf("error %v", err)
	}
}

// lscpu's columns become PU sets; each line is a PU.
func TestParseLscpu(t *testing.T) {
	t.Parallel()
	const head = "# comment\n# CPU,Node,Socket,Core,Book,DRAWER,,L1d,L1i,L2\n"
	tests := []struct {
		rule, text string
		kind       account.Kind
		want       string
		notes      int
	}{
		{"cores", head + "0,0,0,0,,,,0,0,0\n1,0,0,1,,,,1,1,0\n2,1,0,0,,,,0,0,0\n", account.Of(hw.Core), "0,2 1", 0},
		{"nodes", head + "0,0,0,0,,,,0,0,0\n1,0,0,1,,,,1,1,0\n2,1,0,0,,,,0,0,0\n", account.Of(hw.NUMANode), "0-1 2", 0},
		{"a cache that two cores share", head + "0,0,0,0,,,,0,0,0\n1,0,0,1,,,,1,1,0\n", account.Of(hw.L2Cache), "0-1", 0},
		{"books", "# CPU,Node,Socket,Core,Book,DRAWER\n0,,0,0,7,0\n1,,0,1,8,0\n",
			account.Kind{Type: hw.Group, Subtype: "Book"}, "0 1", 0},
		{"no column says nothing", "# CPU,Node,Socket,Core,Book,DRAWER\n0,,0,0,,\n", account.Of(hw.NUMANode), "", 0},
		// As util-linux 2.38 prints a machine of which one CPU has no caches.
		{"dropped fields make caches useless", head + "0,0,0,0,,,,0,0,0\n1,0,0,1,,,,\n2,0,0,2,,,,1\n",
			account.Of(hw.L1Cache), "", 1},
	}
	for _, tt := range tests {
		a, notes, err := parseLscpu(tt.text)
		var sets []string
		for _, thing := range a[tt.kind] {
			sets = append(sets, thing.CPUSet.String())
		}
		if got := strings.Join(sets, " "); got != tt.want || len(notes) != tt.notes || err != nil {
			t.Errorf("%s: %q, notes %q, error %v", tt.rule, got, notes, err)
		}
	}
	for _, text := range []string{"", "0,0\n", head + ",,,\n", head + "0,x\n", head + "5000000,0\n"} {
		if _, _, err := parseLscpu(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
