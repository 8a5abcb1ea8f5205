package cmd_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"commsplit/render/schema"
)

// maps are the objects with names of the user's, or of the call's; they take more of them.
var maps = []string{"variables", "psets", "hw_info", "args"}

// optional are the properties that may be missing, nullable those that may be null.
var (
	optional = []string{"run.leaks", "run.as", "hw-map[].host", "hw-show.name", "hw-show.bytes", "hw-show.kind", "hw-show.devices"}
	nullable = regexp.MustCompile(`(\.(topology|context|op|parent|group|remote_group|resource|pset|call|comm|made_by|deadlock|` +
		`os_index|numa_node|bus_id|vendor|model|sets|error|why|follows|cgroup|broken\[\]\.pu|files\[\]\.value|devices\[\]\.(bus|node|verdict)|` +
		`variables\.\*\[\]|variables\.\*\[\]\[\]|held\[\]|held\[\]\[\]|args\.\*\[\]|` +
		`findings\[\]\.(handle|step|rule))|(run\.ranks\[\]|:rank)\.(host|cpuset)|(leaks\[\]|:leak)\.where|:end\.leaks)$`)
)

// mutant is a way to spoil one value of a document, and to mend it again.
type mutant struct {
	what  string
	spoil func() (mend func())
}

// spoiler goes through documents and spoils one value of each kind: a path without numbers.
type spoiler struct {
	t     *testing.T
	check func() error
	seen  map[string]bool
}

// try spoils a value, and wants the schema to see it.
func (s *spoiler) try(m mutant) {
	s.t.Helper()
	mend := m.spoil()
	if s.check() == nil {
		s.t.Errorf("the schema takes a document with %s", m.what)
	}
	mend()
}

// nested are the hardware objects below others, which have what all have.
var nested = regexp.MustCompile(`^hw-show\.(children|memory)\[\]`)

