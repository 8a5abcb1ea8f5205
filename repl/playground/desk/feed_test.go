package desk

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// A page that applies the difference after each line shows the same as a page that is opened at that time: after each
// chunk of each embedded script, and after some chunks were taken back.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, e := range append(scripts.All(), scripts.Practice.Examples()...) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			script := stories.NewScript(e.File, e.Text)
			chunks, err := script.Chunks()
			if err != nil {
				t.Fatal(err)
			}
			cfg, err := worldOf(script.Flags)
			if err != nil {
				t.Fatal(err)
			}
			out := stream{&Desk{}, "out"}
			c, err := console.NewConsole(t.Context(), cfg, out, out, render.Style{Width: 80, Colors: paint.NoColor})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Session.Close()
			p := &showing{t: t, console: c}
			p.compare("the beginning")
			for _, chunk := range chunks {
				_ = c.Do(context.WithoutCancel(t.Context()), chunk) // errors are part of the session
				p.compare(chunk.Text)
			}
			for range min(3, len(chunks)) {
				if _, err := c.Session.Undo(t.Context(), 1); err != nil {
					break
				}
				p.compare("taken back")
			}
		})
	}
}

// showing is a page that applies documents as the program of the page does.
type showing struct {
	t       *testing.T
	console *console.Console
	feed    page.Feed
	doc     map[string]any
}

// compare applies the next document, and compares the result with a whole document of the same session.
func (p *showing) compare(behind string) {
	p.t.Helper()
	has := 0
	if p.doc != nil {
		has = int(p.doc["number"].(float64))
	}
	doc := p.document(&p.feed, has)
	keep, _ := doc["keep"].(map[string]any)
	for name, n := range keep {
		if n.(float64) > 0 {
			doc[name] = append(slices.Clone(p.doc[name].([]any)[:int(n.(float64))]), doc[name].([]any)...)
		}
	}
	delete(doc, "keep")
	p.doc = doc
	now := p.document(&page.Feed{}, 0)
	for name := range now {
		if slices.Contains([]string{"number", "size", "words", "tables", "tellings", "orders", "spelled"}, name) {
			continue // other fields refer to these lists
		}
		if got, want := written(doc, name, doc[name]), written(now, name, now[name]); !reflect.DeepEqual(got, want) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			p.t.Fatalf("behind %q the page has %s\n%s\ninstead of\n%s", behind, name, a, b)
		}
	}
}

func (p *showing) document(feed *page.Feed, has int) (doc map[string]any) {
	p.t.Helper()
	text, err := stories.PageData(p.console.Session, feed, "page", has, nil, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		p.t.Fatal(err)
	}
	return doc
}

// lists maps each field whose numbers are indexes to the list of the document that they index.
var lists = map[string]string{
	"op": "words", "name": "words", "head": "words", "short": "words", "stale": "words", "state": "words", "rest": "words",
	"label": "words", "pus": "words", "worse": "words", "text": "words", "args": "words", "source": "words", "error": "words",
	"in": "words", "verdict": "words", "answer": "words", "who": "words", "lines": "words", "ring": "words", "deadlock": "words",
	"facts": "words", "tried": "words", "rule": "words", "what": "words", "site": "words", "whom": "words", "doing": "words",
	"said": "words", "made": "words", "why": "words", "size": "words",
	"table": "tables", "spelled": "spelled", "order": "orders", "of": "tellings", "reasons": "tellings",
}

// written returns a value of a document with texts and explanations in place of their indexes.
func written(doc map[string]any, name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			switch {
			case k == "ranks" && v["reasons"] != nil:
				out[k] = at(doc, "tellings", unpacked(x))
			case k == "words" && v["name"] != nil, k == "where":
				out[k] = at(doc, "words", unpacked(x))
			case k == "things":
				out[k] = things(doc, x.([]any))
			case k == "cells":
				out[k] = cells(doc, x.([]any), v["at"] != nil)
			case k == "made" && v["source"] != nil, k == "judge":
				out[k] = x // ids, words of its own
			default:
				out[k] = written(doc, k, x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = written(doc, name, x)
		}
		return out
	case float64:
		if list := lists[name]; list != "" {
			return at(doc, list, []any{v})
		}
	}
	return v
}

// at returns the elements of a list of the document at the given indexes; nil for index 0.
func at(doc map[string]any, list string, numbers []any) []any {
	var out []any
	for _, n := range numbers {
		if n == 0.0 {
			out = append(out, nil)
			continue
		}
		out = append(out, written(doc, "", doc[list].([]any)[int(n.(float64))]))
	}
	return out
}

// cells replaces indexes of words by the words: each column is a list for a table, and progressions for a place.
func cells(doc map[string]any, columns []any, place bool) (out []any) {
	for _, x := range columns {
		numbers := x.([]any)
		if place {
			numbers = unpacked(x)
		}
		out = append(out, at(doc, "words", numbers))
	}
	return out
}

// things replaces indexes of words in things of a picture: the text of a text, two of a block, and three of each cell that shows
// something of its own.
func things(doc map[string]any, list []any) (out []any) {
	for _, x := range list {
		t := slices.Clone(x.([]any))
		var words []int
		switch t[0] {
		case 1.0:
			words = []int{5}
		case 4.0:
			words = []int{5, 6}
		case 5.0:
			for i := 8; i < len(t); i += 4 {
				words = append(words, i, i+1, i+2)
			}
		}
		for _, i := range words {
			t[i] = at(doc, "words", t[i:i+1])
		}
		out = append(out, t)
	}
	return out
}

func unpacked(v any) (out []any) {
	p := v.([]any)
	for i := 0; i+2 < len(p); i += 3 {
		for k := range int(p[i+2].(float64)) {
			out = append(out, p[i].(float64)+float64(k)*p[i+1].(float64))
		}
	}
	return out
}

// A page that says how much room it has gets its hardware arranged for that, and for two pictures side by side or one above the
// other; for another window it asks again.
func TestRoom(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "n=12&topo=figure-7.3")
	for _, room := range []page.Room{{Columns: 90, Lines: 24}, {Columns: 48, Lines: 30}} {
		var doc struct {
			Drawn []struct{ Rooms []struct{ W, H int } }
		}
		if err := json.Unmarshal(s.ask(&Request{Verb: "arrange", Room: &room}).Page, &doc); err != nil {
			t.Fatal(err)
		}
		list := doc.Drawn[0].Rooms
		if len(list) != 3 || list[0].H > room.Lines || list[1].H > room.Lines || list[2].H > room.Lines/2 {
			t.Errorf("for %v: %v", room, list)
		}
		for i, most := range []int{room.Columns, room.Columns/2 - 1, room.Columns} {
			if w := list[i].W; w > most || w < most-12 {
				t.Errorf("for %v: picture %d has %d columns, not nearly %d", room, i, w, most)
			}
		}
	}
}
