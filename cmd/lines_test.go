package cmd_test

import (
	"cmp"
	"encoding/json"
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
