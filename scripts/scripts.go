// Package scripts holds the scripts that are embedded in the binary: the examples of the standard, one script for each
// rule of its text, the lessons, and tours. A file's first comment line is its title, which ends with the section of
// the standard where the script has one; lines that begin with "# commsplit:" name the hardware that the script runs
// on. The package only finds texts; package repl runs them.
package scripts

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
)

//go:embed *.mpi standard rules lessons practice
var files embed.FS

// Group is a kind of script; each has its folder.
type Group struct {
	Name  string // "lessons"
	Title string // one line
	dir   string
}

// Standard, Rules, Lessons and Tours are the groups.
var (
	Standard = &Group{"standard", "Examples and figures of the documents, close to their code", "standard"}
	Rules    = &Group{"rules", "Rules that the text states in a sentence, one each", "rules"}
	Lessons  = &Group{"lessons", "Lessons: common confusions, two minutes each (commsplit learn)", "lessons"}
	Tours    = &Group{"tours", "Tours of commsplit", "."}
)

// Practice is the exercises. No group has them: a person who lists or runs examples must not come upon the solutions.
var Practice = &Group{"practice", "Exercises: calls to write (commsplit practice)", "practice"}

// Groups lists the groups in the order in which they are shown.
func Groups() []*Group { return []*Group{Standard, Rules, Lessons, Tours} }

// Example is one embedded script.
type Example struct {
	Name    string // without extension: "example-7.3"
	File    string // "example-7.3.py"
	Group   *Group
	Title   string // without the section
	Section string // "MPI-5.0 §7.4.2"; "" for none
	Text    string
}

// All lists the scripts by group and name.
func All() []Example {
	var list []Example
	for _, g := range Groups() {
		list = append(list, g.Examples()...)
	}
	return list
}

// Examples lists the scripts of the group by name.
func (g *Group) Examples() []Example {
	entries, err := fs.ReadDir(files, g.dir)
	if err != nil {
		panic(err) // the files are in the binary
	}
	var list []Example
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := files.ReadFile(path.Join(g.dir, e.Name()))
		if err != nil {
			panic(err)
		}
		x := Example{Name: strings.TrimSuffix(e.Name(), path.Ext(e.Name())), File: e.Name(), Group: g, Text: string(data)}
		x.Title, x.Section = Title(x.Text)
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b Example) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Title returns the first line of a text, without the section in brackets at its end, and that section; "" for none.
func Title(text string) (title, section string) {
	first, _, _ := strings.Cut(text, "\n")
	title = strings.TrimSpace(strings.TrimPrefix(first, "#"))
	if i := strings.LastIndex(title, " ["); i > 0 && strings.HasSuffix(title, "]") {
		return title[:i], title[i+2 : len(title)-1]
	}
	return title, ""
}

// Names lists the names of the scripts.
func Names() []string { return namesOf(All()) }

// Names lists the names of the scripts of the group.
func (g *Group) Names() []string { return namesOf(g.Examples()) }

func namesOf(list []Example) (names []string) {
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}

// Lookup finds a script by name, with or without its extension. It finds an example of the standard also by its number
// alone ("7.3"), a lesson by its number ("lesson-3") and by its name without the number ("ties").
func Lookup(name string) (file, text string, ok bool) {
	e, ok := find(All(), name)
	return e.File, e.Text, ok
}

// Lesson finds a lesson as Lookup does; its number alone is enough ("3").
func Lesson(name string) (Example, bool) {
	list := Lessons.Examples()
	if e, ok := find(list, "lesson-"+name); ok {
		return e, true
	}
	return find(list, name)
}

// Exercise finds an exercise by its number ("3"), by its name, with or without the extension, and by its name without
// the number ("evens-and-odds").
func Exercise(name string) (Example, bool) {
	for _, e := range Practice.Examples() {
		number, word, _ := strings.Cut(e.Name, "-")
		if strings.EqualFold(e.Name, name) || strings.EqualFold(e.File, name) || strings.EqualFold(word, name) ||
			name != "" && strings.TrimLeft(name, "0") == strings.TrimLeft(number, "0") {
			return e, true
		}
	}
	return Example{}, false
}

// NoLesson is the error for a lesson that does not exist, with the nearest one.
func NoLesson(name string) error {
	list := Lessons.Examples()
	if _, err := strconv.Atoi(name); err == nil {
		return absent(fmt.Sprintf("there is no lesson %s: the lessons are 1 to %d; commsplit learn --list lists them", name, len(list)))
	}
	var words []string
	for _, e := range list {
		_, word := e.lesson()
		words = append(words, word, e.Name)
	}
	return absent(fmt.Sprintf("there is no lesson %s%s; commsplit learn --list lists them", name, spell.DidYouMean(name, words)))
}

// SuggestExercise adds the nearest exercise to the error for an exercise that does not exist.
func SuggestExercise(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, number := strconv.Atoi(name); number == nil {
		return absent(fmt.Sprintf("there is no exercise %s: the exercises are 1 to %d; commsplit practice --list lists them", name, len(Practice.Examples())))
	}
	if strings.ContainsAny(name, "./\\") { // a file's name
		return fmt.Errorf("%w; commsplit practice --list lists the exercises", err)
	}
	var words []string
	for _, e := range Practice.Examples() {
		_, word, _ := strings.Cut(e.Name, "-")
		words = append(words, e.Name, word)
	}
	return absent(fmt.Sprintf("there is no exercise %s%s; commsplit practice --list lists them", name, spell.DidYouMean(name, words)))
}

// absent is what to say of a script that does not exist.
type absent string

func (a absent) Error() string { return string(a) }

// Is reports that errors.Is takes the error for one of a file that does not exist.
func (absent) Is(target error) bool { return target == fs.ErrNotExist }

func find(list []Example, name string) (Example, bool) {
	for _, e := range list {
		if strings.EqualFold(e.Name, name) || strings.EqualFold(e.File, name) || e.Name == "example-"+name {
			return e, true
		}
		if e.Group != Lessons {
			continue
		}
		number, word := e.lesson()
		if k, err := strconv.Atoi(strings.TrimPrefix(name, "lesson-")); strings.EqualFold(name, word) ||
			err == nil && k == number && strings.HasPrefix(name, "lesson-") {
			return e, true
		}
	}
	return Example{}, false
}

// lesson cuts the name of a lesson: "lesson-03-ties" gives 3 and "ties".
func (e Example) lesson() (number int, word string) {
	digits, word, _ := strings.Cut(strings.TrimPrefix(e.Name, "lesson-"), "-")
	number, err := strconv.Atoi(digits)
	if err != nil {
		panic("scripts: a lesson is named lesson-NN-WORD, not " + e.Name)
	}
	return number, word
}

// Suggest adds the nearest example to the error for a script that does not exist.
func Suggest(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if near := spell.Nearest(name, Names()); near != "" {
		return fmt.Errorf("%w (did you mean the example %s?)", err, near)
	}
	return fmt.Errorf("%w; commsplit examples lists the embedded scripts", err)
}
