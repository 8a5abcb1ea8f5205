// Package confirm compares the engine's results with a real MPI on this machine: it writes the session
// as a C program, builds the program with the compiler of the library, runs it under the library's mpirun,
// and compares the communicators that each process holds at the end.
//
// The model: there are three answers. A communicator is the same in the engine and in the library; or it
// differs, and the library is known to deviate from the standard in the call that made the communicator or
// one of its ancestors; or it differs, and nobody knows why. Calls for which the library is too old, and
// calls whose result depends on the hardware of the run, are not compared, and the report says so. Each call
// that the engine finds erroneous, and the calls in which processes wait forever, are tried in their own
// runs, because nothing is certain after them. Compared are the members of a communicator, their order, its
// virtual topology and the name that the session gave; attributes, hints and messages are not.
package confirm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/source"
	"codeberg.org/commsplit/commsplit/repl"
)

// MostRanks is how many processes are started at most, unless the caller sets a time limit: each process
// takes some ten megabytes, and all of them share few processors.
const MostRanks = 256

// usualLimit is how long a run may take: far more than a slow machine needs.
const usualLimit = 2 * time.Minute

// Options names the launcher to run a session under, and its limits.
type Options struct {
	Mpirun string        // a name or a path; "" for the first one found
	Words  []string      // a launcher and its words, in place of Mpirun
	Placed bool          // the ranks of the session run where the launcher puts them: hardware splits are compared
	Limit  time.Duration // of each run; 0 for the usual one
	Keep   string        // a folder that keeps the programs; "" for none

	patience time.Duration // how long a program must be silent to count as hanging; 0 for the usual time
}

// job is one confirmation.
type job struct {
	Options
	view     *render.View
	at       *Installation
	dir      string
	skip     map[int]string // steps in which the library is known to fail, and the reason for the report
	coverage *source.Coverage
	all      []deviation.Note // the known deviations of the library that concern this session
	names    map[key]string   // of communicators, by id and world rank
	report   *Report
	runs     int
}

// Run confirms a session. The error is of the caller's context or a *repl.InputError: there is no MPI,
// no compiler, or the program cannot be built or started. No process that Run starts outlives it.
func Run(ctx context.Context, v *render.View, o Options) (*Report, error) {
	if v.Snapshot.Size > MostRanks && o.Limit == 0 {
		return nil, fmt.Errorf("confirm starts a process for each rank, and %d are many for one machine: "+
			"--limit SECONDS says how long it may take", v.Snapshot.Size)
	}
	o.Limit, o.patience = cmp.Or(o.Limit, usualLimit), cmp.Or(o.patience, usualPatience)
	r, err := confirm(ctx, v, o)
	return r, outside(ctx, err)
}

// outside turns an error about the programs that confirm runs into an InputError, unless the error came because ctx
// ended them.
func outside(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return repl.AsInput(err)
}

// find returns the installation to run under.
func (o *Options) find() (*Installation, error) {
	if len(o.Words) > 0 {
		return Launched(o.Words)
	}
	return find("--mpirun", o.Mpirun)
}

func confirm(ctx context.Context, v *render.View, o Options) (*Report, error) {
	at, err := o.find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "commsplit-confirm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j := &job{Options: o, view: v, at: at, dir: dir, skip: map[int]string{}, names: names(v.Snapshot),
		report: &Report{Ranks: v.Snapshot.Size, Of: []string{"members", "order", "virtual topology"}}}
	if len(j.names) > 0 {
		j.report.Of = append(j.report.Of, "names")
	}
	if j.Placed {
		j.report.Hosts = len(v.Snapshot.Topology.Hosts)
	}
	if err := j.holdings(ctx); err != nil {
		return nil, err
	}
	if err := j.errors(ctx); err != nil {
		return nil, err
	}
	return j.report, j.deadlock(ctx)
}

// mostSkipped is how many calls holdings leaves out at most, if the library is known to fail in them.
const mostSkipped = 8

// holdings runs the session and compares the communicators that the processes hold at the end. A call in
// which the library is known to fail ends the run: the next run leaves that call out.
func (j *job) holdings(ctx context.Context) error {
	for {
		hangs := false
		coverage, out, err := j.run(ctx, source.Attempt{Skip: j.skip}, "program", func(o *outcome) bool {
			hangs = o.silent(max(j.patience, j.Limit/4))
			return hangs
		})
		if err != nil {
			return err
		}
		j.coverage = coverage
		if err := j.identify(out); err != nil {
			return err
		}
		want := max(len(j.view.Handles), 1) * j.view.Snapshot.Size // in a session without handles each tells of the world
		if len(out.holds) >= want {
			j.compare(out)
			return nil
		}
		switch {
		case out.late && !out.silent(j.patience):
			return fmt.Errorf("the program was still at work after %v: --limit SECONDS gives it more", j.Limit)
		case out.err == nil && !out.late && !hangs:
			return fmt.Errorf("%s ended the program well, but %d of its %d last lines did not come", j.at.Mpirun,
				want-len(out.holds), want)
		}
		step, err := j.broken(out)
		if err != nil || step == 0 || len(j.skip) >= mostSkipped {
			return err
		}
	}
}

