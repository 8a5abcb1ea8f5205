// Package page writes a session as one HTML file that replays it in a browser: the hardware with the ranks on it,
// the communicators by lineage, the ranks' places in every variable, the trace, and why every rank holds what it
// holds. The file needs no network and nothing beside it.
//
// The model: all that a browser shows is worked out here, in the words of the other outputs, and written as one
// document of JSON with every text once. The program in the browser (js/) combines the parts that a step and a
// selection show; it explains nothing of its own. Without it, the last picture and the tables stand there.
//
// The package runs nothing; a Session holds all that it knows of the session.
package page

import (
	"fmt"
	"io"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Session is the session that a page replays.
type Session struct {
	Title string
	About string                      // describes the world
	Last  int                         // the last step
	Past  func(step int) *render.View // the view after a step; Past(Last) is the current view

	Variables []string // all variables that ever held something, in the order to show them

	// Held returns what each rank holds in a variable, in the view v.
	Held func(v *render.View, handle string) (func(rank int) reason.Held, error)
	// Source returns a line of the program, "" when the program is not available.
	Source func(at engine.Site) string
	// Spelled returns the call of a step in each language, and the last step made by the same lines. The list is
	// empty when the lines are not available.
	Spelled  func(step int) (list []Spelling, last int)
	Events   []render.Event
	Recorded bool // the calls are those of a recorded application
	Rules    *Rules
	Exercise *Exercise // that the person solves; nil for none
	Rooms    []Room    // for which the hardware is arranged; none: those of a page whose window is not known
	End      []string  // how the session ended, unless it ended well, in the words of commsplit run
	Picture  func(io.Writer) error
}

// Spelling is the lines of a call in a language.
type Spelling struct {
	In     string // the language: "Fortran 2008"
	Text   string
	Unsaid bool // the language cannot express the lines, and Text tells why
}

// Rules tell how the words of a prediction are read. Patterns are for lowercase letters, and mean the same in Go
// and in a browser.
type Rules struct {
	Phrases [][2]string       `json:"phrases"` // pattern and replacement; these come first
	Word    string            `json:"word"`    // pattern of a word
	Span    string            `json:"span"`    // pattern of a span of numbers, "2-5", which stands for all of them
	Longest int               `json:"longest"` // most numbers of a span
	Spoken  map[string]string `json:"spoken"`  // the meaning of a word; "" for a word without a meaning
}

// width is the most columns of a text that is cut.
const width = 110

// collector gathers what a page shows.
type collector struct {
	*Session
	doc        document
	words      interner[string]
	tables     interner[table]
	letterings interner[lettering]
	tellings   interner[telling]
	orders     interner[order]
	spelled    interner[[]spelling]
	last       *render.View
	views      []*render.View // after each step
	tell       []*render.Words
	layout     *layout
	lanes      laned
	world      []int32        // what ranks hold in world
	nothing    []int32        // what ranks hold in a variable that no rank has set
	ground     []int          // by step: index of its ground
	changed    []map[int]bool // by step: communicators with a new saying
	alone      map[whyKey]explained
	called     []string                   // by communicator: the variable that held it first
	parted     map[int][]*render.Parting  // by step, see partings
	named      map[string]*render.Parting // by variable

	before *collector // the collector of the document before, of the same world; nothingBefore for none
	from   int        // the first step that may differ from the document before
	turn   int        // how many documents were collected before
}

// collect computes everything that the page shows. before is the collector of the document before, or nil; collect
// does not compute again what has not changed since.
func collect(s *Session, before *collector) (*collector, error) {
	if n := s.Past(s.Last).Snapshot.Size; n > MostRanks {
		return nil, fmt.Errorf("a page explains at most %d ranks, but this world has %d: --to svg draws any number", MostRanks, n)
	}
	c := &collector{Session: s}
	for k := range s.Last + 1 {
		c.views = append(c.views, s.Past(k))
	}
	c.last = c.views[s.Last]
	c.goOn(before)
	for k := range c.views {
		if k < c.from {
			c.tell = append(c.tell, c.before.tell[k])
		} else {
			c.tell = append(c.tell, render.NewWords(c.views[k]))
		}
	}
	c.doc.Steps = []step{} // a list also when it is empty
	c.doc.Title, c.doc.About, c.doc.Size = paint.OneLine(s.Title), paint.OneLine(s.About), c.last.Snapshot.Size
	c.world, c.nothing = make([]int32, c.doc.Size), slices.Repeat([]int32{render.Unset}, c.doc.Size)
	c.hardware()
	c.communicators()
	if err := c.variables(); err != nil {
		return nil, err
	}
	c.trace()
	c.ending()
	c.arrange()
	c.lineage()
	c.sites()
	c.exercise()
	c.doc.Words, c.doc.Tables, c.doc.Letters = c.words.list, c.tables.list, c.letterings.list
	c.doc.Tellings, c.doc.Orders, c.doc.Spelled = c.tellings.list, c.orders.list, c.spelled.list
	return c, nil
}

// word returns the number of a text, without the characters that pages must not have.
func (c *collector) word(text string) word {
	text = paint.Printable(text)
	return c.words.of(text, text)
}

// communicators lists all communicators, with their descriptions from each step on at which they change.
func (c *collector) communicators() {
	at := map[int]int{}
	for i, info := range c.last.Snapshot.Comms {
		at[info.ID] = i
		if old := c.before.doc.Comms; i < len(old) && c.from > 0 {
			x := old[i]
			x.Said = until(x.Said, c.from, func(y saying) int { return y.From })
			c.doc.Comms = append(c.doc.Comms, x)
			continue
		}
		x := comm{ID: info.ID, Parent: info.Parent, Other: info.Parent2, Step: info.Step, Group: pack(info.Group)}
		if info.Op != engine.CallNone {
			x.Op = c.word(info.Op.String())
		}
		x.Size = c.word(render.Sizes([]*engine.CommInfo{info}))
		if info.Remote != nil {
			p := pack(info.Remote)
			x.Remote = &p
		}
		c.doc.Comms = append(c.doc.Comms, x)
	}
	c.changed = make([]map[int]bool, c.Last+1)
	for k := range c.changed {
		if k < c.from {
			c.changed[k] = c.before.changed[k]
			continue
		}
		c.changed[k] = map[int]bool{}
		for _, info := range c.views[k].Snapshot.Comms {
			x := &c.doc.Comms[at[info.ID]]
			if c.sayComm(x, info, k) {
				c.changed[k][info.ID] = true
			}
		}
	}
}

// sayComm adds the description of a communicator after step k if it differs from the description before, and
// reports whether it did.
func (c *collector) sayComm(x *comm, info *engine.CommInfo, k int) bool {
	w := c.tell[k]
	state := c.word(w.State([]*engine.CommInfo{info}))
	n := len(x.Said)
	renamed := k > 0 && (c.views[k].Snapshot.Steps[k-1].Comm == info.ID || w.Name(info.ID) != c.tell[k-1].Name(info.ID))
	stale := w.Stale(info.ID) != nil && c.moves(k)
	if n > 0 && x.Said[n-1].State == state && !renamed && !stale {
		return false
	}
	head, made, old := w.Comm(info, "", width)
	y := saying{
		From: k, Name: c.word(w.Name(info.ID)), Head: c.word(head), Made: c.word(made),
		Short: c.word(w.Made(info, 60)), Stale: c.word(old), State: state,
	}
	if n > 0 {
		before := x.Said[n-1]
		if before.From = k; before == y {
			return false
		}
	}
	x.Said = append(x.Said, y)
	return true
}

// moves reports whether step k moved ranks to other places.
func (c *collector) moves(k int) bool { return k > 0 && c.ground[k] != c.ground[k-1] }
