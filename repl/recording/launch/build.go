package launch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/repl/confirm"
)

// Missing is the error for a part of MPI that is not on this machine.
type Missing struct{ what string }

// Error names what is missing, and the packages that bring it.
func (m *Missing) Error() string { return "there is no " + m.what + " here: " + packages(m.what) }

// Failed is the error of a compiler that cannot build the recorder.
type Failed struct{ error }

// packages returns which packages bring a program of MPI.
func packages(what string) string {
	base := filepath.Base(what)
	switch {
	case slices.Contains(ways[0].names, base), strings.HasSuffix(base, ".openmpi"):
		return "it comes with " + openMPI
	case slices.Contains(ways[1].names, base), strings.HasSuffix(base, ".mpich"):
		return "it comes with " + mpich
	case base == "srun":
		return "it comes with slurm-client of Debian, slurm of Fedora and Spack; mpirun starts the same program without it"
	case slices.Contains(shared, base), strings.HasPrefix(base, "mpi"):
		return "Open MPI has it, " + openMPI + ", and MPICH, " + mpich + "; on a cluster, a module has"
	}
	return "it is not in PATH; write ./" + base + " for a program in this folder"
}

const (
	openMPI = "openmpi-bin and libopenmpi-dev of Debian and Ubuntu, openmpi-devel of Fedora, openmpi of Spack"
	mpich   = "mpich and libmpich-dev of Debian and Ubuntu, mpich-devel of Fedora, mpich of Spack"
)

// compilers lists the compilers of C that may belong to the MPI of the command.
func (c *Command) compilers() []string {
	if c.way != nil && c.way.library != "" {
		return confirm.CompilersOf(c.path)
	}
	return []string{"mpicc", "mpicc.openmpi", "mpicc.mpich", "cc"}
}

// language is a programming language, with the endings of its files.
type language struct {
	endings, compilers []string // compilers: what stands for mpicc, the usual name first
	cray               string   // what stands for cc
	last               []string // words at the end of a command of the compiler
}

var languages = []language{
	{[]string{".c"}, []string{"mpicc"}, "cc", []string{"-lm"}},
	{[]string{".cc", ".cpp", ".cxx", ".C"}, []string{"mpicxx", "mpic++"}, "CC", nil},
	{[]string{".f90", ".F90", ".f03", ".f08", ".f", ".F"}, []string{"mpifort", "mpif90"}, "ftn", nil},
}

// languageOf returns the language of a file, nil for a file that is not a source.
func languageOf(file string) *language {
	i := slices.IndexFunc(languages, func(l language) bool { return slices.Contains(l.endings, filepath.Ext(file)) })
	if i < 0 {
		return nil
	}
	return &languages[i]
}