// identify reads the name and version of the library from the program's output. It returns an error where
// the program did not start as one world.
func (j *job) identify(out *outcome) error {
	if out.alone {
		return fmt.Errorf("each process ran alone: %s does not start programs of %s; "+
			"--mpirun names one of the same installation", j.at.Mpirun, j.at.Compiler)
	}
	switch {
	case out.library == "" && out.late:
		return fmt.Errorf("%s did not start %s within %v: --limit SECONDS gives it more", j.at.Mpirun,
			spell.Plural(j.report.Ranks, "process"), j.Limit)
	case out.library == "":
		return fmt.Errorf("%s did not start the program%s", j.at.Mpirun, out.lastWords())
	}
	if j.report.Library.Name != "" {
		return nil
	}
	j.report.Library = Library{deviation.Identify(out.library), engine.Std(out.standard)}
	s := j.view.Snapshot
	if l := &j.report.Library; l.Known != deviation.None {
		j.all = deviation.Each(l.Known, l.Number, s, j.view.Errors, j.view.Deadlock)
	}
	return nil
}

// run writes, builds and runs a program. It calls watch again and again with the output so far; true ends the run.
func (j *job) run(ctx context.Context, a source.Attempt, name string, watch func(*outcome) bool) (*source.Coverage, *outcome, error) {
	if j.runs++; j.runs > 1 {
		name = fmt.Sprintf("%s-%d", name, j.runs)
	}
	file := filepath.Join(j.dir, name+".c")
	var text bytes.Buffer
	coverage, err := j.check(&text, a, int(j.Limit/time.Second)+1)
	if err == nil {
		err = os.WriteFile(file, text.Bytes(), 0o600)
	}
	if err == nil && j.Keep != "" {
		err = errors.Join(os.MkdirAll(j.Keep, 0o777), wholefile.Write(filepath.Join(j.Keep, name+".c"), text.Bytes(), 0o666))
	}
	if err != nil {
		return nil, nil, err
	}
	if err := j.at.build(ctx, file, filepath.Join(j.dir, name), j.dir); err != nil {
		return nil, nil, err
	}
	folder := filepath.Join(j.dir, name+"-tells")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, nil, err
	}
	out, err := j.launch(ctx, filepath.Join(j.dir, name), folder, watch)
	return coverage, out, err
}

// lacks reports whether the library is older than a version of the standard.
func (j *job) lacks(since engine.Std) bool { return since > j.report.Library.standard }

// broken notes how a run broke off. It returns the step of the trace in which the library is known to fail, and
// which the next run leaves out; 0 when no known deviation explains the end, and then nothing is compared. It
// returns an error for a run that never began.
func (j *job) broken(out *outcome) (step int, err error) {
	steps := j.view.Snapshot.Steps
	arrived, who := j.firstBehind(out)
	if arrived == 0 {
		return 0, fmt.Errorf("%s did not bring all processes to their first call%s", j.at.Mpirun, out.lastWords())
	}
	f := Finding{Kind: Different, Ranks: engine.AllRanks(j.report.Ranks), Found: how(out, who)}
	if arrived <= len(steps) {
		s := &steps[arrived-1]
		f.Ranks, f.Step, f.Call, f.Where, f.Expected = s.Ranks, arrived, s.Call, s.Site(), "the call returns"
		behind := map[int]bool{}
		j.lineage(behind, arrived)
		if f.Why = j.knownIn(behind, s.Ranks.Slice(), members); len(f.Why) > 0 {
			f.Kind = Known
		}
	} else {
		f.Expected = "the processes print what they hold"
	}
	j.report.Findings = append(j.report.Findings, f)
	if f.Kind != Known {
		j.report.gap("what follows", "the program did not come to its end")
		return 0, nil
	}
	j.skip[arrived] = "is a call in which this library fails"
	return arrived, nil
}

// firstBehind returns the step in which a run broke off, and the ranks that were in that step: the step of the first
// error, or without an error the earliest step in which a process stayed.
func (j *job) firstBehind(out *outcome) (step int, who engine.Ranks) {
	failed, behind := 0, 0
	for _, p := range out.ranks {
		if p.class != "" && (failed == 0 || p.at < failed) {
			failed = p.at
		}
		if behind == 0 || p.at < behind {
			behind = p.at
		}
	}
	if step = failed; step == 0 {
		step = behind
	}
	for r, p := range out.ranks {
		if p.at == step {
			who.Append(int32(r))
		}
	}
	return step, who
}

// how describes the end of a run: an error class, that it hangs, or the last words of mpirun.
func how(out *outcome, who engine.Ranks) string {
	for _, r := range who.Slice() {
		if c := out.ranks[r].class; c != "" {
			return c
		}
	}
	if out.late || out.err == nil {
		return "it hangs"
	}
	return "the program ends: " + tellingLine(out)
}

// tellingLine returns the line of mpirun's output that tells most: a line about an error or a signal.
func tellingLine(out *outcome) string {
	lines := strings.Split(out.said, "\n")
	for _, word := range []string{"MPI_ERR_", "Fatal error", "Assertion", "signal", "SIG"} {
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, word) }); i >= 0 {
			line := strings.Join(strings.Fields(strings.Trim(lines[i], "*- ")), " ")
			return strings.ToValidUTF8(line[:min(len(line), 120)], "")
		}
	}
	return out.err.Error()
}
