//go:build js

// Command wasm is the engine of the playground, for a Web Worker: it answers the messages that the worker gets, each
// a request of package desk as JSON, one after the other, and posts the answers.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"

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
	for text := range requests {
		var q desk.Request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			post(&desk.Answer{ID: q.ID, Error: err.Error()})
			continue
		}
		post(d.Answer(context.Background(), &q))
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
