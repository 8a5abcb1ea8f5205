package page

import (
	"encoding/json"
	"reflect"
	"slices"

	"codeberg.org/commsplit/commsplit/render"
)

// Feed makes the documents of a page whose session goes on, one after the other. It computes only what is new
// since the document before, and sends only the difference to a page that has the document before. The zero value
// has sent no document.
type Feed struct {
	sent   *collector
	number int // of the last document
}

// Next returns the document of the current session, as JSON. has is the number of the document that the page has,
// 0 for none.
func (f *Feed) Next(s *Session, has int) ([]byte, error) {
	c, err := collect(s, f.sent)
	if err != nil {
		f.sent = nil
		return nil, err
	}
	f.number++
	c.doc.Number = f.number
	doc := c.doc
	if has > 0 && has == c.before.doc.Number {
		doc = difference(&c.before.doc, &c.doc)
	}
	c.before = nothingBefore // otherwise all documents would live as long as the last
	f.sent = c
	return json.Marshal(&doc)
}

// nothingBefore stands for the collector before the first document.
var nothingBefore = &collector{}

// goOn reuses the collector of the document before, if that is of the same world, and finds from, the first step
// that may differ now. The last step of the document before may differ: ranks were blocked there, and variables may
// have been set since without a call.
func (c *collector) goOn(before *collector) {
	for _, info := range c.last.Snapshot.Comms {
		c.called = append(c.called, c.last.Called(info.ID))
	}
	if c.before = nothingBefore; before == nil || !c.goesOn(before) {
		c.alone = map[whyKey]explained{}
		c.word("") // 0 stands for nothing
		c.tables.written(table{})
		c.letterings.written(lettering{})
		c.tellings.written(telling{})
		c.orders.written(order{})
		c.spelled.written([]spelling{})
		return
	}
	c.before, c.alone, c.turn = before, before.alone, before.turn+1
	c.letterings = before.letterings
	c.words, c.tables, c.tellings, c.orders, c.spelled = before.words, before.tables, before.tellings, before.orders, before.spelled
	for c.from < min(before.Last, c.Last) && sameHandles(before.views[c.from], c.views[c.from]) {
		c.from++
	}
}

// goesOn reports whether the session goes on from the document before, and every communicator still has its name
// from the same variable.
func (c *collector) goesOn(before *collector) bool {
	old, now := before.last.Snapshot, c.last.Snapshot
	return len(old.Steps) <= len(now.Steps) && len(old.Comms) <= len(now.Comms) &&
		slices.Equal(old.Comms, now.Comms[:len(old.Comms)]) && slices.Equal(before.called, c.called[:len(old.Comms)])
}

// sameHandles reports whether variables hold the same communicators in two views.
func sameHandles(a, b *render.View) bool {
	return slices.EqualFunc(a.Handles, b.Handles, func(x, y render.Handle) bool { return x.Name == y.Name && slices.Equal(x.IDs, y.IDs) })
}

// until returns the elements of a list from before a step, without spare capacity, so that appending copies.
func until[T any](list []T, step int, from func(T) int) []T {
	n := len(list)
	for n > 0 && from(list[n-1]) >= step {
		n--
	}
	return list[:n:n]
}

// difference returns the document now without those elements of its lists that the document before has.
func difference(before, now *document) document {
	d := *now
	d.Keep = map[string]int{}
	keep(&d, "comms", &d.Comms, before.Comms)
	keep(&d, "handles", &d.Handles, before.Handles)
	keep(&d, "grounds", &d.Grounds, before.Grounds)
	keep(&d, "drawn", &d.Drawn, before.Drawn)
	keep(&d, "rows", &d.Rows, before.Rows)
	keep(&d, "steps", &d.Steps, before.Steps)
	keep(&d, "moments", &d.Moments, before.Moments)
	keep(&d, "tables", &d.Tables, before.Tables)
	keep(&d, "letters", &d.Letters, before.Letters)
	keep(&d, "names", &d.Names, before.Names)
	keep(&d, "tellings", &d.Tellings, before.Tellings)
	keep(&d, "orders", &d.Orders, before.Orders)
	keep(&d, "spelled", &d.Spelled, before.Spelled)
	keep(&d, "words", &d.Words, before.Words)
	return d
}

// keep removes from the beginning of a list the elements that the document before has, and records their number.
func keep[T any](d *document, name string, list *[]T, before []T) {
	n, most := 0, min(len(before), len(*list))
	if most > 0 && &before[0] == &(*list)[0] { // the same array, which has grown
		n = most
	}
	for n < most && reflect.DeepEqual(before[n], (*list)[n]) {
		n++
	}
	d.Keep[name], *list = n, (*list)[n:]
}
