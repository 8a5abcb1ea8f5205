package placement

import (
	"slices"
	"strings"
)

// srunWords are what srun's flags take; what a number or list follows ends with = or :.
var srunWords = map[string][]string{
	"distribution": {"block:block", "block:cyclic", "block:fcyclic", "cyclic:block", "cyclic:cyclic", "cyclic:fcyclic", "plane="},
	"cpu-bind":     {"none", "threads", "cores", "sockets", "ldoms", "map_cpu:", "mask_cpu:"},
	"hint":         {"nomultithread", "multithread"},
}

// Words are what the flags map-by, rank-by and bind-to take on any topology,
// without modifiers; nil for another flag.
func Words(flag string) []string {
	var words []string
	for _, w := range objectWords {
		words = append(words, w.word)
	}
	switch flag {
	case "map-by":
		return append([]string{"slot", "ppr:N:OBJECT"}, words...)
	case "rank-by":
		return append([]string{"slot", "fill", "span"}, words...)
	case "bind-to":
		return append([]string{"none"}, words...)
	}
	return nil
}

// Modifiers are what may follow the words of those flags after a colon.
func Modifiers(flag string) []string {
	return map[string][]string{
		"map-by": mapModifiers, "rank-by": rankModifiers, "bind-to": bindModifiers,
	}[flag]
}

// Complete lists what a value of a flag may become that begins with a text:
// a word, or after a colon a modifier that is not there yet.
func Complete(flag, text string) []string {
	if words := srunWords[flag]; words != nil {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, text) })
	}
	at := strings.LastIndexByte(text, ':') + 1
	options := Words(flag)
	switch parts := strings.Split(strings.ToLower(text), ":"); {
	case parts[0] == "ppr" && len(parts) == 2:
		options = []string{"1:", "2:"}
	case parts[0] == "ppr" && len(parts) == 3:
		options = Words(flag)[2:] // objects only
	case at > 0:
		options = Modifiers(flag)
	default:
		for i, w := range options {
			options[i] = strings.TrimSuffix(w, "N:OBJECT")
		}
	}
	var list []string
	for _, o := range options {
		o = strings.TrimSuffix(o, "N") // the number of pe=N is the user's
		there := strings.Contains(strings.ToLower(text[:at]), ":"+o)
		if strings.HasPrefix(o, strings.ToLower(text[at:])) && !there {
			list = append(list, text[:at]+o)
		}
	}
	return list
}
