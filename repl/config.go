package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/launch"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Config is how to make a world: the flags of every command that makes a world, and of the "# commsplit:" lines of
// scripts.
type Config struct {
	Size     int    // number of ranks; 0: one per core of the topology
	Topo     string // SPEC of the topology; "": this machine
	Policy   placement.Policy
	Psets    []string // NAME=RANKS
	Std      string   // version of the standard; "": the latest
	Contexts int      // context ids of a process; 0: as many as there are

	Arguments   []string       // of the program: sys.argv[1:]
	Input       *program.Input `json:"-"` // standard input of the program; nil: none
	Synchronous bool           // standard sends wait until they are received
	Orders      []int          // see engine.Config

	Memory   uint64 // bytes that the session may take; 0: three quarters of what there is
	MemoryOf string // who says so, for messages; "": --max-memory does
	Shares   bool   // other sessions are in the process

	// Launch, if not nil, gives the number of ranks and their places, instead of Size and Policy, and the number of
	// machines: if Topo is one machine, the world has that many copies.
	Launch *launch.Line `json:"-"`
	// Begins, if not nil, is told of a world before it takes memory: how many ranks it has, and how many bytes its
	// programs may take.
	Begins func(ranks int, most uint64) `json:"-"`
	// Lines, if not nil, is told what happens on every world of the session. A chunk that runs again is reported again, on
	// the fresh world that it runs on.
	Lines *document.Lines `json:"-"`
	// Timeline is the timeline of the recording whose calls the session makes; nil without a recording.
	Timeline *render.Timeline `json:"-"`
	// Start tells that a person begins a session. A machine with few cores gives way to a machine whose pictures show
	// something.
	Start bool
}

// Unasked reports whether nobody asked for ranks, for hardware, or for where ranks run: the program may choose a
// world.
func (c Config) Unasked() bool {
	return c.Size == 0 && c.Topo == "" && c.Policy == placement.Policy{} && len(c.Psets) == 0 && c.Launch == nil
}

// A split of fewer than fewCores ranks makes communicators of one rank; standIn is the machine of the standard's
// Figure 7.3.
const (
	fewCores = 4
	standIn  = "figure-7.3"
)

// start resolves the configuration; if a person begins on a machine with few cores, start takes standIn instead, and
// notes that in the plan.
func (c *Config) start(ctx context.Context) (p *worldPlan, err error) {
	begins := c.Start
	c.Start = false // the worlds after this one are asked for
	if c.Launch != nil {
		if err := c.launched(ctx); err != nil {
			return nil, err
		}
	}
	p, err = c.resolve(ctx)
	if err != nil || !begins || len(p.bindings) >= fewCores {
		return p, err
	}
	instead := fmt.Sprintf("only %s here: this is Figure 7.3; --topo this takes this machine", spell.Plural(len(p.bindings), "core"))
	c.Topo = standIn
	if p, err = c.resolve(ctx); err == nil {
		p.instead = instead
	}
	return p, err
}

// launched puts flags of the same meaning in the place of a launch line.
func (c *Config) launched(ctx context.Context) error {
	line := c.Launch
	t, err := c.topology(ctx)
	if err != nil {
		return err
	}
	switch have := len(t.Hosts); {
	case line.Machines == 0 || have == line.Machines:
	case have > 1:
		return fmt.Errorf("the launch line names %s, but --topo has %d: give the same number", spell.Plural(line.Machines, "machine"), have)
	default:
		if c.Topo, err = source.Copies(c.Topo, line.Machines, line.Names); err == nil {
			t, err = c.topology(ctx)
		}
		if err != nil {
			return err
		}
	}
	c.Size, c.Launch = line.Ranks, nil
	c.Policy, err = line.Policy(t)
	return err
}

// InputError is a failure of input or output: a topology that cannot be detected, a missing file (exit code 5).
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// AsInput makes an InputError of an error; nil stays nil.
func AsInput(err error) error {
	if err == nil {
		return nil
	}
	return &InputError{err}
}

// Loaded turns an error of package source into an InputError if the hardware could not be read; other errors are
// mistakes in a SPEC.
func Loaded(err error) error {
	if gone := (*source.Unavailable)(nil); errors.As(err, &gone) {
		return &InputError{err}
	}
	return err
}

// worldPlan is a Config made ready: the hardware, where ranks run on it, process sets, and the version of the
// standard.
type worldPlan struct {
	topology *hw.Topology
	bindings []*hw.Binding
	psets    []engine.Pset
	std      engine.Std
	instead  string // why it is not this machine, where a person began with nothing asked for; "" otherwise
}

