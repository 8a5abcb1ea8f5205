package practice

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// solutionMark matches the line that makes a script an exercise.
var solutionMark = regexp.MustCompile(`(?m)^# solution:\s*$`)

// IsExercise reports whether a script is an exercise.
func IsExercise(s *stories.Script) bool { return solutionMark.MatchString(s.Text) }

// sizesMark matches the line with the numbers of ranks on which an exercise must be solvable.
var sizesMark = regexp.MustCompile(`(?m)^# sizes:(.*)$`)

// Sizes lists the numbers of ranks of an exercise, first the one that is shown; nil for a script that names none.
func Sizes(s *stories.Script) (list []int) {
	m := sizesMark.FindStringSubmatch(s.Text)
	if m == nil || !IsExercise(s) {
		return nil
	}
	for _, word := range sizeWords(m[1]) {
		if n, err := strconv.Atoi(word); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	return list
}

// HandoutFormats are the formats of a handout.
var HandoutFormats = []string{"html", "markdown"}

// Handout writes the sheet for a student: the task, the given lines, and the picture of the goal. It has nothing of the
// solution, of the hints and of the goal's expressions.
func (x *Exercise) Handout(ctx context.Context, w io.Writer, format string) error {
	goal, err := x.Goal(ctx)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if format == "html" {
		err = x.page(&b, goal)
	} else {
		err = x.markdown(&b, goal)
	}
	if err == nil {
		_, err = b.WriteTo(w)
	}
	return err
}

// lastSentence returns how the answer is compared with the goal, and where to try it.
func (x *Exercise) lastSentence(goal *Goal, code func(string) string) string {
	var b strings.Builder
	if len(x.Names) > 0 {
		var names []string
		for _, name := range x.Names {
			names = append(names, code(name))
		}
		fmt.Fprintf(&b, "Your answer sets %s. ", strings.Join(names, ", "))
	}
	var sizes []string
	for _, w := range x.Worlds[1:] {
		if w.Config.Size > 0 && !w.Other {
			sizes = append(sizes, strconv.Itoa(w.Config.Size))
		}
	}
	if len(sizes) > 0 {
		fmt.Fprintf(&b, "It must also be right with %s ranks. ", listed(sizes))
	}
	if x.Worlds[len(x.Worlds)-1].Other {
		b.WriteString("It must also be right on other machines. ")
	}
	b.WriteString("You can write commands, mpi4py, C or Fortran. To try it: " + code(x.command(goal)) + ".")
	return b.String()
}

// command opens a session on the world of the picture.
func (x *Exercise) command(goal *Goal) string {
	words := []string{"commsplit"}
	flags := x.Worlds[0].Flags
	if x.Worlds[0].Config.Size == 0 {
		flags = append([]string{"-n", strconv.Itoa(goal.View.Snapshot.Size)}, flags...)
	}
	seen := false
	for i := 0; i < len(flags); i++ {
		if flags[i] == "-n" && i+1 < len(flags) { // the size stands once, although the sizes repeat it
			if !seen {
				words = append(words, "-n", strconv.Itoa(goal.View.Snapshot.Size))
			}
			seen = true
			i++
			continue
		}
		word := flags[i]
		if strings.ContainsAny(word, " \t*[]()") {
			word = "'" + word + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (x *Exercise) markdown(b *bytes.Buffer, goal *Goal) error {
	fmt.Fprintf(b, "## %s\n", x.Titled())
	for _, text := range x.Task {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	for _, block := range x.Blocks() {
		fmt.Fprintf(b, "\n%s:\n\n```\n%s\n```\n", block.Head, block.Text)
	}
	if len(goal.Handles) > 0 {
		fmt.Fprintf(b, "\nThe goal, %s:\n\n```\n", with(goal.View.Snapshot.Size))
		if err := goal.Draw(b, render.Style{Width: 80, Whole: true}); err != nil {
			return err
		}
		b.WriteString("```\n")
	}
	fmt.Fprintf(b, "\n%s\n", x.lastSentence(goal, func(s string) string { return "`" + s + "`" }))
	return nil
}

const pageStyle = "body{max-width:50em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;color:#000;background:#fff}" +
	"h1{font-size:1.4em}pre,code{font:14px/1.4 monospace;background:#f2f2f2}pre{padding:.6em;overflow-x:auto}" +
	"svg{display:block;max-width:100%;height:auto;margin:1em 0}@media print{body{margin:0}}"

func (x *Exercise) page(b *bytes.Buffer, goal *Goal) error {
	esc := html.EscapeString
	fmt.Fprintf(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"+
		"<title>%s</title>\n<style>%s</style>\n<h1>%s</h1>\n", esc(x.Title), pageStyle, esc(x.Titled()))
	for _, text := range x.Task {
		fmt.Fprintf(b, "<p>%s</p>\n", esc(text))
	}
	for _, block := range x.Blocks() {
		fmt.Fprintf(b, "<p>%s:</p>\n<pre>%s</pre>\n", block.Head, esc(block.Text))
	}
	if len(goal.Handles) > 0 {
		fmt.Fprintf(b, "<p>The goal, with %s:</p>\n", spell.Plural(goal.View.Snapshot.Size, "rank"))
	}
	for i := range goal.Handles {
		if err := goal.figure(b, i); err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "<p>%s</p>\n</html>\n", x.lastSentence(goal, func(s string) string { return "<code>" + esc(s) + "</code>" }))
	return nil
}

// figure writes the picture of a handle as a part of a page, where ids stand once.
func (g *Goal) figure(b *bytes.Buffer, i int) error {
	var svg bytes.Buffer
	h := g.lettered(i)
	name := "lanes"
	switch {
	case render.HoldsInter(g.View, h):
		name = "sides"
	case g.Places:
		name = "partition"
	}
	pic, err := picture.FigureOf(name, g.View, h).Scene(g.View, h)
	if err != nil {
		return err
	}
	if err := figure.SVG(&svg, pic, figure.Light); err != nil {
		return err
	}
	k := strconv.Itoa(i + 1)
	b.WriteString(strings.NewReplacer(`id="title"`, `id="title`+k+`"`, `id="desc"`, `id="desc`+k+`"`,
		`aria-labelledby="title desc"`, `aria-labelledby="title`+k+` desc`+k+`"`).Replace(svg.String()))
	return nil
}
