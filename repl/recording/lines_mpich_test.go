//go:build linux

package recording_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// command runs a program, which must succeed.
func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// separate moves the symbols of a program into a separate file, and leaves that file's name in the program.
func separate(t *testing.T, binary, to string) {
	t.Helper()
	debug := binary + ".debug"
	command(t, "objcopy", "--only-keep-debug", binary, debug)
	command(t, "objcopy", "--strip-all", "--add-gnu-debuglink="+debug, binary)
	switch to {
	case "gone":
		if err := os.Remove(debug); err != nil {
			t.Fatal(err)
		}
	case "other":
		f, err := os.OpenFile(debug, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("more")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	default:
		there := filepath.Join(filepath.Dir(binary), fmt.Sprintf(to, filepath.Base(binary)))
		if err := errors.Join(os.MkdirAll(filepath.Dir(there), 0o700), os.Rename(debug, there)); err != nil {
			t.Fatal(err)
		}
	}
}

// Places have lines however the program and its libraries were linked: at any or at fixed addresses, with compressed
// tables of lines, or with tables in a separate file, found by build id or by checksum. Without that file, places have
// no lines; a file of another build is not used.
func TestLinesMPICH(t *testing.T) {
	t.Parallel()
	cc, run := judge.Ask(t, "mpicc.mpich"), judge.Ask(t, "mpiexec.hydra")
	judge.Ask(t, "objcopy")
	dir := t.TempDir()
	source, lib := filepath.Join(dir, "recorder.c"), filepath.Join(dir, "librecorder.so")
	if err := os.WriteFile(source, []byte(recorder.C()), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, cc, "-O2", "-shared", "-fPIC", "-o", lib, source, "-ldl")
	const lines, none = "in_library, lines.c:9 < main, lines.c:16|main, lines.c:17", "in_library < app|app"
	for _, c := range []struct {
		name     string
		flags    []string
		separate string // where the tables go, beside the program; "": they stay in the program
		want     string
	}{
		{"plain", []string{"-g"}, "", lines},
		{"fixed", []string{"-g", "-no-pie"}, "", lines},
		{"compressed", []string{"-g", "-gdwarf-4", "-gz=zlib"}, "", lines},
		{"separate", []string{"-g", "-gz=zlib"}, ".debug/%s.debug", lines},
		{"by check sum", []string{"-g", "-Wl,--build-id=none"}, "%s.debug", lines},
		{"another build", []string{"-g", "-Wl,--build-id=none"}, "other", none},
		{"stripped", []string{"-g"}, "gone", none},
	} {
		dir := t.TempDir()
		library, app, archive := filepath.Join(dir, "libmade.so"), filepath.Join(dir, "app"), filepath.Join(dir, "app.tar")
		command(t, cc, append(slices.Clone(c.flags), "-DLIBRARY", "-shared", "-fPIC", "-o", library, "testdata/lines.c")...)
		command(t, cc, append(slices.Clone(c.flags), "-o", app, "testdata/lines.c", library, "-Wl,-rpath,"+dir)...)
		if c.separate != "" {
			separate(t, library, c.separate)
			separate(t, app, c.separate)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		launch := exec.CommandContext(ctx, run, "-n", "1", "-env", "LD_PRELOAD", lib, "-env", "COMMSPLIT_RECORD", archive, app)
		if out, err := launch.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		r, err := recording.Read(t.Context(), archive)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range r.Uses() {
			var frames []string
			for _, f := range u.Site.Frames {
				text, _, _ := strings.Cut(f.Full(), "+0x") // addresses are the compiler's
				frames = append(frames, text)
			}
			got = append(got, strings.Join(frames, " < "))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}
