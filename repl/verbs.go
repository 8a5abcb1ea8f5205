package repl

import (
	_ "embed" // the table
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// table is the table of verbs and meta commands; its first lines explain it.
//
//go:embed language.txt
var table string

// Verbs and MetaCommands are the rows of the table, in the order of the help.
var Verbs, MetaCommands = readTable()

// readTable reads the table. A mistake in the table is a panic, which every test meets.
func readTable() (verbs []*Verb, metas []*MetaCommand) {
	text := strings.ReplaceAll(table, "\n\t", " ")
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || word == "#":
		case word == "verb":
			verbs = append(verbs, &Verb{Name: rest, check: checkArguments[rest]})
		case word == "meta":
			name, args, _ := strings.Cut(rest, " ")
			metas = append(metas, &MetaCommand{Name: name, Args: args})
		case metas == nil:
			verbs[len(verbs)-1].read(word, rest)
		default:
			metas[len(metas)-1].read(word, rest)
		}
	}
	return verbs, metas
}

// resultNames and kindNames are the words of the table for the kinds of result and of parameter.
var (
	resultNames = []string{"nothing", "communicator", "info", "value"}
	kindNames   = []string{"value", "communicator", "number", "text", "group", "type", "resource", "pset", "info", "parts", "function",
		"handle", "ranks", "cpuset"}
)

// oneOf returns the place of a word of the table in a list.
func oneOf(list []string, word string) int {
	i := slices.Index(list, word)
	if i < 0 {
		panic("repl: language.txt has the word " + word + ", which is none of " + strings.Join(list, ", "))
	}
	return i
}

// read takes in a line of the table about the verb.
func (v *Verb) read(word, rest string) {
	switch word {
	case "makes":
		v.Makes = Result(oneOf(resultNames, rest))
	case "calls":
		call, ok := engine.CallNamed(rest)
		if !ok {
			panic("repl: language.txt has " + rest + ", which is not a call of the engine")
		}
		v.Call = call
	case "shell":
		v.OneShot = true
	case "checks":
		v.checks = true
	case "short":
		v.Short = rest
	case "long":
		v.Long = rest
	case "after":
		v.After = rest
	case "example":
		v.Example = rest
	case "tells":
		v.tells = rest
	case "param":
		name, kind, _ := strings.Cut(rest, " ")
		kind, help, _ := strings.Cut(kind, ": ")
		name, value, _ := strings.Cut(name, "=")
		v.Params = append(v.Params, Param{name, ParamKind(oneOf(kindNames, kind)), value, help})
	case "text":
		when, text, conditional := strings.Cut(strings.TrimPrefix(rest, "["), "] ")
		if !conditional || !strings.HasPrefix(rest, "[") {
			when, text = "", rest
		}
		v.statements = append(v.statements, statement{when, text})
	default:
		panic("repl: language.txt has a line " + word + " for the verb " + v.Name)
	}
}

// read takes in a line of the table about the meta command.
func (m *MetaCommand) read(word, rest string) {
	switch word {
	case "looks":
		m.looks = looks(oneOf([]string{"never", "alone", "always"}, rest))
	case "force":
		m.Forces = true
	case "short":
		m.Short = rest
	case "long":
		m.Long = strings.Replace(rest, "{views}", views(), 1)
	default:
		panic("repl: language.txt has a line " + word + " for ." + m.Name)
	}
}

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func IsVerb(word string) bool { return FindVerb(word) != nil }

func VerbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}

// Checks reports whether a line narrates, asks or expects.
func Checks(c *lang.Chunk) bool {
	v := FindVerb(c.Verb.Text)
	return c.Kind == lang.Command && v != nil && v.checks
}

// Issues reports whether a line is a command of that verb.
func Issues(c *lang.Chunk, verb string) bool { return c.Kind == lang.Command && c.Verb.Text == verb }

// ExpectsDeadlock reports whether a line is expect_deadlock, which lets blocked ranks go.
func ExpectsDeadlock(c *lang.Chunk) bool { return Issues(c, "expect_deadlock") }