// beside returns the compiler of a language that belongs to one of C.
func (l *language) beside(cc string) (string, error) {
	dir, base := filepath.Split(cc)
	names := []string{l.cray}
	if ending, is := strings.CutPrefix(base, "mpicc"); is {
		names = nil
		for _, name := range l.compilers {
			names = append(names, name+ending)
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(dir + name); err == nil {
			return path, nil
		}
	}
	return "", &Missing{dir + names[0]}
}

// compile compiles a source to a program with debug lines. The error has what the compiler said.
func compile(ctx context.Context, cc, source, program string) error {
	l := languageOf(source)
	compiler, err := l.beside(cc)
	if err != nil {
		return err
	}
	said, err := output(ctx, compiler, slices.Concat([]string{"-g", source, "-o", program}, l.last)...)
	if err != nil {
		return fmt.Errorf("%s does not compile %s: %w%s", filepath.Base(compiler), source, err, indented(said))
	}
	return nil
}

// library returns the recorder, built by the compiler of the command's MPI. A cached recorder is used while the
// recorder's source, the compiler and its mpi.h are the same. Of several compilers, library takes the first whose MPI
// is that of the program.
func (c *Command) library(ctx context.Context, cache string) (file, cc string, err error) {
	program, uses := c.uses()
	var missing, others []string
	var failed error
	for _, name := range c.compilers() {
		path, err := exec.LookPath(name)
		if err != nil {
			missing = append(missing, name)
			continue
		}
		if file, err = build(ctx, path, cache); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		has := librariesOf(file)
		if len(uses) == 0 || slices.ContainsFunc(uses, func(u string) bool { return slices.Contains(has, u) }) {
			return file, path, nil
		}
		others = append(others, fmt.Sprintf("%s builds for %s", path, strings.Join(has, ", ")))
		if c.way != nil && c.way.library != "" {
			break // a launcher starts only programs of its own MPI
		}
	}
	switch {
	case len(others) > 0:
		return "", "", fmt.Errorf("%s uses %s, which is another MPI than that of %s: %s", program, strings.Join(uses, ", "),
			c.Words[max(c.at, 0)], strings.Join(others, "; "))
	case failed != nil:
		return "", "", failed
	}
	return "", "", &Missing{missing[0]}
}

// mpiLibraries lists the beginnings of the names of MPI libraries, which programs of C and Fortran share.
var mpiLibraries = []string{"libmpi.so", "libmpich.so", "libmpi_cray.so"}

// librariesOf returns the MPI libraries that a program or library of ELF needs.
func librariesOf(file string) (list []string) {
	f, err := elf.Open(file)
	if err != nil {
		return nil // a script, or a program of another system
	}
	defer f.Close()
	all, _ := f.ImportedLibraries() // none: a static program
	return slices.DeleteFunc(all, func(name string) bool {
		return !slices.ContainsFunc(mpiLibraries, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// uses returns the MPI libraries of the first program of the command that names some.
func (c *Command) uses() (program string, libraries []string) {
	for _, i := range c.programs() {
		word := c.Words[i]
		if _, err := os.Stat(word); err != nil {
			word, _ = exec.LookPath(word)
		}
		if libraries := librariesOf(word); len(libraries) > 0 {
			return c.Words[i], libraries
		}
	}
	return "", nil
}

// build returns the recorder that a compiler makes, in the folder of the cache.
func build(ctx context.Context, cc, cache string) (string, error) {
	dir, err := os.MkdirTemp("", "commsplit-record-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	probe := filepath.Join(dir, "mpi.c")
	if err := os.WriteFile(probe, []byte("#include <mpi.h>\n"), 0o600); err != nil {
		return "", err
	}
	header, err := output(ctx, cc, "-E", "-P", probe)
	if err != nil {
		return "", &Failed{fmt.Errorf("%s finds no mpi.h: %w%s", cc, err, indented(header))}
	}
	file := filepath.Join(cache, "recorder-"+key(cc, header)+".so")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	source := filepath.Join(dir, "recorder.c")
	if err := errors.Join(os.MkdirAll(cache, 0o700), os.WriteFile(source, []byte(recorder.C()), 0o600)); err != nil {
		return "", err
	}
	made, err := os.CreateTemp(cache, "recorder-*.tmp") // in the same folder, to be renamed
	if err != nil {
		return "", err
	}
	made.Close()
	defer os.Remove(made.Name())
	said, err := output(ctx, cc, "-shared", "-fPIC", "-O2", "-o", made.Name(), source, "-ldl")
	if err == nil {
		err = errors.Join(os.Chmod(made.Name(), 0o700), os.Rename(made.Name(), file))
	}
	if err != nil {
		return "", &Failed{fmt.Errorf("%s does not build the recorder: %w%s", cc, err, indented(said))}
	}
	return file, nil
}

// key identifies a recorder, by its source, the compiler, and the text of mpi.h.
func key(cc string, header []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(recorder.C()), []byte(cc), header} {
		fmt.Fprintf(h, "%d\n%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// cacheFolder returns the folder for recorders that were built.
func cacheFolder() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the recorder: set XDG_CACHE_HOME (%w)", err)
	}
	return filepath.Join(dir, "commsplit"), nil
}

// output runs a compiler and returns all of its output.
func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second
	said, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return said, err
}

// mostLines is how many lines of a compiler's output are shown.
const mostLines = 20

// indented returns the beginning of a compiler's output, indented for the lines below an error.
func indented(said []byte) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(bytes.TrimSpace(said)), "?")), "\n")
	for i, line := range lines {
		if i == mostLines {
			return b.String() + fmt.Sprintf("\n    ... and %d lines more", len(lines)-i)
		}
		if line != "" {
			b.WriteString("\n    " + line)
		}
	}
	return b.String()
}
