package cmd

import (
	"bytes"
	"strings"
	"testing"
)

// A mistyped word gets one line that says what would be right, with the exit codes of COMMANDS.md.
func TestMistyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code Code
		says string
	}{
		{[]string{"-n", "4", "-c", "MPI_Comm_split(MPI_COMM_WORLD, 0, &half);"}, Usage, "MPI_Comm_split takes 4 arguments: key is missing"},
		{[]string{"split", "world", "color=rank%", "-n", "2"}, Usage, "1:24: a value is missing here"},
		{[]string{"-n", "2", "-c", "x = (world.rank mod 2)"}, Usage, "the remainder is written %"},
		{[]string{"-n", "2", "-c", "split_type world NUMA"}, Usage, `did you mean resource="NUMA"`},
		{[]string{"learn", "99"}, IO, "there is no lesson 99: the lessons are 1 to "},
		{[]string{"learn", "four"}, IO, "there is no lesson four (did you mean four-ways?); commsplit learn --list"},
		{[]string{"examples", "foo"}, IO, "there is no example foo; commsplit examples"},
		{[]string{"learn", "colr"}, IO, "there is no lesson colr (did you mean color-and-key?); commsplit learn --list"},
		{[]string{"learn", "--say", "fortan"}, Usage, "--say fortan: it must be c, f08, mpi4py or command; did you mean f08?"},
		{[]string{"practice", "evns"}, IO, "there is no exercise evns (did you mean 01-evens-and-odds?); commsplit practice --list"},
		{[]string{"practice", "25"}, IO, "there is no exercise 25: the exercises are 1 to 24"},
		{[]string{"split", "world", "--std", "6.0", "-n", "2"}, Usage, "5.0 is the latest\n"},
		{[]string{"hw", "show", "-o", "jsno"}, Usage, "it must be text or json; did you mean json?"},
		{[]string{"export", "first-split", "--to", "png"}, Usage, "| rsvg-convert -f png -o FILE.png"},
		{[]string{"export", "first-split", "-o", "half.svg"}, Usage, "the name of the file is an argument of its own"},
		{[]string{"split.f77"}, Usage, "to run a script, write commsplit run split.f77"},
		{[]string{"run", "nowhere.f77", "-n", "2", "--", "7"}, IO, "open nowhere.f77: no such file"}, // no launch line
		{[]string{"srun"}, Usage, "a launch line stands behind --: write commsplit -- srun and its options there"},
		{[]string{"hw", "map", "mpirun", "-n", "4"}, Usage, "write commsplit hw map -- mpirun and its options there"},
		{[]string{"schema", "rn"}, Usage, "did you mean run?"},
	} {
		var out bytes.Buffer
		s := Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }}
		if code := Run(t.Context(), s, c.args); code != c.code || !strings.Contains(out.String(), c.says) {
			t.Errorf("%q: code %d, want %d and %q:\n%s", c.args, code, c.code, c.says, &out)
		}
	}
}
