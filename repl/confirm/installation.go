package confirm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
)

// Installation is a library's mpirun and the compiler that belongs to it.
type Installation struct {
	Mpirun, Compiler string

	words []string // that stand before the program
}

// ranksMark in a launcher's words stands for the number of ranks; without the mark, -n and the number follow the words.
const ranksMark = "{n}"

// Launched returns the installation of a launcher with its words: srun -N 2, or mpirun.mpich -hosts node0:2,node1:2.
// Words that are paths of files become absolute, because the launcher runs in another folder.
func Launched(launcher []string) (*Installation, error) {
	at, err := find("--launcher", launcher[0])
	if err != nil {
		return nil, err
	}
	for _, w := range launcher[1:] {
		if strings.ContainsRune(w, filepath.Separator) {
			if _, err := os.Stat(w); err == nil {
				if w, err = filepath.Abs(w); err != nil {
					return nil, err
				}
			}
		}
		at.words = append(at.words, w)
	}
	if !slices.ContainsFunc(at.words, func(w string) bool { return strings.Contains(w, ranksMark) }) {
		at.words = append(at.words, "-n", ranksMark)
	}
	return at, nil
}

// command returns the words behind mpirun that start a program on a number of ranks.
func (i *Installation) command(ranks int, program ...string) []string {
	words := i.words
	if len(words) == 0 {
		words = []string{"-n", ranksMark}
	}
	var list []string
	for _, w := range words {
		list = append(list, strings.ReplaceAll(w, ranksMark, strconv.Itoa(ranks)))
	}
	return append(list, program...)
}

// starters are the names of mpirun, the usual ones first; Debian appends the library's name.
var starters = []string{"mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "mpiexec.hydra"}

// find looks for an mpirun, in PATH unless the name has a folder, and for mpicc in the same folder, with
// the same ending: Debian's mpirun.mpich goes with mpicc.mpich. It follows links one by one, because
// Debian's mpirun is a link to mpirun.openmpi, and Debian's mpicc may belong to another library. Its error names the
// flag that gave the name.
func find(flag, mpirun string) (*Installation, error) {
	names := starters
	if mpirun != "" {
		names = []string{mpirun}
	}
	var missing []string
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		compilers := CompilersOf(path)
		for _, c := range compilers {
			if _, err := exec.LookPath(c); err == nil {
				return &Installation{Mpirun: path, Compiler: c}, nil
			}
		}
		missing = append(missing, fmt.Sprintf("%s has no compiler beside it: there is no %s", path, compilers[0]))
	}
	switch {
	case len(missing) > 0:
		return nil, fmt.Errorf("%s (Debian has it in libopenmpi-dev or libmpich-dev)", missing[0])
	case mpirun != "":
		return nil, fmt.Errorf("%s %s: there is no such program", flag, mpirun)
	}
	return nil, fmt.Errorf("no MPI is installed: there is no %s in PATH; --mpirun PATH names one elsewhere", strings.Join(starters[:2], " or "))
}

// CompilersOf lists where the compiler of an mpirun may be, the likeliest first.
func CompilersOf(mpirun string) []string {
	var list, plain []string
	for path, links := mpirun, 0; links < 10; links++ {
		dir, base := filepath.Split(path)
		if strings.HasPrefix(base, "mpi") {
			switch ending := strings.ReplaceAll(filepath.Ext(base), ".exe", ""); ending {
			case "":
				plain = append(plain, filepath.Join(dir, "mpicc"))
			case ".hydra":
				list = append(list, filepath.Join(dir, "mpicc.mpich"), filepath.Join(dir, "mpicc"))
			default:
				list = append(list, filepath.Join(dir, "mpicc"+ending))
			}
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	if list = append(list, plain...); len(list) == 0 { // a starter of another name
		list = []string{filepath.Join(filepath.Dir(mpirun), "mpicc"), "mpicc"}
	}
	return list
}

// mostSaid is how much of a failing program's output is reported, in bytes.
const mostSaid = 600

// build compiles a program. The error of a compiler that fails has the beginning of its output.
func (i *Installation) build(ctx context.Context, file, made, dir string, libraries ...string) error {
	c := exec.CommandContext(ctx, i.Compiler, append([]string{"-std=c11", "-o", made, file}, libraries...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	own(c)
	said := &beginning{most: 1 << 16}
	c.Stdout, c.Stderr, c.WaitDelay = said, said, reapDelay
	c.Cancel = func() error { return killGroup(c) }
	ended, err := start(c)
	if err == nil {
		err = <-ended
	}
	if err != nil {
		return fmt.Errorf("%s does not build the program: %w%s", i.Compiler, err, first(string(said.text)))
	}
	return nil
}

// first returns the beginning of a program's output, after a newline; "" for no output.
func first(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if len(text) > mostSaid {
		text = strings.ToValidUTF8(text[:mostSaid], "") + " ..."
	}
	return "\n" + text
}

// Library is the MPI that a program ran under, as the library itself says.
type Library struct {
	deviation.Release
	standard engine.Std // the version of the standard that it was compiled for
}