// value spoils v, which set replaces.
func (s *spoiler) value(path string, v any, set func(any)) {
	path = nested.ReplaceAllString(path, "hw-show")
	replaced := func(what string, by any) {
		s.try(mutant{path + " " + what, func() func() { set(by); return func() { set(v) } }})
	}
	if !s.seen[path] {
		s.seen[path] = true
		replaced("= 1.5", json.Number("1.5"))
		if !nullable.MatchString(path) {
			replaced("= null", nil)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		s.object(path, v)
	case []any:
		for i := range v {
			s.value(path+"[]", v[i], func(x any) { v[i] = x })
		}
	}
}

// object spoils the members of an object.
func (s *spoiler) object(path string, v map[string]any) {
	free := slices.Contains(maps, path[strings.LastIndexByte(path, '.')+1:])
	if !s.seen[path+"{}"] {
		s.seen[path+"{}"] = true
		s.try(mutant{path + ".unknown", func() func() { v["unknown"] = json.Number("1"); return func() { delete(v, "unknown") } }})
	}
	for name, member := range v {
		at := path + "." + name
		if free {
			at = path + ".*"
		} else if !s.seen[at] && !slices.Contains(optional, at) {
			s.try(mutant{"no " + at, func() func() { delete(v, name); return func() { v[name] = member } }})
		}
		s.value(at, member, func(x any) { v[name] = x })
	}
}

// compared is what confirm can say, of a library that nobody has.
const compared = `{"version": 1, "verdict": "difference", "library": "MPI 1.0", "ranks": 2, "constructors": 2, "handles": 1, "erroneous_calls": 0,
 "findings": [
  {"kind": "known", "handle": "half", "ranks": "0-1", "step": 1, "call": "MPI_Comm_split", "where": "demo.py:2", "expected": "[1,0]", "found": "[0,1]",
   "deviations": [{"deviation": "negative-color", "step": 0, "call": "MPI_Comm_split", "where": "demo.py:2", "text": "no error",
                   "rule": "any color is good", "section": "MPI-5.0 §7.4.2", "source": "MPI 1.0"}], "rule": null},
  {"kind": "free", "handle": null, "ranks": "1", "step": null, "call": null, "where": "", "expected": "MPI_ERR_ARG", "found": "no error",
   "deviations": [], "rule": "the library may find it or not [MPI-5.0 §9.3]"}],
 "not_compared": [{"what": ["node"], "why": "the hardware decides"}], "deadlock": "DEADLOCK on world"}`

// A schema that takes anything is none: without any one property, with one more, with a value of
// another type or a null that is not allowed there, a document is refused. Every property that a schema
// names is spoiled.
func TestSchemasRefuseMutants(t *testing.T) {
	t.Parallel()
	s := &spoiler{t: t, seen: map[string]bool{}}
	spoil := func(name, path, text string) {
		doc := []any{parsed(t, text)}
		s.check = func() error { return schemas()[name].Validate(doc[0]) }
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		s.value(path, doc[0], func(x any) { doc[0] = x })
	}
	for _, d := range documents {
		if !slices.Contains(d.args, "frontier") { // which has nothing new, and much of it
			spoil(d.schema, d.schema, d.text(t))
		}
	}
	spoil("confirm", "confirm", compared)
	for _, args := range runsOf {
		args = args[:len(args):len(args)]
		spoil("run", "run", run(t, "", append(args, "-o", "json")...).out)
		for line := range strings.Lines(run(t, "", append(args, "-o", "jsonl")...).out) {
			spoil("run-line", "run-line:"+parsed(t, line).(map[string]any)["type"].(string), line)
		}
	}
	for _, name := range schema.Names() {
		for _, path := range properties(t, name) {
			if !s.seen[path] {
				t.Errorf("no document has %s", path)
			}
		}
	}
}

// wrong are texts and numbers of the right type that mean nothing, by the properties of lines.
var wrong = map[string][]string{
	"world":        {`"std": "6.0"`, `"size": 0`, `"version": 2`, `"psets": {"a": [-1]}`},
	"rank":         {`"cpuset": "0-"`, `"cpuset": "1,,2"`, `"cpuset": "0x1"`, `"hw_info": {"Core": "true"}`, `"hw_info": {"hwloc://Core": "yes"}`},
	"communicator": {`"kind": "both"`, `"resource": "Core"`, `"op": "split"`, `"id": -1`, `"where": "demo.py:0"`},
	"step":         {`"ranks": ""`, `"ranks": "0 1"`, `"ranks": "01"`, `"step": 0`, `"args": {"color": [0, "a"]}`, `"args": {"color": []}`},
	"error":        {`"class": "MPI_ERR_NOSUCH"`, `"class": "MPI_SUCCESS"`, `"rule": "§7.4.2"`, `"rule": "MPI-5.0"`},
	"end":          {`"exit": 6`, `"steps": -1`},
	"deadlock":     {`"waiting": []`},
	"nothing":      {`"comm": 2`},
}

// The last of two properties of one name counts: a line with a wrong one behind the others is refused.
func TestSchemasRefuseWrongWords(t *testing.T) {
	t.Parallel()
	lines := map[string]string{"nothing": `{"type": "nothing"}`}
	for _, args := range runsOf {
		for line := range strings.Lines(run(t, "", append(args[:len(args):len(args)], "-o", "jsonl")...).out) {
			lines[parsed(t, line).(map[string]any)["type"].(string)] = strings.TrimSpace(line)
		}
	}
	for kind, list := range wrong {
		for _, property := range list {
			line := strings.TrimSuffix(lines[kind], "}") + ", " + property + "}"
			if schemas()["run-line"].Validate(parsed(t, line)) == nil {
				t.Errorf("the schema takes %s", line)
			}
		}
	}
}

// properties lists the paths of all properties that a schema names.
func properties(t *testing.T, name string) []string {
	root := parsed(t, schema.Text(name)).(map[string]any)
	var list []string
	var below func(path string, n map[string]any, within []string)
	below = func(path string, n map[string]any, within []string) {
		sub := func(path string, v any) {
			if n, ok := v.(map[string]any); ok {
				below(path, n, within)
			}
		}
		named, _ := n["properties"].(map[string]any)
		if kind, ok := named["type"].(map[string]any); ok && kind["const"] != nil {
			path = fmt.Sprintf("%s:%s", path, kind["const"])
		}
		if ref, ok := n["$ref"].(string); ok && !slices.Contains(within, ref) {
			def := root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")]
			below(path, def.(map[string]any), append(slices.Clone(within), ref))
		}
		for name, p := range named {
			list = append(list, path+"."+name)
			sub(path+"."+name, p)
		}
		sub(path+"[]", n["items"])
		for _, key := range []string{"oneOf", "anyOf"} {
			branches, _ := n[key].([]any)
			for _, b := range branches {
				sub(path, b)
			}
		}
	}
	below(name, root, nil)
	return list
}
