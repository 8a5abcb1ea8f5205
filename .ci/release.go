// Release builds the archives of a version for all systems, with manual pages and completions, and their
// checksums. The same commit gives the same bytes on every machine with the same Go:
//
//	go run .ci/release.go 0.2.0 DIR
//
// It needs Go and git alone. A version that ends with -snapshot may be built from files that are not committed.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
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

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go run .ci/release.go VERSION DIR")
	}
	if err := release(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func release(version, dir string) error {
	changes, err := output(nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" && !strings.HasSuffix(version, "-snapshot") {
		return errors.New("there are files that are not committed: commit them, or build a VERSION-snapshot")
	}
	stamp, err := output(nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return err
	}
	when := time.Unix(seconds, 0).UTC()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	common, err := shared(work, version)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		program := "commsplit"
		if goos == "windows" {
			program += ".exe"
		}
		if err := build(filepath.Join(work, program), version, goos, goarch); err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(work, program))
		if err != nil {
			return err
		}
		name := fmt.Sprintf("commsplit-%s-%s-%s", version, goos, goarch)
		files := append(slices.Clone(common), file{program, 0o755, data})
		archive, suffix := tarball, ".tar.gz"
		if goos == "windows" {
			archive, suffix = zipped, ".zip"
		}
		packed, err := archive(name, files, when)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+suffix), packed, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(packed), name+suffix)
		fmt.Printf("%s  %.1f MB, program %.1f MB\n", name+suffix, float64(len(packed))/1e6, float64(len(data))/1e6)
	}
	return os.WriteFile(filepath.Join(dir, "commsplit-"+version+"-checksums.txt"), []byte(sums.String()), 0o644)
}

// build makes the program of a system: without C, without paths of this machine.
func build(to, version, goos, goarch string) error {
	_, err := output([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS="},
		"go", "build", "-trimpath", "-ldflags", "-s -w -buildid= -X commsplit/cmd.release="+version, "-o", to, ".")
	return err
}

// shared is the files of every archive. The program of this machine writes manual pages and completions.
func shared(work, version string) ([]file, error) {
	program := filepath.Join(work, "native")
	if _, err := output([]string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags", "-X commsplit/cmd.release="+version, "-o", program, "."); err != nil {
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

func tarball(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		head := &tar.Header{Name: path.Join(folder, f.name), Mode: f.mode, Size: int64(len(f.data)), ModTime: when, Format: tar.FormatPAX}
		if err := t.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}

func zipped(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		head := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: when}
		head.SetMode(os.FileMode(f.mode))
		w, err := z.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, bytes.NewReader(f.data)); err != nil {
			return nil, err
		}
	}
	err := z.Close() // which writes the directory
	return b.Bytes(), err
}
