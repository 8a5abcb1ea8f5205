package launch

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// option is a row of a table of options.
type option struct {
	names   []string // with dashes, as in the table; $NAME for variables
	values  string   // "-": none, "=": one, "==": two, "?": one behind = alone
	verdict string   // "as", "idle", "refuse", or a reading of its own
	detail  string   // the flag of "as", the reason of "refuse", the argument of a reading
}

// needed is the number of values that an option must have, by its mark in the table.
var needed = map[string]int{"=": 1, "==": 2}

// Values returns the number of words behind an option that are its values. launcher is the file name of a launcher. The
// number is 0 for an option or launcher that no table has.
func Values(launcher, option string) int {
	list, err := launchers(launcher)
	if err != nil || len(option) < 2 {
		return 0
	}
	r := &reader{family: list[0], list: list[0].options()}
	name, _, valued := strings.Cut(option, "=")
	if !r.family.long && option[1] != '-' {
		names, value := r.cluster(option)
		name, valued = names[len(names)-1], value != ""
	}
	o := r.find(name)
	if o == nil || valued {
		return 0
	}
	return needed[o.values]
}

// options reads the table of a launcher.
func (f *family) options() []*option {
	var list []*option
	for line := range strings.Lines(f.table) {
		words := strings.Fields(line)
		at := slices.IndexFunc(words, func(w string) bool { return w == "-" || w == "=" || w == "==" || w == "?" })
		if strings.HasPrefix(line, "#") || at < 1 {
			continue
		}
		list = append(list, &option{words[:at], words[at], words[at+1], strings.Join(words[at+2:], " ")})
	}
	return list
}

// reader reads the options of one line.
type reader struct {
	*family
	list []*option
	line *Line
}

// read reads the settings of variables, then the #SBATCH lines, then the words of the line; the later replace the earlier.
func (f *family) read(settings, batch, words []string) (*Line, error) {
	r := &reader{family: f, list: f.options(), line: &Line{Launcher: f.name, family: f}}
	for _, s := range settings {
		if err := r.variable(s); err != nil {
			return nil, err
		}
	}
	if rest, err := r.words(batch, true); err != nil {
		return nil, fmt.Errorf("#SBATCH: %w", err)
	} else if len(rest) > 0 {
		return nil, fmt.Errorf("#SBATCH: %q is not an option", rest[0])
	}
	rest, err := r.words(words, false)
	if err != nil {
		return nil, err
	}
	if slices.Contains(rest, ":") {
		return nil, fmt.Errorf("a colon begins another program, which %s places separately: map one program at a time", f.name)
	}
	r.line.Program = rest
	return r.line, nil
}

// variable takes a setting of the environment that the launcher reads.
func (r *reader) variable(setting string) error {
	name, value, _ := strings.Cut(setting, "=")
	for _, o := range r.list {
		if !slices.Contains(o.names, "$"+name) || value == "" || o.values == "-" && (value == "0" || value == "false") {
			continue
		}
		if o.verdict == "idle" {
			break
		}
		return r.take(o, name, value)
	}
	if about := strings.ToLower(name); strings.HasPrefix(about, "ompi_mca_rmaps") || strings.HasPrefix(about, "prte_mca_rmaps") ||
		strings.HasPrefix(about, "ompi_mca_hwloc") || strings.HasPrefix(about, "i_mpi_pin") {
		if !slices.ContainsFunc(r.list, func(o *option) bool { return slices.Contains(o.names, "$"+name) }) {
			return fmt.Errorf("%s: this variable about where ranks run is not supported: write options of the launcher instead", name)
		}
	}
	r.line.Idle = append(r.line.Idle, setting)
	return nil
}

