// Package launch reads the line with which a person starts a program on a cluster, such as "srun -N 2 -n 16 -c 7 ./app",
// as the number of ranks, the number of machines, and a placement.Policy. It knows all options of srun (with those of
// sbatch, for #SBATCH lines), of Open MPI's mpirun, and of Hydra's mpiexec, from three tables. A table tells of each option
// whether it sets the placement, does not affect the placement, or is an error, with the reason; an option that is not in
// the table is an error, too. The package starts nothing, reads no file but that of hosts and no environment, and places no ranks.
package launch

import (
	_ "embed" // the tables of options
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hostlist"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Line is a launch line that was read.
type Line struct {
	Launcher string   // whose words these are: "srun", "mpirun of Open MPI"
	Ranks    int      // 0: as many as the line makes by itself
	Machines int      // 0: the line does not say
	Names    []string // of the machines; nil where the line does not say
	Idle     []string // the options without influence on where ranks run, as written
	Program  []string // the program and its arguments

	policy placement.Policy
	family *family

	slots     []int // of each machine, 0 for its cores; nil: the cores of all
	filed     bool  // a file names the machines
	capped    bool  // the file limits the slots
	perNode   int   // Hydra's -ppn
	modifiers []string
	pe        int
	hydraBind string
	hydraMap  string
	perGPU    int  // --cpus-per-gpu
	exclusive bool // srun's --exclusive or --exact
	guessed   bool // the words are those of two launchers, and the name does not tell which
}

// family is a launcher with its options.
type family struct {
	name    string
	program []string // file names of the launcher
	table   string
	long    bool // a name of several letters has one dash or two; otherwise it has two
	special map[string]reading
	policy  func(l *Line, t *hw.Topology) (placement.Policy, error)
}

//go:embed srun.txt
var srunTable string

//go:embed openmpi.txt
var openMPITable string

//go:embed hydra.txt
var hydraTable string

func families() []*family {
	return []*family{
		{name: "srun", program: []string{"srun"}, table: srunTable, special: srunReadings(), policy: (*Line).srun},
		{name: "mpirun of Open MPI", program: []string{"orterun", "prterun", "prun", "mpirun.openmpi", "mpiexec.openmpi",
			"mpirun", "mpiexec"}, table: openMPITable, long: true, special: openMPIReadings(), policy: (*Line).openMPI},
		{name: "mpiexec of Hydra", program: []string{"mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich", "mpirun.hydra",
			"mpirun", "mpiexec"}, table: hydraTable, long: true, special: hydraReadings(), policy: (*Line).hydra},
	}
}

// others are launchers whose lines the package does not read, with the reason.
var others = map[string]string{
	"jsrun":  "it places ranks by resource sets of a job: write a line of mpirun, such as mpirun -np 4 --map-by ppr:1:package",
	"aprun":  "ALPS is no longer in use: write a line of srun",
	"ibrun":  "the script of the site chooses the options: give the mpiexec or srun line that it starts",
	"sbatch": "it starts a script, not ranks: give the srun line of the script, behind the script's '#SBATCH ...' lines",
	"salloc": "it starts a shell, not ranks: give the srun line, with salloc's options",
	"flux":   "its options are unknown here: write a line of srun",
	"prte":   "it starts daemons, not ranks: give the prun line",
}

// Read reads the words of a launch line: settings such as OMP_NUM_THREADS=7 and "#SBATCH ..." lines first, then the
// launcher and its options, then the program.
func Read(words []string) (*Line, error) {
	var settings, batch []string
	rest := words
	for ; len(rest) > 0; rest = rest[1:] {
		name, _, set := strings.Cut(rest[0], "=")
		if text, ok := strings.CutPrefix(rest[0], "#SBATCH"); ok {
			text, _, _ = strings.Cut(text, " #")
			batch = append(batch, strings.Fields(text)...)
		} else if set && isName(name) {
			settings = append(settings, rest[0])
		} else if rest[0] != "env" {
			break
		}
	}
	if len(rest) == 0 {
		return nil, errors.New("write a launch line behind --, such as srun -n 8 ./app")
	}
	candidates, err := launchers(rest[0])
	if err != nil {
		return nil, err
	}
	if len(batch) > 0 && candidates[0].name != "srun" {
		return nil, fmt.Errorf("#SBATCH lines go before srun: %s does not read them", rest[0])
	}
	var lines []*Line
	var errs []error
	for _, f := range candidates {
		l, err := f.read(settings, batch, rest[1:])
		lines, errs = append(lines, l), append(errs, err)
	}
	return choose(lines, errs)
}

// choose returns the line as read by the first launcher that has all its options.
func choose(lines []*Line, errs []error) (*Line, error) {
	if len(lines) == 1 {
		return lines[0], errs[0]
	}
	var unknown *Unknown
	if errs[0] != nil && errors.As(errs[0], &unknown) && !errors.As(errs[1], new(*Unknown)) {
		return lines[1], errs[1]
	}
	if errs[0] == nil {
		lines[0].guessed = errs[1] == nil
	}
	return lines[0], errs[0]
}

func isName(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}) < 0
}

