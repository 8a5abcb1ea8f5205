// Package site holds the page of the playground: the panes of the page that replays a session, and a prompt. The
// engine of the page answers the requests of package desk: in the page itself as WebAssembly, or behind a server.
package site

import (
	"context"
	"embed"
	"html"
	"strings"

	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/repl/playground/desk"
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
