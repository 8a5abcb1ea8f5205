package render

import (
	"reflect"
	"slices"
	"strings"
)

// check holds a schema against a type.
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

// fields holds the properties of an object against the fields of a struct, and others that it has.
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
