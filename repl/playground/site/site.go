// Package site holds the page of the playground: the panes of the page that replays a session, and a prompt. Its
// engine answers the requests of package desk: in the page itself as WebAssembly, or behind a server.
package site

import (
	"embed"
	"strings"

	"commsplit/render/page"
)

//go:embed index.html playground.css worker.js js/*.js
var files embed.FS

// parts are the parts of the program behind those of package page, in the order in which they are joined.
var parts = []string{"engine", "session", "prompt", "choose", "begin"}

// Engine says what answers the requests of a page.
type Engine string

// The engines: WebAssembly in a Web Worker of the page, or the server that the page came from.
const (
	Worker Engine = "worker"
	Server Engine = "server"
)

// Policy is what a page with that engine may load and ask: only what comes from where it came from itself.
func (e Engine) Policy() string {
	policy := "default-src 'none'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
	if e == Worker {
		return policy + "; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"
	}
	return policy + "; script-src 'self'"
}

// Files are the files of the page by name, without the engine.
func Files(e Engine) map[string][]byte {
	var program []string
	for _, name := range parts {
		program = append(program, ours("js/"+name+".js"))
	}
	list := map[string][]byte{
		"index.html": []byte(strings.NewReplacer("{policy}", e.Policy(), "{engine}", string(e), "{panes}", page.Panes()).
			Replace(ours("index.html"))),
		"playground.css": []byte(page.Style() + ours("playground.css")),
		"playground.js":  []byte(page.Program(program...)),
	}
	if e == Worker {
		list["worker.js"] = []byte(ours("worker.js"))
	}
	return list
}

// ours is a file that is in the program.
func ours(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}
