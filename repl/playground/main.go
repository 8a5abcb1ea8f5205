// Command playground writes the playground, a page in which sessions run without an installation, into a folder that
// any web server can serve, below any path: go run ./repl/playground DIR. It builds the engine as WebAssembly with
// the Go toolchain in PATH.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/repl/playground/site"
)

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./repl/playground DIR\n\nIt writes the playground into DIR, a folder for a web server.")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(5)
	}
}

// engine is the name of the engine's packed file: a plain server sends the file as it is, and the page unpacks it.
const engine = "commsplit.wasm.gz"

// write writes the folder, and prints the sizes of its files.
func write(dir string) error {
	list := site.Files(site.Worker)
	runtime, err := support()
	if err != nil {
		return err
	}
	list["wasm_exec.js"] = runtime
	wasm, err := built()
	if err != nil {
		return err
	}
	if list[engine], err = packed(wasm); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if err := wholefile.Write(filepath.Join(dir, name), list[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%9d  %s\n", len(list[name]), name)
	}
	fmt.Printf("The engine has %.2f MB, packed %.2f MB. To try it: python3 -m http.server -d %s\n",
		float64(len(wasm))/1e6, float64(len(list[engine]))/1e6, dir)
	fmt.Println("How long the first prompt and a line take in Chromium: JUDGE=1 go test -v -run ChromiumSpeed ./repl/playground")
	return nil
}

const module = "codeberg.org/commsplit/commsplit"

// smaller are flags of the compiler, the last that matches a package counts: without inlining a package is smaller and
// slower. Inlined are only two packages in which a line spends its time: the panes, and the machine that runs C programs.
// With the engine, hw and render inlined, lines take as long, and the whole is 3 % larger.
var smaller = []string{
	module + "/...=-l", module + "/render/page=", module + "/repl/machine=",
	"debug/...=-l", "encoding/...=-l", "github.com/...=-l", "math/big=-l", "archive/tar=-l", "compress/...=-l", "net/...=-l",
	"reflect=-l", "fmt=-l", "regexp/...=-l", "time=-l",
	"go.starlark.net/internal/compile=-l", "go.starlark.net/resolve=-l", "go.starlark.net/syntax=-l",
}

// built builds the engine as WebAssembly.
func built() ([]byte, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "engine.wasm")
	args := []string{"build", "-trimpath", "-ldflags", "-s -w"}
	for _, flag := range smaller {
		args = append(args, "-gcflags", flag)
	}
	build := exec.Command("go", append(args, "-o", file, module+"/repl/playground/wasm")...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.ReadFile(file)
}

// support returns the JavaScript that a Go program in WebAssembly needs, from the toolchain that builds the program.
func support() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var errs []error
	for _, at := range []string{"lib/wasm", "misc/wasm"} { // misc/wasm before Go 1.24
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), at, "wasm_exec.js"))
		if err == nil {
			return text, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// packed packs a file with gzip, into the same bytes every time.
func packed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