// resolve loads the topology, places the ranks, and reads the process sets.
func (c Config) resolve(ctx context.Context) (*worldPlan, error) {
	std := engine.StdLatest
	if c.Std != "" {
		var err error
		if std, err = parseStd(c.Std); err != nil {
			return nil, err
		}
	}
	if c.Size < 0 || c.Size > engine.MaxSize {
		return nil, fmt.Errorf("-n %d: a world has 1 to %d ranks", c.Size, engine.MaxSize)
	}
	t, err := c.topology(ctx)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // a large machine takes long, and so do its ranks
		return nil, context.Cause(ctx)
	}
	plan, err := placement.New(t, c.Size, c.Policy)
	if err != nil {
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			return nil, &InputError{err}
		}
		return nil, err
	}
	n := plan.Size
	if err := c.memory().Holds(uint64(n)*rankBytes, fmt.Sprintf("a world of %d ranks", n)); err != nil {
		return nil, err
	}
	b, err := plan.Place()
	if err != nil {
		return nil, err
	}
	p := &worldPlan{topology: t, bindings: b, std: std}
	if len(c.Psets) > 0 {
		p.psets, err = c.parsePsets(n)
	}
	return p, err
}

// topology loads the hardware.
func (c Config) topology(ctx context.Context) (*hw.Topology, error) {
	t, err := source.Load(ctx, c.Topo)
	if err != nil && !errors.As(err, new(*source.Unavailable)) {
		err = fmt.Errorf("--topo: %w", err)
	}
	return t, Loaded(err)
}

// rankBytes is how many bytes a rank takes at least in a session, measured with a million ranks that make one call: its
// goroutine with its stack, its variables, its part of the trace. A world that the memory cannot hold is refused: the
// system would end us without a word.
const rankBytes = 3300

// unknownMemory is how many bytes of memory we assume of a machine that does not tell its memory.
const unknownMemory = 8 << 30

// memory bounds how much memory programs take.
func (c Config) memory() *program.Memory {
	if c.Memory > 0 {
		return &program.Memory{Most: c.Memory, Why: cmp.Or(c.MemoryOf, "--max-memory says how much"), Shares: c.Shares}
	}
	return &program.Memory{Most: cmp.Or(detect.Memory(), unknownMemory) / 4 * 3, Why: "three quarters of what there is, unless --max-memory says how much"}
}

// parsePsets reads the process sets.
func (c Config) parsePsets(n int) ([]engine.Pset, error) {
	var list []engine.Pset
	for _, text := range c.Psets {
		name, ranks, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--pset %q: write NAME=RANKS, for example app://ocean=0-5", text)
		}
		r, err := engine.ParseRanks(ranks, n)
		if err != nil {
			return nil, fmt.Errorf("--pset %q: %w", text, err)
		}
		list = append(list, engine.Pset{Name: name, Ranks: r})
	}
	if err := engine.CheckPsets(list, n); err != nil {
		return nil, fmt.Errorf("--pset %w", err)
	}
	return list, nil
}

// stds are the versions of the standard that can be asked for, and the proposal of 2019.
var stds = []engine.Std{11, 12, 13, 20, 21, 22, 30, 31, 40, 41, 50, engine.Draft2019}

// StdNames lists the versions of the standard that --std takes.
func StdNames() []string {
	names := make([]string, len(stds))
	for i, s := range stds {
		names[i] = s.String()
	}
	return names
}

func parseStd(text string) (engine.Std, error) {
	for _, s := range stds {
		if s.String() == text {
			return s, nil
		}
	}
	near := ""
	if strings.Trim(text, "0123456789.") != "" { // numbers that look alike are as far apart as others
		near = spell.DidYouMean(text, StdNames())
	}
	return 0, fmt.Errorf("--std %s: the versions are %s; %s is the latest%s", text, strings.Join(StdNames(), ", "), engine.StdLatest, near)
}

// placed describes how ranks were placed, in the words of the given flags.
func placed(t *hw.Topology, p placement.Policy) string {
	switch {
	case placement.AsRun(t, p):
		return "placed as the job ran"
	case p.List != "":
		return "bound to " + p.List
	case p.Rankfile != "":
		return "placed by " + p.Rankfile
	case p.Srun != placement.Srun{}:
		words := "placed as by srun " + strings.Join(placementWords(p), " ")
		if t.Slurm != nil {
			words += " with slurm(" + t.Slurm.String() + ")"
		}
		return words
	}
	words := "map-by " + cmp.Or(p.MapBy, "core")
	if p.RankBy != "" {
		words += ", rank-by " + p.RankBy
	}
	return words + ", bind-to " + cmp.Or(p.BindTo, "core")
}

// placementWords lists the flags, with their values, that a policy was read from.
func placementWords(p placement.Policy) []string {
	var words []string
	for _, f := range placement.Flags {
		if value := *f.Of(&p); value != "" {
			words = append(words, "--"+f.Name, value)
		}
	}
	return words
}

// Flags lists the flags that make a world of that size.
func (c Config) Flags(size int) []string {
	words := []string{"-n", fmt.Sprint(size)}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	add("--topo", c.Topo)
	words = append(words, placementWords(c.Policy)...)
	add("--std", c.Std)
	if c.Contexts > 0 {
		add("--max-contexts", fmt.Sprint(c.Contexts))
	}
	for _, p := range c.Psets {
		add("--pset", p)
	}
	return words
}
