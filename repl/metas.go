package repl

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/scripts"
)

// shows lists the pictures that .show draws, besides partitions, in the order of its help.
var shows = []struct {
	name, text string
	draw       func(io.Writer, *render.View, render.Style) error
}{
	{"tree", "the hardware as text", render.Tree},
	{"boxes", "the hardware as nested boxes", picture.World},
	{"table", "each rank's communicator and rank, by variable; also without an argument", render.Table},
	{"lineage", "which communicator was made from which", render.Lineage},
	{"messages", "who sent to whom, in which context, and who received it where", render.Messages},
	{"trace", "the calls", render.Trace},
	{"map", "where ranks run", render.Map},
	{"hw", "which hardware each rank is restricted to", render.HWInfo},
	{"leaks", "what was never freed", render.Leaks},
	{"sites", "how many communicators each place in the program made, and how many are left", render.Sites},
	{"time", "how many communicators were alive over the run, by the place that made them", picture.Time},
}

// ShowWords returns the names in shows.
func ShowWords() []string {
	var list []string
	for _, x := range shows {
		list = append(list, x.name)
	}
	return list
}

// PictureOf returns the function that draws the picture of that name; nil for an unknown name.
func PictureOf(name string) func(io.Writer, *render.View, render.Style) error {
	for _, x := range shows {
		if x.name == name {
			return x.draw
		}
	}
	return nil
}

// BindFlags are the names of the flags that .bind takes: all flags of placement except --bind, whose list .bind
// takes without the flag's name.
var BindFlags = func() []string {
	var list []string
	for _, f := range placement.Flags {
		if f.Name != "bind" {
			list = append(list, "--"+f.Name)
		}
	}
	return list
}()

// BindPolicy reads the arguments of .bind: a list of PUs, or flags with their values.
func BindPolicy(args []string) (placement.Policy, error) {
	var p placement.Policy
	if !strings.HasPrefix(args[0], "-") {
		if len(args) > 1 {
			return p, fmt.Errorf(".bind takes one list of PUs, or flags such as --map-by; to move ranks, leave out the dot: bind 3 0-1")
		}
		p.List = args[0]
		return p, nil
	}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		at := slices.IndexFunc(placement.Flags, func(f placement.Flag) bool { return "--"+f.Name == name && f.Name != "bind" })
		if at < 0 {
			return p, fmt.Errorf(".bind takes a list of PUs, or the flags %s, not %s%s", strings.Join(BindFlags, ", "), name, spell.DidYouMean(name, BindFlags))
		}
		if !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if value == "" {
			return p, fmt.Errorf(".bind: %s needs a value", name)
		}
		*placement.Flags[at].Of(&p) = value
	}
	return p, nil
}

// MetaCommand is a line that starts with a dot: it is for the session, not for the ranks.
type MetaCommand struct {
	Name   string
	Args   string // for the help
	Short  string // one line
	Long   string // a paragraph; "" where the line says all. {formats} stands for the formats of .export
	looks  looks
	Forces bool // with ! behind its name it writes over a file that is there
}

// looks is when a meta command only looks at the session.
type looks int

const (
	never  looks = iota
	alone        // without arguments
	always       // with any arguments
)

// Looks reports whether a line only looks at the session, and changes nothing.
func Looks(c *lang.Chunk) bool {
	if c.Kind != lang.Meta {
		return false
	}
	m := FindMeta(c.Verb.Text)
	if m == nil {
		return false
	}
	return m.looks == always || m.looks == alone && len(c.Args) == 0
}

// Signature returns ".undo [N]".
func (m *MetaCommand) Signature() string {
	name := "." + m.Name
	if m.Forces {
		name += "[!]"
	}
	if m.Args == "" {
		return name
	}
	return name + " " + m.Args
}

// FindMeta finds a meta command by name or unambiguous beginning.
func FindMeta(name string) *MetaCommand {
	var found []*MetaCommand
	name, force := strings.CutSuffix(name, "!")
	for _, m := range MetaCommands {
		if force && !m.Forces {
			continue
		}
		if m.Name == name {
			return m
		}
		if strings.HasPrefix(m.Name, name) {
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

// UnknownMeta returns the error about a line with a dot that names no meta command.
func UnknownMeta(c *lang.Chunk) error {
	hint := "; .help lists them"
	others := map[string]string{"exit": "quit", "load": "open", "run": "open", "why": "explain", "tree": "show tree"} // of other programs
	if near := cmp.Or(others[c.Verb.Text], spell.Nearest(c.Verb.Text, MetaNames())); near != "" {
		hint = fmt.Sprintf(" (did you mean .%s?)", near)
	}
	return c.ErrorAt(c.Verb, "unknown meta command .%s%s", c.Verb.Text, hint)
}

func MetaNames() []string {
	names := make([]string, len(MetaCommands))
	for i, m := range MetaCommands {
		names[i] = m.Name
	}
	return names
}

// Touches returns "reads a file" or "writes a file" for a meta command that would do so with these arguments; else "".
func (m *MetaCommand) Touches(args []string) string {
	const reads, writes = "reads a file", "writes a file"
	switch {
	case m.Name == "save", m.Name == "program" && len(args) > 0,
		m.Name == "export" && len(args) > 1 && args[1] != "-":
		return writes
	case m.Name == "open" && len(args) > 0:
		if _, _, embedded := scripts.Lookup(args[0]); !embedded {
			return reads
		}
	case m.Name == "topo" && source.ReadsFile(strings.Trim(strings.Join(args, " "), "\"'")):
		return reads
	case m.Name == "bind" && len(args) > 0:
		if p, err := BindPolicy(args); err == nil && p.ReadsFile() {
			return reads
		}
	}
	return ""
}

// views describes the views of .show.
func views() string {
	var list []string
	for _, x := range shows {
		list = append(list, x.name+": "+x.text+".")
	}
	return strings.Join(list, " ")
}