// launchers returns the launchers that may have that file name.
func launchers(file string) ([]*family, error) {
	name := path.Base(file)
	var list []*family
	var names []string
	for _, f := range families() {
		if slices.Contains(f.program, name) {
			list = append(list, f)
		}
		names = append(names, f.program...)
	}
	if list != nil {
		return list, nil
	}
	if why, known := others[name]; known {
		return nil, fmt.Errorf("%s is not supported: %s", name, why)
	}
	return nil, fmt.Errorf("%q is not a launcher: write a line of srun, mpirun or mpiexec behind --%s", file, spell.DidYouMean(name, names))
}

// Is reports whether a word is the name of a launcher whose lines can be read.
func Is(word string) bool {
	_, err := launchers(word)
	return err == nil
}

// Policy returns how the line places ranks on a topology that has the machines of the line.
func (l *Line) Policy(t *hw.Topology) (placement.Policy, error) { return l.family.policy(l, t) }

// Note names the launcher where it was guessed, how ranks are mapped where versions of Open MPI differ, and the options
// without effect; "" where there are none of these.
func (l *Line) Note() string {
	var parts []string
	if l.guessed {
		parts = append(parts, "read as "+l.Launcher+"; mpiexec.hydra names MPICH's launcher")
	}
	unmapped := l.family.table == openMPITable && l.policy.Rankfile == "" && strings.HasPrefix(l.policy.MapBy+":", ":")
	if unmapped && l.policy.BindTo != "none" && (l.Ranks == 0 || l.Ranks > 2 || l.pe > 1) {
		parts = append(parts, "without --map-by, ranks are mapped as Open MPI 5 maps them; Open MPI 4 maps by numa")
	}
	if len(l.Idle) > 0 {
		parts = append(parts, "without effect on where ranks run: "+strings.Join(l.Idle, ", "))
	}
	return strings.Join(parts, "; ")
}

// Unknown is the error for an option that the launcher does not have.
type Unknown struct{ text string }

func (e *Unknown) Error() string { return e.text }

// hosts reads names of machines with their slots: "a:8,b:8", or "a,a,b", where each mention is one slot.
func (l *Line) hosts(flag, text string) error {
	if l.filed {
		return errTwice
	}
	for _, piece := range strings.Split(text, ",") {
		name, slots, with := strings.Cut(piece, ":")
		n := 1
		if with && slots != "*" && slots != "auto" {
			var err error
			if n, err = count(slots); err != nil {
				return fmt.Errorf("%s %q: write the number of slots behind the colon of %s", flag, text, name)
			}
		}
		if name == "" || strings.ContainsAny(name, "[]") {
			return fmt.Errorf("%s %q: want names of hosts, such as a:8,b:8", flag, text)
		}
		if with && (slots == "*" || slots == "auto") {
			return fmt.Errorf("%s %q: only a launcher knows the slots of %s: give the number", flag, text, name)
		}
		l.host(name, n)
	}
	return nil
}

// nodeNames reads Slurm's list of hosts, cn[01-04].
func (l *Line) nodeNames(flag, text string) error {
	const most = 1 << 20
	names, err := hostlist.Expand(text, most)
	if err != nil {
		return fmt.Errorf("%s %q: %w", flag, text, err)
	}
	if l.Names = names; l.Machines == 0 {
		l.Machines = len(names)
	}
	return nil
}
