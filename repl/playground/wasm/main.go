//go:build js

// Command wasm is the engine of the playground, for a Web Worker: it answers the messages that the worker gets, one
// after the other, and posts the answers. Each message is a request of package desk as JSON.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"codeberg.org/commsplit/commsplit/repl/playground/desk"
)

// memory is how many bytes a session may take: of the 4 GB that a page can address, the Go runtime needs up to twice
// the size of the live objects.
const memory = 1 << 30

func main() {
	// There is one thread, and the garbage of a line is small against the memory of a page: collections are rare until
	// there are many live objects.
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

// pause is how long no request must come before the engine rehearses.
const pause = 100 * time.Millisecond

// rehearsal returns a function that runs the next of some lines at a hidden desk; it reports false when all lines have
// run. A browser compiles a function at its first call, and optimizes it after many calls: without a rehearsal the
// first lines of a person take ten times as long as later lines.
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
		panic(err) // the types are our own
	}
	js.Global().Call("postMessage", string(text))
}
