package cmd_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// lists are the lists of a document by the type of the lines that have their elements.
var lists = map[string]string{
	"communicator": "communicators", "output": "output", "step": "trace", "error": "errors", "leak": "leaks", "unfinished": "unfinished", "stopped": "stopped", "choice": "choices",
}

// rebuilt makes the document of a run from its lines, and compares the last line's counts with the document.
func rebuilt(t *testing.T, r result) map[string]any {
	t.Helper()
	var doc map[string]any
	var end map[string]any
	for line := range strings.Lines(r.out) {
		l := parsed(t, line).(map[string]any)
		kind := l["type"].(string)
		delete(l, "type")
		switch {
		case end != nil:
			t.Fatalf("a line follows the last one: %s", line)
		case kind == "end":
			end = l
		case kind == "world":
			doc = fresh(l)
		case doc == nil:
			t.Fatalf("a line comes before that of the world: %s", line)
		default:
			take(t, doc, kind, l)
		}
	}
	if end == nil {
		t.Fatalf("the last line is missing:\n%s", r.out)
	}
	expected := map[string]any{"passed": end["passed"], "failed": end["failed"], "failures": doc["failures"]}
	doc["expectations"] = expected
	delete(doc, "failures")
	if doc["leaks"] == nil && end["leaks"] != nil {
		doc["leaks"] = []any{}
	}
	slices.SortFunc(doc["communicators"].([]any), func(a, b any) int { return cmp.Compare(numberOf(a, "id"), numberOf(b, "id")) })
	counted := map[string]any{"communicators": "communicators", "output": "output", "errors": "errors", "steps": "trace", "unfinished": "unfinished", "leaks": "leaks"}
	for name, list := range counted {
		if told, ok := end[name].(json.Number); ok && numberOf(end, name) != len(doc[list.(string)].([]any)) {
			t.Errorf("the last line tells %s %s", told, name)
		}
	}
	if numberOf(end, "exit") != int(r.code) || numberOf(end, "variables") != len(doc["variables"].(map[string]any)) ||
		numberOf(end, "failed") != len(expected["failures"].([]any)) {
		t.Errorf("the exit code is %d; the last line is %v", r.code, end)
	}
	return doc
}

// fresh returns the document when its world begins.
func fresh(world map[string]any) map[string]any {
	doc := map[string]any{"version": world["version"], "world": world, "ranks": []any{}, "communicators": []any{},
		"variables": map[string]any{}, "output": []any{}, "failures": []any{}, "errors": []any{}, "unfinished": []any{}, "deadlock": nil, "trace": []any{}}
	delete(world, "version")
	return doc
}

// take adds one line to the document.
func take(t *testing.T, doc map[string]any, kind string, l map[string]any) {
	t.Helper()
	switch kind {
	case "rank":
		ranks := doc["ranks"].([]any)
		if r := numberOf(l, "rank"); r < len(ranks) {
			ranks[r] = l
		} else {
			doc["ranks"] = append(ranks, l)
		}
	case "named", "freed":
		list := doc["communicators"].([]any)
		i := slices.IndexFunc(list, func(c any) bool { return numberOf(c, "id") == numberOf(l, "comm") })
		if kind == "freed" {
			list[i].(map[string]any)["freed"] = true
		} else {
			list[i].(map[string]any)["name"] = l["name"]
		}
	case "variable":
		doc["variables"].(map[string]any)[l["name"].(string)] = l["held"]
	case "failure":
		doc["failures"] = append(doc["failures"].([]any), l)
	case "raised": // the document has no errors that a program caught
	case "deadlock", "as":
		doc[kind] = l
	default:
		list, ok := lists[kind]
		if !ok {
			t.Fatalf("a line has the type %s", kind)
		}
		before, _ := doc[list].([]any)
		doc[list] = append(before, l)
	}
}

func numberOf(v any, name string) int {
	n, _ := v.(map[string]any)[name].(json.Number).Int64()
	return int(n)
}

// Lines come in the order of events: a caught error between two notes; and when lines of the script are taken
// back, first the blocked ranks, then the fresh world.
func TestLinesOfErrorsInOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "order.py")
	script := "note(\"before\")\nexpect_error(MPI.ERR_RANK, lambda: MPI.COMM_WORLD.send(1, dest=9))\nnote(\"behind\")\n"
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := kinds(t, run(t, "", "run", path, "-n", "2", "-o", "jsonl")), "world output before, raised, output behind, end"; got != want {
		t.Errorf("the lines are %s, not %s", got, want)
	}
	want := "world output a, raised, output b, deadlock, world output a, raised, output b, output c, end"
	if got := kinds(t, run(t, "note \"a\"\nexpect_error MPI.ERR_RANK (lambda: world.send(1,dest=9))\n@0 note \"b\"\n"+
		"@0 barrier world\nexpect_deadlock\nnote \"c\"\n", "run", "-", "-n", "2", "-o", "jsonl")); got != want {
		t.Errorf("the lines are %s, not %s", got, want)
	}
}

