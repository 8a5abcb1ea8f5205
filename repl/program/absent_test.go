package program

import (
	"strings"
	"testing"

	"commsplit/engine"
)

// A name that is not modelled says why, and what to write instead; it is taken for no other one.
func TestAbsentNameSaysWhy(t *testing.T) {
	for code, want := range map[string]string{
		`world.Spawn("a")`:        "Intracomm.Spawn is not modelled: a world keeps the processes that it began with",
		"world.Send(1, 0)":        "write .send, which takes any value",
		"MPI.Win":                 "no process reaches the memory of another one",
		"MPI.Exception":           "write expect_error(",
		"MPI.Intracomm.Spawn":     "not modelled",
		"world.Spit":              "did you mean .Split?",
		`world.Split().Allgather`: "write .allgather",
	} {
		if got := programError(t, runChunks(t, engine.Config{Size: 2}, code)); !strings.Contains(got, want) {
			t.Errorf("%s: %s does not say %q", code, got, want)
		}
	}
}

// A name of C's MPI that is not modelled says so, too, before anything runs.
func TestAbsentNameOfC(t *testing.T) {
	for code, want := range map[string]string{
		"MPI_Win_create(1)": "MPI_Win_create is not modelled: no process reaches the memory of another one",
		"MPI_Send(1)":       "write world.send, which takes any value",
	} {
		if _, err := Compile("demo.py", code, 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", code, err, want)
		}
	}
}
