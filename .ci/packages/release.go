// Command packages builds what is published of a version: archives for all systems with manual pages and completions,
// packages for Debian (.deb) and for Red Hat and SUSE (.rpm), images for containers, recipes for Homebrew and Spack that
// install the archives, and the checksums of all these. The same commit gives the same bytes on every machine with the
// same Go; nothing needs root, a Docker or rpmbuild.
//
// It is a module of its own, so that what it imports is none of the program's. A version is the one that the tag of
// the commit and CHANGELOG.md name; one that ends with -snapshot may be built from any files.
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// systems is what releases are built for. Windows gets a zip, the others a tar.gz.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// shells is the name of the file in which each shell looks for completions.
var shells = map[string]string{"bash": "commsplit.bash", "zsh": "_commsplit", "fish": "commsplit.fish", "powershell": "commsplit.ps1"}

// file is a file of an archive.
type file struct {
	name string // below the folder of the archive
	mode int64
	data []byte
}

// build is a version that is being built.
type build struct {
	version string
	module  string    // the path of the module, which is the address of the project without https://
	when    time.Time // the time of the commit
	dir     string    // where the results go
	sums    []sum     // of what was written
}

// sum is a file that was written, with its checksum.
type sum struct {
	name string
	hash string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: .ci/release VERSION DIR")
	}
	if err := release(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func release(version, dir string) error {
	top, err := output(nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if err := os.Chdir(top); err != nil {
		return err
	}
	if err := released(version); err != nil {
		return err
	}
	stamp, err := output(nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return err
	}
	module, err := output(nil, "go", "list", "-m")
	if err != nil {
		return err
	}
	b := &build{version: version, module: module, when: time.Unix(seconds, 0).UTC(), dir: dir}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	common, err := b.shared(work)
	if err != nil {
		return err
	}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		if err := b.system(work, goos, goarch, common); err != nil {
			return err
		}
	}
	if err := errors.Join(b.write("commsplit.rb", b.formula()), b.write("package.py", b.recipe())); err != nil {
		return err
	}
	var list strings.Builder
	for _, s := range b.sums {
		fmt.Fprintf(&list, "%s  %s\n", s.hash, s.name)
	}
	return os.WriteFile(filepath.Join(dir, "commsplit-"+version+"-checksums.txt"), []byte(list.String()), 0o644)
}

// released reports whether this commit is that version: the tag and the changelog say so, and nothing was changed since.
func released(version string) error {
	if strings.HasSuffix(version, "-snapshot") {
		return nil
	}
	changes, err := output(nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return errors.New("there are files that are not committed: commit them, or build a VERSION-snapshot")
	}
	tags, err := output(nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	if !slices.Contains(strings.Fields(tags), "v"+version) {
		return fmt.Errorf("this commit has no tag v%s: git tag v%s", version, version)
	}
	log, err := os.ReadFile("CHANGELOG.md")
	if err == nil && !strings.Contains(string(log), "\n## ["+version+"]") {
		err = fmt.Errorf("CHANGELOG.md has no heading [%s]", version)
	}
	return err
}

// system builds the program of a system and what is installed from there: an archive, and for Linux packages and images.
func (b *build) system(work, goos, goarch string, common []file) error {
	program := "commsplit"
	if goos == "windows" {
		program += ".exe"
	}
	at := filepath.Join(work, program)
	args := []string{"build", "-trimpath", "-buildvcs=true", "-tags", withoutHTTP2, "-ldflags", "-s -w -funcalign=16 -buildid= " + b.stamp(), "-o", at}
	for _, packages := range inlining {
		args = append(args, "-gcflags="+packages)
	}
	_, err := output([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS="}, "go", append(args, ".")...)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	fmt.Printf("%s/%s: program of %.1f MB\n", goos, goarch, float64(len(data))/1e6)
	if len(data) > largest {
		return fmt.Errorf("the program for %s/%s has %d bytes: more than %d", goos, goarch, len(data), largest)
	}
	files := append(slices.Clone(common), file{program, 0o755, data})
	name := fmt.Sprintf("commsplit-%s-%s-%s", b.version, goos, goarch)
	switch goos {
	case "windows":
		return b.pack(name+".zip", func() ([]byte, error) { return zipped(name, files, b.when) })
	case "linux":
		err = errors.Join(
			b.pack(name+".deb", func() ([]byte, error) { return b.deb(goarch, installed(files)) }),
			b.pack(name+".rpm", func() ([]byte, error) { return b.rpm(goarch, installed(files)) }),
			b.pack(name+"-image.tar", func() ([]byte, error) { return b.image(goarch, installed(files)) }))
	}
	return errors.Join(err, b.pack(name+".tar.gz", func() ([]byte, error) { return tarball(name, files, b.when) }))
}

// withoutHTTP2 leaves out half a megabyte of net/http: browsers speak HTTP/2 over TLS only, and commsplit serve has none.
const withoutHTTP2 = "nethttpomithttp2"

// inlining tells by flags of the compiler which packages have no function inlined, -l; the last pattern that matches a
// package counts. Inlining makes a program a tenth larger. Without it a start takes a millisecond more, a million ranks a
// twentieth more time, and the slowest of a hundred keys of the terminal UI as long as before: the engine keeps it, and
// what runs for each of many ranks or characters.
var inlining = []string{"all=-l", "./engine=", "runtime/...=", "internal/...=", "sync/...=", "strings=", "bytes=", "unicode/...=", "fmt=",
	"strconv=", "slices=", "maps=", "iter=", "math/bits=", "bufio=", "io/...=", "os/...=", "go.starlark.net/...=",
	"github.com/charmbracelet/...=", "github.com/mattn/...=", "github.com/rivo/...=", "github.com/clipperhouse/...="}

// largest is how many bytes a program may have. Of the 20.2 MB for linux/amd64, 9.5 are machine code, 6.5 its line tables
// and 3.7 constants; 2 of all are net/http with TLS, of which commsplit serve needs the former. Functions that begin at
// multiples of 16 bytes instead of 32 (-funcalign) save 0.2.
const largest = 20 << 20

// stamp returns the linker's flag that gives the program its version.
func (b *build) stamp() string { return "-X " + b.module + "/cmd.release=" + b.version }

// pack makes a file and writes it.
func (b *build) pack(name string, bytes func() ([]byte, error)) error {
	data, err := bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return b.write(name, data)
}

// write writes a file into the folder, and notes its checksum.
func (b *build) write(name string, data []byte) error {
	b.sums = append(b.sums, sum{name, fmt.Sprintf("%x", sha256.Sum256(data))})
	fmt.Printf("  %s  %.1f MB\n", name, float64(len(data))/1e6)
	return os.WriteFile(filepath.Join(b.dir, name), data, 0o644)
}

// hash returns the checksum of a written file.
func (b *build) hash(name string) string {
	for _, s := range b.sums {
		if s.name == name {
			return s.hash
		}
	}
	panic(name + " was not built") // the systems of recipes are among those of archives
}

// shared returns the files that every archive has. The program of this machine writes manual pages and completions.
func (b *build) shared(work string) ([]file, error) {
	program := filepath.Join(work, "native")
	if _, err := output([]string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags", b.stamp(), "-o", program, "."); err != nil {
		return nil, err
	}
	var list []file
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, file{name, 0o644, data})
	}
	theirs, err := licenses()
	if err != nil {
		return nil, err
	}
	list = append(list, file{"THIRD-PARTY.txt", 0o644, theirs})
	pages := filepath.Join(work, "man")
	if _, err := output(nil, program, "man", "--dir", pages); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(pages, "*.1"))
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		list = append(list, file{"man/man1/" + filepath.Base(p), 0o644, data})
	}
	for shell, name := range shells {
		text, err := output(nil, program, "completion", shell)
		if err != nil {
			return nil, err
		}
		list = append(list, file{"completions/" + name, 0o644, []byte(text + "\n")})
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// output runs a program with more environment and returns what it prints, without the last end of line.
func output(environment []string, program string, args ...string) (string, error) {
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), environment...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