// kinds returns the types of lines, without those that describe the world.
func kinds(t *testing.T, r result) string {
	t.Helper()
	var list []string
	for line := range strings.Lines(r.out) {
		l := parsed(t, line).(map[string]any)
		switch kind := l["type"].(string); kind {
		case "rank", "communicator":
		case "output":
			list = append(list, "output "+l["text"].(string))
		default:
			list = append(list, kind)
		}
	}
	return strings.ReplaceAll(strings.Join(list, ", "), "world, ", "world ")
}

// endless is a program that never ends by itself.
const endless = "while True:\n    c = MPI.COMM_WORLD.Dup()\n    c.Free()\n"

// lineWriter passes each line to a function, which may refuse the line.
type lineWriter struct {
	line func(string) error
	all  bytes.Buffer
}

func (w *lineWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if err := w.line(line); err != nil {
			return 0, err
		}
	}
	return w.all.Write(p)
}

// streams runs an endless program whose lines go to a function.
func streams(ctx context.Context, line func(string) error) (w *lineWriter, code cmd.Code, errs string) {
	w = &lineWriter{line: line}
	var b bytes.Buffer
	s := cmd.Streams{In: strings.NewReader(""), Out: w, Err: &b, Getenv: func(string) string { return "" }}
	code = cmd.Run(ctx, s, []string{"-n", "3", "--topo", "core:3", "-o", "jsonl", "-c", endless})
	return w, code, b.String()
}

// Lines come while the program runs: the lines of an endless program are seen, and when the program is
// interrupted after a while, the last line has the interruption.
func TestLinesComeAtOnce(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	w, code, errs := streams(ctx, func(line string) error {
		if strings.HasPrefix(line, `{"type": "step", "step": 100,`) {
			interrupt()
		}
		return nil
	})
	if code != cmd.Interrupted || errs != "interrupted\n" {
		t.Errorf("code %d, %q", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(w.all.String()), "\n")
	for _, line := range lines {
		valid(t, "run-line", line)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"type": "end", "exit": 130, `) {
		t.Errorf("the last line is %s", last)
	}
}

// A program ends when nobody can read its lines any more: with exit code 5, and no last line.
func TestLinesNobodyReads(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, at := range []string{`{"type": "world"`, `{"type": "step", "step": 50,`} {
		w, code, errs := streams(t.Context(), func(line string) error {
			if strings.HasPrefix(line, at) {
				return full
			}
			return nil
		})
		if code != cmd.IO || errs != "error: standard output: no space left on device\n" {
			t.Errorf("code %d, %q", code, errs)
		}
		if strings.Contains(w.all.String(), `"end"`) {
			t.Error("something was written behind the gap")
		}
	}
}

// Lines come in the order of events. After a world is left, or lines of the script are taken back, comes the
// line of a fresh world; the line before names the blocked ranks.
func TestLinesInOrder(t *testing.T) {
	t.Parallel()
	types := func(args ...string) string {
		var list []string
		for line := range strings.Lines(run(t, "", append([]string{"-n", "1", "--topo", "core:1", "-o", "jsonl"}, args...)...).out) {
			list = append(list, parsed(t, line).(map[string]any)["type"].(string))
		}
		return strings.Join(list, " ")
	}
	const begin, dup, end = "world rank communicator", " step communicator ", " end"
	for _, c := range []struct {
		want string
		args []string
	}{
		{begin + dup + "variable" + end, []string{"-c", "x = dup world"}},
		{begin + dup + "deadlock " + begin + dup + "output variable" + end, []string{"-c", "x = dup world", "-c", "world.recv()", "-c", "expect_deadlock", "-c", "print(1)"}},
		{begin + dup + "step freed " + begin + dup + "variable" + end, []string{"-c", "x = dup world", "-c", "free x", "-c", ".undo"}},
		{begin + dup + begin + end, []string{"-c", "x = dup world", "-c", ".world 1"}},
		{begin + dup + begin + end, []string{"-c", "x = dup world", "-c", ".undo"}},
		{begin + " output step output" + end, []string{"-c", "print(1)\nworld.Barrier()\nprint(2)"}},
		{begin + dup + "step rank step named communicator step output variable" + end, []string{
			"-c", "x = dup world", "-c", "bind 0 0", "-c", "name x \"x\"", "-c", "MPI.COMM_SELF.Barrier()", "-c", "print(1)"}},
		{begin + dup + begin + " " + begin + dup + "variable" + end, []string{"-c", "x = dup world", "-c", ".undo", "-c", ".redo"}},
	} {
		if got := types(c.args...); got != c.want {
			t.Errorf("%q: %s, not %s", c.args, got, c.want)
		}
	}
}
