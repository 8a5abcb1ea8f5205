// Package site holds the page of the playground: the panes of the page that replays a session, and a prompt. The
// engine of the page answers the requests of package desk: in the page itself as WebAssembly, or behind a server.
package site

import (
	"context"
	"embed"
	"fmt"
	"html"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/repl/playground/desk"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

//go:embed index.html keys.html playground.css worker.js js/*.js
var files embed.FS

// parts are the parts of the page's program that follow those of package page, in the order in which they are joined.
var parts = []string{"engine", "session", "prompt", "choose", "begin"}

// Engine says where the requests of a page are answered.
type Engine string

// The engines: WebAssembly in a Web Worker of the page, or the server that the page came from.
const (
	Worker Engine = "worker"
	Server Engine = "server"
)

// Policy returns the Content-Security-Policy of a page with that engine: the page may load from and ask only its own
// origin.
func (e Engine) Policy() string {
	policy := "default-src 'none'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
	if e == Worker {
		return policy + "; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"
	}
	return policy + "; script-src 'self'"
}

// first is the link of the session with which the page begins when its address names none.
const first = "run=half = split world color=rank%252 key=-rank"

// picture draws the first session as text, which the page shows while its engine loads.
func picture() string {
	d := &desk.Desk{}
	defer d.Close()
	var text string
	for _, q := range []desk.Request{{Verb: "open", Text: first}, {Verb: "line", Text: ".show half"}} {
		a := d.Answer(context.Background(), &q)
		if a.Error != "" {
			panic(a.Error) // both lines are right
		}
		for _, s := range a.Said {
			if s.Kind == "out" {
				text += s.Text + "\n"
			}
		}
	}
	return strings.TrimSpace(text)
}

// Files returns the files of the page by name, without the engine.
func Files(e Engine) map[string][]byte {
	var program []string
	for _, name := range parts {
		program = append(program, ours("js/"+name+".js"))
	}
	list := map[string][]byte{
		"index.html": []byte(strings.NewReplacer(append(menu(), "{policy}", e.Policy(), "{engine}", string(e), "{panes}", page.Panes(ours("keys.html")),
			"{first}", html.EscapeString(first), "{picture}", html.EscapeString(picture()))...).
			Replace(ours("index.html"))),
		"playground.css": []byte(page.Style() + ours("playground.css")),
		"playground.js":  []byte(page.Program(program...)),
	}
	if e == Worker {
		list["worker.js"] = []byte(ours("worker.js"))
	}
	return list
}

// ours returns the text of an embedded file.
func ours(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(text)
}

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
