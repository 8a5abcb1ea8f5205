package document

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/render/schema"
)

// The shapes of documents that are written piece by piece.
type (
	runShape struct {
		Version       int               `json:"version"`
		World         worldDoc          `json:"world"`
		Ranks         []rankDoc         `json:"ranks"`
		Communicators []communicatorDoc `json:"communicators"`
		Variables     object            `json:"variables"`
		Output        []outputDoc       `json:"output"`
		Expectations  expectationsDoc   `json:"expectations"`
		Errors        []errorDoc        `json:"errors"`
		Deadlock      *deadlockDoc      `json:"deadlock"`
		Trace         []stepDoc         `json:"trace"`
		Unfinished    []unfinishedDoc   `json:"unfinished"`
		Stopped       []stopDoc         `json:"stopped,omitempty"`
		Choices       []choiceDoc       `json:"choices,omitempty"`
		Leaks         []leakDoc         `json:"leaks,omitempty"`
		As            asDoc             `json:"as,omitzero"`
	}
	verifyShape struct {
		Version   int          `json:"version"`
		Machine   string       `json:"machine"`
		Findings  int          `json:"findings"`
		Rules     []ruleDoc    `json:"rules"`
		Follows   *string      `json:"follows"`
		Against   string       `json:"against"`
		Cgroup    *string      `json:"cgroup"`
		Types     []objectsDoc `json:"types"`
		Witnesses []witnessDoc `json:"witnesses"`
		Memory    []memoryDoc  `json:"memory"`
		Devices   []placedDoc  `json:"devices"`
		Pins      []pinDoc     `json:"pins"`
		Notes     []string     `json:"notes"`
	}
	objectShape struct {
		objectDoc
		Distances  []matrixDoc   `json:"distances,omitempty"`
		Attributes []memAttrDoc  `json:"memory_attributes,omitempty"`
		Devices    []deviceDoc   `json:"devices,omitempty"`
		Memory     []objectShape `json:"memory"`
		Children   []objectShape `json:"children"`
	}
)

// shapes are the documents, but for the lines of a run.
var shapes = map[string]any{
	"run": runShape{}, "hw-verify": verifyShape{}, "hw-show": objectShape{}, "hw-map": []bindingDoc{},
	"hw-diff": comparisonDoc{}, "hw-fleet": fleetDoc{}, "hw-list": []Preset{}, "version": Version{}, "examples": []Example{}, "confirm": Confirmation{}, "replay": Replay{}, "practice": Grading{},
}

// lineShapes are the lines by their type, which is a property besides.
var lineShapes = map[string]any{
	"world": worldLine{}, "rank": rankDoc{}, "communicator": communicatorDoc{}, "output": outputDoc{},
	"step": stepDoc{}, "named": namedDoc{}, "freed": freedDoc{}, "variable": variableDoc{},
	"failure": failureDoc{}, "error": errorDoc{}, "raised": errorDoc{}, "deadlock": deadlockDoc{}, "unfinished": unfinishedDoc{}, "stopped": stopDoc{}, "choice": choiceDoc{}, "leak": leakDoc{}, "as": asDoc{},
	"end": endDoc{},
}

// nilLists are the lists that are null when there is nothing; others are empty.
var nilLists = []string{"communicatorDoc.group", "communicatorDoc.remote_group", "setsDoc.sets"}

// The schemas and the types that are written are the same: properties, types, what may be null, what
// may be left out. Every property has a description, and no object takes others.
func TestSchemasAreTheTypes(t *testing.T) {
	t.Parallel()
	for _, name := range schema.Names() {
		root := fragment{}
		if err := json.Unmarshal([]byte(schema.Text(name)), &root); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w := &shapeWalk{T: t, root: root, seen: map[reflect.Type]bool{}}
		if name != "run-line" {
			shape, ok := shapes[name]
			if !ok {
				t.Fatalf("the schema %s is of no document", name)
			}
			w.check(name, root, reflect.TypeOf(shape))
			continue
		}
		var kinds []string
		for _, branch := range root["oneOf"].([]any) {
			b := w.resolved(branch.(fragment))
			kind, _ := b.at("properties").at("type")["const"].(string)
			kinds = append(kinds, kind)
			shape, ok := lineShapes[kind]
			if !ok {
				t.Fatalf("no line has the type %q", kind)
			}
			w.fields(name+":"+kind, b, reflect.TypeOf(shape), "type")
		}
		if len(kinds) != len(lineShapes) {
			t.Errorf("the schema of lines has %q", kinds)
		}
	}
	if n := len(schema.Names()); n != len(shapes)+1 {
		t.Errorf("%d schemas for %d documents and the lines", n, len(shapes))
	}
}

// fragment is a piece of a schema.
type fragment map[string]any

func (n *fragment) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*n = fragments(v).(fragment)
	return nil
}

// fragments makes fragments of all objects.
func fragments(v any) any {
	switch v := v.(type) {
	case map[string]any:
		n := fragment{}
		for k, x := range v {
			n[k] = fragments(x)
		}
		return n
	case []any:
		for i := range v {
			v[i] = fragments(v[i])
		}
	}
	return v
}

