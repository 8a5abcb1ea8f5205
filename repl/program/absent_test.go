package program

import (
	"os"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	table "codeberg.org/commsplit/commsplit/engine/calls"
)

// Every name of mpi4py 4.1 is one that programs have, or is in the table of those that are not modelled; a class
// that is in the table stands for its names.
func TestNamesOfMpi4py(t *testing.T) {
	data, err := os.ReadFile("testdata/mpi4py-4.1.txt")
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string][]*class{
		"Comm": {commClass}, "Intracomm": {commClass}, "Topocomm": {topoClass, cartClass, graphClass, distGraphClass}, "Group": {groupClass},
		"Info": {infoClass}, "Session": {sessionClass}, "Errhandler": {errhandlerClass}, "Request": {requestClass}, "Prequest": {requestClass}, "Status": {statusClass},
		"Op": {opClass}, "Message": {messageClass}, "module": {mpi},
	}
	for line := range strings.Lines(string(data)) {
		of, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if of == "#" || !ok {
			continue
		}
		if of == "Exception" {
			if !slices.Contains((&exception{mpi: &engine.Error{}}).AttrNames(), name) {
				t.Errorf("MPI.Exception has no %s", name)
			}
			continue
		}
		if of == "Datatype" {
			continue // only the basic ones are there, as names beside a buffer
		}
		if classes[of] == nil {
			if table.Absent("MPI."+of, "", "") == "" {
				t.Errorf("MPI.%s, the class of %s, is neither there nor in the table", of, name)
			}
			continue
		}
		for _, c := range classes[of] {
			if c.attrs[name] == nil && c.absent(name) == nil {
				t.Errorf("%s.%s is neither there nor in the table", c.name, name)
			}
		}
	}
}

// What the table says is not modelled is not there, and no name is in two of its rows.
func TestAbsencesAreAbsent(t *testing.T) {
	classes := map[string]*class{"Comm": commClass, "MPI": mpi, "Group": groupClass, "Info": infoClass, "Session": sessionClass,
		"Errhandler": errhandlerClass, "Request": requestClass, "Status": statusClass, "Op": opClass, "Message": messageClass}
	var all []string
	for _, a := range table.Absences {
		for _, name := range a.Names {
			of, method, ok := strings.Cut(name, ".")
			if ok && classes[of] == nil {
				t.Errorf("%s: there is no class %s", name, of)
			} else if ok && classes[of].attrs[method] != nil {
				t.Errorf("%s is there", name)
			}
			if slices.Contains(all, name) {
				t.Errorf("%s is in the table twice", name)
			}
			all = append(all, name)
		}
	}
}

// A name that is not modelled says why, and what to write instead; it is taken for no other one.
func TestAbsentNameSaysWhy(t *testing.T) {
	for code, want := range map[string]string{
		`world.Spawn("a")`:    "Intracomm.Spawn is not modelled: a world keeps the processes that it started with",
		"MPI.Win":             "no process reaches the memory of another process",
		"MPI.Intracomm.Spawn": "not modelled",
		"world.Spit":          "did you mean .Split?",
		"world.ibcast":        "Intracomm has no ibcast: as in mpi4py, only arrays travel in this call; write Ibcast",
		"world.rsend":         "write Rsend",
	} {
		if got := programError(t, runChunks(t, engine.Config{Size: 2}, code)); !strings.Contains(got, want) {
			t.Errorf("%s: %s does not say %q", code, got, want)
		}
	}
}

// A name of C's MPI that is not modelled says so, too, before anything runs.
func TestAbsentNameOfC(t *testing.T) {
	for code, want := range map[string]string{
		"MPI_Win_create(1)": "MPI_Win_create is not modelled: no process reaches the memory of another process",
	} {
		if _, err := Compile("demo.py", code, 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", code, err, want)
		}
	}
}
