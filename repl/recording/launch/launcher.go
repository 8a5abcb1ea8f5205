// Package launch runs a launcher's command, such as mpirun -n 4 ./app, with the recorder of applications in its ranks.
//
// Model: a command is words. One of them is the launcher; how that one passes variables on to ranks is a row of a
// table. The compiler that belongs to the launcher's MPI builds the recorder once, into a cache, and the launcher gets
// the two variables that load it and name its archive. Nothing else of the command changes. The package reads no
// recordings: what comes of them is in repl/replay.
package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	lines "codeberg.org/commsplit/commsplit/hw/launch"
)

// way tells how launchers of a kind give their ranks variables.
type way struct {
	library string                       // the MPI that these launchers belong to; "" for launchers of clusters, which start any
	names   []string                     // base names that leave no doubt
	version *regexp.Regexp               // what the others of the kind say of themselves; nil: the name says all
	behind  string                       // a word of the launcher, behind which its options begin
	each    bool                         // each program behind a ":" has options of its own
	give    func(vars []string) []string // nil: srun's, which looks at what is there
}

// ways has all kinds of launchers. Where several kinds share a name, the launcher's --version decides.
var ways = []way{
	{library: "Open MPI", names: []string{"orterun", "prterun", "prun", "mpirun.openmpi", "mpiexec.openmpi"},
		version: regexp.MustCompile(`(?i)open mpi|openrte|prrte|prterun`), each: true, give: written("-x", "VARIABLE")},
	{library: "MPICH", names: []string{"mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra"},
		version: regexp.MustCompile(`(?i)hydra|intel\(r\) mpi|mvapich`), give: written("-genv", "NAME", "VALUE")},
	{version: regexp.MustCompile(`(?i)pals|mpiexec version`), give: written("--env", "VARIABLE")},
	{names: []string{"srun"}}, // see exported
	{names: []string{"flux"}, behind: "run", give: written("--env=VARIABLE")},
	{names: []string{"jsrun"}, give: written("-E", "VARIABLE")},
	{names: []string{"aprun"}, give: written("-e", "VARIABLE")},
}

// shared lists the names that several kinds of launchers share.
var shared = []string{"mpirun", "mpiexec"}

// written returns a function that writes each variable as words of a launcher. VARIABLE stands for NAME=VALUE.
func written(words ...string) func([]string) []string {
	return func(vars []string) (list []string) {
		for _, v := range vars {
			name, value, _ := strings.Cut(v, "=")
			puts := strings.NewReplacer("VARIABLE", v, "NAME", name, "VALUE", value)
			for _, w := range words {
				list = append(list, puts.Replace(w))
			}
		}
		return list
	}
}

// Command is a command whose ranks get the recorder.
type Command struct {
	Words []string
	at    int  // index of the launcher; -1: the command starts its only process itself
	way   *way // nil: the variables are those of the command itself
	path  string
}

// Read finds the launcher among the words of a command. version returns what a launcher prints for --version.
func Read(words []string, version func(path string) string) (*Command, error) {
	if len(words) == 0 {
		return nil, errors.New("record -- needs a command: commsplit record -- mpirun -n 4 ./app")
	}
	c := &Command{Words: words, at: slices.IndexFunc(words, isLauncher)}
	if i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "LD_PRELOAD") }); i >= 0 {
		return nil, fmt.Errorf("%s: the command gives LD_PRELOAD itself, which record gives, too: set it in the environment instead, "+
			"to which record adds", words[i])
	}
	name := words[max(c.at, 0)]
	path, err := exec.LookPath(name)
	if err != nil && c.at < 0 && isSource(name) {
		return nil, fmt.Errorf("%s is not a program that starts: write the launcher before it, commsplit record -- mpirun -n 4 %s", name, name)
	}
	if err != nil {
		return nil, &Missing{name}
	}
	if c.path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if c.at < 0 {
		return c, nil
	}
	base := filepath.Base(name)
	for i := range ways {
		w := &ways[i]
		if slices.Contains(w.names, base) || slices.Contains(shared, base) && w.version != nil && w.version.MatchString(version(c.path)) {
			c.way = w
			return c, c.checkWay()
		}
	}
	return nil, fmt.Errorf("%s is of an MPI that record does not know: its --version names neither Open MPI nor Hydra; "+
		"build the recorder with commsplit record --to c, and load it as this launcher passes variables on", name)
}