func (n fragment) at(key string) fragment {
	sub, _ := n[key].(fragment)
	return sub
}

// shapeWalk goes through a schema and a type side by side.
type shapeWalk struct {
	*testing.T
	root fragment
	seen map[reflect.Type]bool
}

// resolved is a schema with what it refers to; properties and required of both count.
func (w *shapeWalk) resolved(n fragment) fragment {
	ref, ok := n["$ref"].(string)
	if !ok {
		return n
	}
	target := w.root.at("$defs").at(strings.TrimPrefix(ref, "#/$defs/"))
	if target == nil {
		w.Fatalf("nothing is at %s", ref)
	}
	all := fragment{}
	for k, v := range w.resolved(target) {
		all[k] = v
	}
	for k, v := range n {
		switch k {
		case "properties":
			both := fragment{}
			for name, p := range all.at(k) {
				both[name] = p
			}
			for name, p := range v.(fragment) {
				both[name] = p
			}
			all[k] = both
		case "required":
			list, _ := all[k].([]any)
			all[k] = slices.Concat(list, v.([]any))
		default:
			all[k] = v
		}
	}
	return all
}

// admits lists the types that a schema lets through.
func (w *shapeWalk) admits(n fragment) []string {
	n = w.resolved(n)
	var list []string
	for _, v := range append(slices.Clone(asList(n["enum"])), asList(n["const"])...) {
		list = append(list, map[reflect.Kind]string{reflect.String: "string", reflect.Float64: "integer"}[reflect.ValueOf(v).Kind()])
	}
	for _, v := range asList(n["type"]) {
		list = append(list, v.(string))
	}
	for _, v := range asList(n["anyOf"]) {
		if _, both := n["type"]; !both {
			list = append(list, w.admits(v.(fragment))...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// asList is v as a list: nothing, one, or several.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// wants are the types of a value of a Go type, without null.
func wants(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Uint64:
		return "integer"
	case reflect.Slice:
		if typ == reflect.TypeFor[object]() || typ == reflect.TypeFor[json.RawMessage]() {
			return "object"
		}
		return "array"
	}
	return "object"
}

func (w *shapeWalk) same(path string, want, got []string) {
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		w.Errorf("%s (-type +schema): %s", path, d)
	}
}

// check compares a schema with a type.
func (w *shapeWalk) check(path string, n fragment, typ reflect.Type) {
	if typ.Kind() == reflect.Interface {
		return // what a rank holds, of several types
	}
	want := []string{}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
		want = append(want, "null")
	}
	if slices.ContainsFunc(nilLists, func(l string) bool { return strings.HasSuffix(path, l) }) {
		want = append(want, "null")
	}
	w.same(path, append(want, wants(typ)), w.admits(n))
	switch {
	case typ.Kind() == reflect.Struct:
		w.fields(path, w.present(n), typ)
	case wants(typ) == "array":
		w.check(path+"[]", w.resolved(n).at("items"), typ.Elem())
	case wants(typ) == "object" && w.resolved(n).at("additionalProperties") == nil:
		w.Errorf("%s: the schema does not say what the values are", path)
	}
}

// present is the schema of what is not null.
func (w *shapeWalk) present(n fragment) fragment {
	n = w.resolved(n)
	for _, v := range asList(n["anyOf"]) {
		if v := v.(fragment); v["type"] != "null" {
			return w.resolved(v)
		}
	}
	return n
}

// fields compares the properties of an object with the fields of a struct, and others that it has.
func (w *shapeWalk) fields(path string, n fragment, typ reflect.Type, others ...string) {
	if n["additionalProperties"] != false && n["unevaluatedProperties"] != false {
		w.Errorf("%s takes any properties", path)
	}
	if w.seen[typ] && len(others) == 0 {
		return
	}
	w.seen[typ] = true
	all, always := slices.Clone(others), slices.Clone(others)
	for _, f := range flat(typ) {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		all = append(all, name)
		if option == "" {
			always = append(always, name)
		}
		p := n.at("properties").at(name)
		if p == nil {
			continue // told below
		}
		w.check(f.owner+"."+name, p, f.Type)
	}
	var named, required []string
	for name, p := range n.at("properties") {
		named = append(named, name)
		if text, _ := w.resolved(p.(fragment))["description"].(string); !strings.HasSuffix(text, ".") {
			w.Errorf("%s.%s has no description, or no sentence: %q", path, name, text)
		}
	}
	for _, name := range asList(n["required"]) {
		required = append(required, name.(string))
	}
	slices.Sort(named)
	slices.Sort(required)
	w.same(path+": properties", all, named)
	w.same(path+": required", always, required)
}

// flatField is a field and the struct that it is written in.
type flatField struct {
	reflect.StructField
	owner string
}

// flat lists the fields of a struct and of those that it embeds.
func flat(typ reflect.Type) []flatField {
	var list []flatField
	for f := range typ.Fields() {
		inner := f.Type
		if f.Anonymous {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			list = append(list, flat(inner)...)
		} else {
			list = append(list, flatField{f, typ.Name()})
		}
	}
	return list
}
