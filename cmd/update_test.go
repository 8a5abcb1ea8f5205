package cmd_test

import (
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// A file that is updated keeps its line ends and its mode.
func TestUpdateKeepsTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.mpi")
	const text = "# commsplit: -n 2 --topo core:2\r\nexpect_parts world "
	if err := os.WriteFile(path, []byte(text+"[[1,0]]\r\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil { // whatever the umask leaves
		t.Fatal(err)
	}
	if got := run(t, "", "run", path, "--update"); got.code != cmd.OK {
		t.Fatalf("code %d: %s%s", got.code, got.out, got.err)
	}
	got, err := os.ReadFile(path)
	if want := text + "[[0,1]]\r\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, not %q", got, err, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