// checkWay returns an error where the word that must follow the launcher's name is missing.
func (c *Command) checkWay() error {
	if c.way.behind != "" && (c.at+1 == len(c.Words) || c.Words[c.at+1] != c.way.behind) {
		return fmt.Errorf("%s: want %s %s, which starts the ranks of one program", c.Words[c.at], c.Words[c.at], c.way.behind)
	}
	return nil
}

// start returns the index of the first word behind the launcher.
func (c *Command) start() int {
	if c.way != nil && c.way.behind != "" {
		return c.at + 2
	}
	return c.at + 1
}

func isLauncher(word string) bool {
	base := filepath.Base(word)
	return slices.Contains(shared, base) || slices.ContainsFunc(ways, func(w way) bool { return slices.Contains(w.names, base) })
}

// With returns the words of the command with variables for the ranks, NAME=VALUE; nil for a command without a
// launcher, whose own environment takes them.
func (c *Command) With(vars []string) []string {
	if c.way == nil {
		return nil
	}
	start := c.start()
	list := slices.Clone(c.Words[:start])
	rest := c.Words[start:]
	if c.way.give == nil {
		return append(list, exported(rest, vars)...)
	}
	list = append(list, c.way.give(vars)...)
	for _, w := range rest {
		list = append(list, w)
		if w == ":" && c.way.each {
			list = append(list, c.way.give(vars)...)
		}
	}
	return list
}

// exported replaces srun's own --export, or what SLURM_EXPORT_ENV says, by one with more variables, in front of the
// other words. A value without ALL passes no other variables on.
func exported(words, vars []string) []string {
	own, rest := os.Getenv("SLURM_EXPORT_ENV"), slices.Clone(words)
	for i, w := range words {
		if w == "--export" && i+1 < len(words) {
			own, rest = words[i+1], slices.Delete(rest, i, i+2)
			break
		}
		if value, is := strings.CutPrefix(w, "--export="); is {
			own, rest = value, slices.Delete(rest, i, i+1)
			break
		}
	}
	switch own {
	case "":
		own = "ALL"
	case "NONE", "NIL":
		own = ""
	}
	if own != "" {
		vars = append([]string{own}, vars...)
	}
	return append([]string{"--export=" + strings.Join(vars, ",")}, rest...)
}

// isSource reports whether a word names a file that must be compiled.
func isSource(word string) bool { return languageOf(word) != nil }

// programs returns the indexes of the words that name the programs of ranks: in each part between ":", the first word
// behind the options that names a source or a program. For a launcher without a table of options, the value of an
// option may be taken for the program, if it names one.
func (c *Command) programs() (list []int) {
	found := false
	for i := c.start(); i < len(c.Words); i++ {
		switch w := c.Words[i]; {
		case w == ":":
			found = false
		case found:
		case strings.HasPrefix(w, "-"):
			if c.way != nil && len(c.way.names) > 0 {
				i += lines.Values(c.way.names[0], w)
			}
		case isSource(w) && isFile(w), runs(w):
			list, found = append(list, i), true
		}
	}
	return list
}

// isFile reports whether a word names a regular file.
func isFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}

// runs reports whether a word names a program: a file that can be executed, here or in PATH.
func runs(word string) bool {
	if info, err := os.Stat(word); err == nil {
		return info.Mode().IsRegular() && info.Mode()&0o111 != 0
	}
	_, err := exec.LookPath(word)
	return err == nil
}
