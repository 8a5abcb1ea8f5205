package placement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw"
)

// The modifiers of each flag, as they are completed and listed in messages.
var (
	mapModifiers  = []string{"pe=N", "span", "oversubscribe", "nooversubscribe", "hwtcpus", "corecpus"}
	rankModifiers = []string{"span", "fill"}
	bindModifiers = []string{"overload-allowed", "no-overload", "if-supported"}
)

// contrary are the modifiers that exclude each other.
var contrary = [][2]string{
	{"oversubscribe", "nooversubscribe"}, {"hwtcpus", "corecpus"},
	{"overload-allowed", "no-overload"}, {"span", "fill"},
}

// modifiers are those of a directive; the value of pe is its number, that of
// others 1.
type modifiers map[string]int

// modifiers reads the parts after the word.
func (d directive) modifiers(known []string) (modifiers, error) {
	set := modifiers{}
	for _, part := range d.parts {
		name, value, valued := strings.Cut(part, "=")
		full, err := d.modifier(name, known)
		if err != nil {
			return nil, err
		}
		number, bare := 1, strings.TrimSuffix(full, "=N")
		switch {
		case full != bare:
			if number, err = strconv.Atoi(value); err != nil || number < 1 || number > hw.MaxIndex {
				return nil, fmt.Errorf("%s %q: %s wants a number of CPUs of at least 1, such as %s=2",
					d.flag, d.text, bare, bare)
			}
		case valued:
			return nil, fmt.Errorf("%s %q: %s takes no value", d.flag, d.text, bare)
		}
		if old, ok := set[bare]; ok && old != number {
			return nil, fmt.Errorf("%s %q: %s is given twice", d.flag, d.text, bare)
		}
		set[bare] = number
	}
	for _, c := range contrary {
		if set[c[0]] > 0 && set[c[1]] > 0 {
			return nil, fmt.Errorf("%s %q: %s and %s contradict each other", d.flag, d.text, c[0], c[1])
		}
	}
	return set, nil
}

// modifier is the one that a name is or begins.
func (d directive) modifier(name string, known []string) (string, error) {
	var hits []string
	for _, full := range known {
		if bare := strings.TrimSuffix(full, "=N"); bare == name {
			return full, nil
		} else if name != "" && strings.HasPrefix(bare, name) {
			hits = append(hits, full)
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		return "", fmt.Errorf("%s %q: modifier %q is ambiguous: %s", d.flag, d.text, name,
			strings.Join(hits, ", "))
	case name == "":
		return "", fmt.Errorf("%s %q: a modifier is missing after the colon: %s", d.flag, d.text,
			strings.Join(known, ", "))
	}
	return "", fmt.Errorf("%s %q: there is no modifier %q: use %s", d.flag, d.text, name,
		strings.Join(known, ", "))
}

// has reports whether a modifier was given.
func (m modifiers) has(name string) bool { return m[name] > 0 }

// first is the first of the names that was given, or "".
func (m modifiers) first(names ...string) string {
	if i := slices.IndexFunc(names, m.has); i >= 0 {
		return names[i]
	}
	return ""
}
