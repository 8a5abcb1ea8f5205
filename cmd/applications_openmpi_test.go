//go:build linux

package cmd_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/hw/judge"
	fields "codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// recorded runs an installed application with four processes and the recorder under Open MPI, with its input in a
// folder of its own, and returns the recording.
func recorded(t *testing.T, file, input, application string, args ...string) string {
	t.Helper()
	cc, mpirun := judge.Ask(t, "mpicc.openmpi"), judge.Ask(t, "mpirun.openmpi")
	application = judge.Ask(t, application)
	dir := t.TempDir()
	source, lib, archive := filepath.Join(dir, "recorder.c"), filepath.Join(dir, "librecorder.so"), filepath.Join(dir, "app.tar")
	for name, text := range map[string]string{source: recorder.C(), filepath.Join(dir, file): input} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), cc, "-O2", "-shared", "-fPIC", "-o", lib, source, "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	launch := []string{"-n", "4", "-x", "OMP_NUM_THREADS=1", "-x", "LD_PRELOAD=" + lib, "-x", "COMMSPLIT_RECORD=" + archive, application}
	c := exec.CommandContext(ctx, mpirun, append(launch, args...)...)
	c.Dir = dir
	c.WaitDelay = 5 * time.Second
	c.Env = judge.OpenMPI(t)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", application, err, out)
	}
	return archive
}

// replayEqual replays a recording, logs its table of places, and returns what the replay found: the communicators must
// be those of the library.
func replayEqual(t *testing.T, archive string) *fields.Replay {
	t.Helper()
	table := run(t, "", "replay", archive, "--sites")
	t.Log(table.out)
	r := run(t, "", "replay", archive, "-o", "json")
	doc := &fields.Replay{}
	if err := json.Unmarshal([]byte(r.out), doc); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	if table.code != cmd.OK || r.code != cmd.OK || doc.Verdict != "equal" || doc.Ranks != 4 || doc.Missing != "" || doc.Truncated != "" ||
		len(doc.Findings) > 0 || doc.Deadlock != nil {
		t.Fatalf("codes %d and %d, %s%s", table.code, r.code, table.err, r.out)
	}
	return doc
}

// hpccInput is the example of the package hpcc, with matrices of 200 rows. hpcc reads one value from each line, but
// ignores the first two lines and the line with #.
const hpccInput = `HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
200          Ns
1            # of NBs
80           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
`

// The HPC Challenge benchmark makes process grids of 2 by 2, each of three splits: all processes, its rows and its
// columns. A wrapper of MPI_Comm_split that only counts says 18 on every process, and 18 are freed. So a grid is five
// communicators, and six grids are thirty.
func TestApplicationHPCCOpenMPI(t *testing.T) {
	t.Parallel()
	doc := replayEqual(t, recorded(t, "hpccinf.txt", hpccInput, "hpcc"))
	calls, comms := map[string]int{}, 0
	for _, s := range doc.Sites {
		calls[s.Call] += s.Calls
		comms += s.Communicators
		if s.Ranks != "0-3" || s.Left != 0 || s.Leaks {
			t.Errorf("%+v", s)
		}
	}
	if len(calls) != 2 || calls["MPI_Comm_split"] != 18 || calls["MPI_Comm_free"] != 18 || doc.Calls != 4*36 || comms != 30 || doc.Communicators != 30 {
		t.Errorf("calls of a rank %v, of all %d; communicators %d, of the places %d", calls, doc.Calls, doc.Communicators, comms)
	}
}

// cp2kInput is a molecule of hydrogen, with few plane waves.
const cp2kInput = `&GLOBAL
  PROJECT h2
  RUN_TYPE ENERGY
&END GLOBAL
&FORCE_EVAL
  METHOD Quickstep
  &DFT
    BASIS_SET_FILE_NAME BASIS_SET
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 80
    &END MGRID
    &SCF
      MAX_SCF 20
      SCF_GUESS ATOMIC
    &END SCF
    &XC
      &XC_FUNCTIONAL PADE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC 4 4 4
    &END CELL
    &COORD
      H 0 0 0
      H 0 0 0.74
    &END COORD
    &KIND H
      BASIS_SET DZV-GTH-PADE
      POTENTIAL GTH-PADE-q1
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
`