// words reads options up to the first word that is not an option.
func (r *reader) words(words []string, batch bool) (rest []string, err error) {
	for len(words) > 0 {
		word := words[0]
		if word == "--" {
			return words[1:], nil
		}
		if len(word) < 2 || word[0] != '-' {
			return words, nil
		}
		words = words[1:]
		if !r.family.long && word[1] != '-' { // letters of srun: -N2, -lu
			words, err = r.letters(word, words, batch)
		} else {
			words, err = r.long(word, words, batch)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// cluster cuts a word of srun's letters into options. The last may take a value: the rest of the word.
func (r *reader) cluster(word string) (names []string, value string) {
	for i := 1; i < len(word); i++ {
		name := "-" + word[i:i+1]
		names = append(names, name)
		if o := r.find(name); o == nil || o.values != "-" {
			return names, word[i+1:]
		}
	}
	return names, ""
}

// letters reads srun's options of one letter.
func (r *reader) letters(word string, rest []string, batch bool) ([]string, error) {
	names, value := r.cluster(word)
	for _, name := range names {
		o := r.find(name)
		switch {
		case o == nil:
			return nil, r.unknown(word, name)
		case o.values == "=" && value == "":
			if len(rest) == 0 {
				return nil, fmt.Errorf("%s %s needs a value", r.name, name)
			}
			value, rest = rest[0], rest[1:]
		}
		own := value
		if o.values == "-" {
			own = ""
		}
		if err := r.takeFrom(o, name, own, batch); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// long reads an option with a long name: its value stands behind = or is the next word.
func (r *reader) long(word string, rest []string, batch bool) ([]string, error) {
	name, value, valued := strings.Cut(word, "=")
	o := r.find(name)
	if o == nil {
		return nil, r.unknown(word, name)
	}
	need := needed[o.values]
	var values []string
	if valued {
		if o.values == "-" {
			return nil, fmt.Errorf("%s %s takes no value", r.name, name)
		}
		values = append(values, value)
	}
	for len(values) < need {
		if len(rest) == 0 {
			return nil, fmt.Errorf("%s %s needs %s", r.name, name, spell.Plural(need, "value"))
		}
		values, rest = append(values, rest[0]), rest[1:]
	}
	return rest, r.takeFrom(o, name, strings.Join(values, " "), batch)
}

// find returns the option of that name: for srun also by a beginning that no other option has.
func (r *reader) find(name string) *option {
	bare := strings.TrimLeft(name, "-")
	var begun []*option
	for _, o := range r.list {
		for _, n := range o.names {
			switch known := strings.TrimLeft(n, "-"); {
			case n == name, r.family.long && n[0] == '-' && known == bare:
				return o
			case !r.family.long && len(bare) > 1 && strings.HasPrefix(n, name) && !slices.Contains(begun, o):
				begun = append(begun, o)
			}
		}
	}
	if len(begun) == 1 {
		return begun[0]
	}
	return nil
}

func (r *reader) unknown(word, name string) error {
	var names []string
	for _, o := range r.list {
		for _, n := range o.names {
			if n[0] == '-' {
				names = append(names, strings.TrimLeft(n, "-"))
			}
		}
	}
	hint := ""
	if near := spell.Nearest(strings.TrimLeft(name, "-"), names); near != "" && len(near) > 1 {
		hint = ": did you mean " + name[:len(name)-len(strings.TrimLeft(name, "-"))] + near + "?"
	}
	return &Unknown{fmt.Sprintf("%s has no option %s%s", r.name, word, hint)}
}

func (r *reader) takeFrom(o *option, name, value string, batch bool) error {
	if batch && o.verdict == "exclusive" {
		return nil // of a job, it is about other jobs
	}
	return r.take(o, name, value)
}

// take applies an option to the line.
func (r *reader) take(o *option, name, value string) error {
	written := strings.TrimSpace(name + " " + value)
	switch o.verdict {
	case "idle":
		r.line.Idle = append(r.line.Idle, written)
		return nil
	case "refuse":
		return fmt.Errorf("%s %s: %s", r.name, written, o.detail)
	case "as":
		return r.line.set(o.detail, value)
	}
	if err := r.special[o.verdict](r.line, o, value); err != nil {
		return fmt.Errorf("%s %s: %w", r.name, written, err)
	}
	return nil
}

// set gives a flag of the placement its value.
func (l *Line) set(flag, value string) error {
	for _, f := range placement.Flags {
		if f.Name == flag {
			*f.Of(&l.policy) = value
			return nil
		}
	}
	return fmt.Errorf("there is no flag --%s", flag) // a test reads all tables
}
