package site

import (
	"fmt"
	"html"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/repl/playground/desk"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// menu returns the lists that a person can choose from, as HTML, each after the mark in the page that it replaces.
func menu() []string {
	var lessons, examples, practice, machines, formats, pictures, themes, tongues strings.Builder
	numbers := map[*strings.Builder]int{}
	link := func(to *strings.Builder, key string, e scripts.Example) {
		numbers[to]++
		fmt.Fprintf(to, "<li><button type=\"button\" data-link=\"%s=%s\">%d  %s <span></span></button></li>\n",
			key, html.EscapeString(e.Name), numbers[to], html.EscapeString(e.Title))
	}
	option := func(to *strings.Builder, value, text, more string) {
		fmt.Fprintf(to, "<option value=\"%s\"%s>%s</option>\n", html.EscapeString(value), more, html.EscapeString(text))
	}
	for _, e := range scripts.All() {
		if e.Group == scripts.Lessons {
			link(&lessons, "open", e)
		} else {
			link(&examples, "open", e)
		}
	}
	for _, e := range scripts.Practice.Examples() {
		link(&practice, "practice", e)
	}
	for _, p := range preset.All() {
		option(&machines, p.Name, p.Name+": "+p.Shape(), "")
	}
	for _, f := range desk.Formats() {
		more := ""
		if f.Handle {
			more += " data-handle=\"yes\""
		}
		if f.Picture {
			more += " data-picture=\"yes\""
		}
		if f.From != "" {
			more += " data-from=\"" + f.From + "\""
		}
		option(&formats, f.Name, f.Name+": "+f.Title, more)
	}
	for _, name := range stories.Pictures() {
		option(&pictures, name, name, "")
	}
	for _, name := range figure.Themes() {
		more := ""
		if name == "auto" {
			more = " selected"
		}
		option(&themes, name, name, more)
	}
	for _, name := range stories.Tongues {
		option(&tongues, name, stories.TongueName(name), "")
	}
	return []string{"{lessons}", lessons.String(), "{examples}", examples.String(), "{practice}", practice.String(), "{machines}", machines.String(),
		"{formats}", formats.String(), "{pictures}", pictures.String(), "{themes}", themes.String(), "{tongues}", tongues.String()}
}
