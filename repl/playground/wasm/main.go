//go:build js

// Command wasm is the engine of the playground, for a Web Worker: it answers the messages that the worker gets, each
// a request of package desk as JSON, one after the other, and posts the answers.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"commsplit/repl/playground/desk"
)

// memory is what a session may take, in bytes: of the 4 GB that a page can address, the Go runtime needs up to twice
// as much as lives.
const memory = 1 << 30

func main() {
	// There is one thread, and what a line leaves behind is small against what a page has: the garbage is collected
	// seldom, until much lives.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(memory)
	requests := make(chan string, 64)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		requests <- args[0].Get("data").String()
		return nil
	}))
	d := &desk.Desk{Memory: memory}
	post(&desk.Answer{})
	var idle <-chan time.Time
	rehearsed := rehearsal()
	for {
		select {
		case text := <-requests:
			var q desk.Request
			if err := json.Unmarshal([]byte(text), &q); err != nil {
				post(&desk.Answer{ID: q.ID, Error: err.Error()})
				continue
			}
			post(d.Answer(context.Background(), &q))
			idle = time.After(pause)
		case <-idle:
			idle = nil
			if rehearsed() {
				idle = time.After(pause)
			}
		}
	}
}

// pause is how long nobody asks before the engine rehearses.
const pause = 100 * time.Millisecond

// rehearsal gives a function that runs the next of some lines at a desk that nobody sees, while nobody asks; false when
// all have run. A browser compiles a function when it is first called, and well once it was called often: without a
// rehearsal the first lines of a person take ten times as long as the later ones.
func rehearsal() func() bool {
	d, lines, has := &desk.Desk{Memory: memory}, []string(nil), 0
	for range 4 {
		lines = append(lines, "a = split world color=rank%2 key=-rank", "b = split_type world SHARED", "c = dup a", ".explain a @3")
	}
	ask := func(q *desk.Request) {
		if a := d.Answer(context.Background(), q); a.Page != nil {
			has++
		}
	}
	return func() bool {
		switch {
		case has == 0:
			ask(&desk.Request{Verb: "open", Text: "n=64&topo=pack:2 core:32"})
		case len(lines) > 0:
			ask(&desk.Request{Verb: "line", Text: lines[0], Columns: 80, Has: has})
			lines = lines[1:]
		default:
			d.Close()
			return false
		}
		return true
	}
}

// post sends an answer to the page.
func post(a *desk.Answer) {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // our own types
	}
	js.Global().Call("postMessage", string(text))
}