// CP2K is written in Fortran, and makes grids of processes and their rows and columns for its matrices, besides what
// ScaLAPACK makes for it. It frees all of them: a wrapper that only counts says that each process makes as many
// communicators as it frees.
func TestApplicationCP2KOpenMPI(t *testing.T) {
	t.Parallel()
	doc := replayEqual(t, recorded(t, "h2.inp", cp2kInput, "cp2k.psmp", "-i", "h2.inp"))
	calls, made := map[string]int{}, 0
	for _, s := range doc.Sites {
		calls[s.Call] += s.Calls
		if s.Communicators > 0 {
			made += s.Calls
		}
		if s.Ranks != "0-3" || s.Left != 0 || s.Leaks {
			t.Errorf("%+v", s)
		}
	}
	if calls["MPI_Cart_create"] == 0 || calls["MPI_Cart_sub"] == 0 || calls["MPI_Comm_split"] == 0 || made != calls["MPI_Comm_free"] || doc.Calls != 8*made {
		t.Errorf("calls of a rank %v, %d make communicators; of all %d", calls, made, doc.Calls)
	}
}

// pseudopotentials is the folder of the package quantum-espresso-data with the pseudopotentials.
const pseudopotentials = "/usr/share/espresso/pseudo"

// pwInput is a crystal of silicon, with few plane waves.
const pwInput = `&control
  calculation = 'scf', prefix = 'si', outdir = '.', pseudo_dir = '` + pseudopotentials + `'
/
&system
  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 8
/
&electrons
/
ATOMIC_SPECIES
Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
Si 0.00 0.00 0.00
Si 0.25 0.25 0.25
K_POINTS automatic
2 2 2 0 0 0
`

// Quantum ESPRESSO is written in Fortran, and makes its communicators in levels, with its own subroutine mp_comm_split
// around MPI_Comm_split: images, pools and bands have two communicators each, inside the level and across it. The table
// names the callers of the subroutine. With two pools (-nk 2) of four processes a pool has two processes, and so has a
// communicator across pools.
func TestApplicationEspressoOpenMPI(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "pw.x")
	if _, err := os.Stat(filepath.Join(pseudopotentials, "Si.pz-vbc.UPF")); err != nil {
		t.Skipf("quantum-espresso-data is not installed: %v", err)
	}
	archive := recorded(t, "si.in", pwInput, "pw.x", "-nk", "2", "-in", "si.in")
	doc := replayEqual(t, archive)
	wrapper, callers := ownSplit(t, archive)
	if len(callers) < 6 {
		t.Errorf("%s is called by %q: images, pools and bands make six splits", wrapper, callers)
	}
	halves := 0
	for _, s := range doc.Sites {
		i := slices.IndexFunc(callers, func(frames []string) bool { return slices.Contains(frames, s.Place) })
		switch {
		case s.Place == wrapper:
			t.Errorf("the table does not look through %s", wrapper)
		case i >= 0 && s.Call == "MPI_Comm_split":
			callers = slices.Delete(callers, i, i+1)
			if s.Ranks == "0-3" && s.Communicators == 2 && s.Smallest == 2 && s.Largest == 2 {
				halves++
			}
		}
	}
	if len(callers) > 0 {
		t.Errorf("the table lacks %q, which call %s", callers, wrapper)
	}
	if halves < 2 {
		t.Errorf("%d places make two communicators of two processes: the pools, and across them", halves)
	}
}

// ownSplit returns the place in pw.x that calls MPI_Comm_split most often, and for each of these calls its callers, the
// nearest first.
func ownSplit(t *testing.T, archive string) (wrapper string, callers [][]string) {
	t.Helper()
	rec, err := recording.Read(t.Context(), archive)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][][]string{}
	for _, u := range rec.Uses() {
		if u.Call != "MPI_Comm_split" || u.Site == nil || u.Site.Frames[0].Module != "pw.x" {
			continue
		}
		var frames []string
		for _, f := range u.Site.Frames {
			frames = append(frames, f.String())
		}
		by[frames[0]] = append(by[frames[0]], frames[1:])
	}
	for place, list := range by {
		if len(list) > len(callers) {
			wrapper, callers = place, list
		}
	}
	return wrapper, callers
}
