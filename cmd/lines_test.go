package cmd_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lists are the lists of a document by the lines that tell their elements.
var lists = map[string]string{
	"communicator": "communicators", "output": "output", "step": "trace", "error": "errors", "leak": "leaks", "unfinished": "unfinished",
}

// rebuilt makes the document of a run from its lines, and holds the numbers of the last line against it.
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

// fresh is the document when its world begins.
func fresh(world map[string]any) map[string]any {
	doc := map[string]any{"version": world["version"], "world": world, "ranks": []any{}, "communicators": []any{},
		"variables": map[string]any{}, "output": []any{}, "failures": []any{}, "errors": []any{}, "unfinished": []any{}, "deadlock": nil, "trace": []any{}}
	delete(world, "version")
	return doc
}

// take takes in one line.
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
	case "raised": // the document does not tell what a program caught
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

// Lines come in the order in which things happened: the error that a program catches between two notes, who was
// blocked before that is taken back, and then the world without it.
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

// kinds is the types of lines, without those that describe the world.
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
