package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
)

// racing fails where the first receive from any source takes the message of rank 2: what it takes is not determined (§3.5).
const racing = `from mpi4py import MPI
world = MPI.COMM_WORLD
me = world.Get_rank()
if me:
    world.send(me, 0)
else:
    first = world.recv(source=MPI.ANY_SOURCE)
    world.recv(source=MPI.ANY_SOURCE)
    if first == 2:
        world.recv(source=1)
`

func programFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "race.py")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Of the two orders of two messages the second fails. It is found, told with its choices, and run again by its number.
func TestOrders(t *testing.T) {
	t.Parallel()
	file := programFile(t, racing)
	for _, want := range []struct {
		orders string
		code   cmd.Code
		told   []string
	}{
		{"", cmd.OK, []string{"race: rank 0 in MPI_Recv (race.py:7) takes the message of rank 1, and could take that of rank 2; --orders all tries all orders"}},
		{"all", cmd.Deadlock, []string{"order 2 fails (--orders 2 runs it again)",
			"order 2: rank 0 in MPI_Recv (race.py:7) takes the message of rank 2, and could take that of rank 1", "DEADLOCK"}},
		{"1", cmd.OK, []string{"order 1\n"}},
		{"2", cmd.Deadlock, []string{"order 2\n", "race.py:10"}},
		{"3", cmd.Usage, []string{"--orders 3: the program has 2 orders"}},
		{"none", cmd.Usage, []string{"--orders"}},
	} {
		args := []string{"run", file, "-n", "3"}
		if want.orders != "" {
			args = append(args, "--orders", want.orders)
		}
		r := run(t, "", args...)
		if r.code != want.code {
			t.Errorf("--orders %s: code %d, want %d: %s", want.orders, r.code, want.code, r.err)
		}
		for _, text := range want.told {
			if !strings.Contains(r.err, text) {
				t.Errorf("--orders %s: %q is not told:\n%s", want.orders, text, r.err)
			}
		}
	}
}

// The document of a run has its choices, and its lines make the same document.
func TestChoicesInJSON(t *testing.T) {
	t.Parallel()
	file := programFile(t, racing)
	r := run(t, "", "run", file, "-n", "3", "-o", "json")
	doc := parsed(t, r.out).(map[string]any)
	want := parsed(t, `[{"rank": 0, "call": "MPI_Recv", "comm": 0, "where": "race.py:7", "senders": [1, 2], "taken": 1}]`)
	if d := cmp.Diff(want, doc["choices"]); d != "" {
		t.Errorf("choices: -want +got:\n%s", d)
	}
	if d := cmp.Diff(doc, rebuilt(t, run(t, "", "run", file, "-n", "3", "-o", "jsonl"))); d != "" {
		t.Errorf("-document +lines:\n%s", d)
	}
}

// A standard send may wait for its receive (§3.4), so that a program in which two processes send first is unsafe.
func TestSynchronousSends(t *testing.T) {
	t.Parallel()
	file := programFile(t, "from mpi4py import MPI\nw = MPI.COMM_WORLD\nw.send(1, 1 - w.rank)\nw.recv(source=1 - w.rank)\n")
	if r := run(t, "", "run", file, "-n", "2"); r.code != cmd.OK {
		t.Errorf("buffered sends: code %d: %s", r.code, r.err)
	}
	if r := run(t, "", "run", file, "-n", "2", "--sends", "synchronous"); r.code != cmd.Deadlock || !strings.Contains(r.err, "race.py:3") {
		t.Errorf("synchronous sends: code %d: %s", r.code, r.err)
	}
}
