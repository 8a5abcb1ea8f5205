package page

import (
	"encoding/json"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// The data of a page, a type for each of its parts. Each text is written once, in Words; a field of type word is
// an index into Words, 0 for none. Tables, tellings and orders are referred to by index, too. Ranks are world
// ranks; lists of numbers are packed.

type word = int

type document struct {
	Title    string       `json:"title"`
	About    string       `json:"about"` // describes the world: "12 ranks on figure-7.3, ..."
	Size     int          `json:"size"`
	Comms    []comm       `json:"comms"`
	Rows     []row        `json:"rows"`    // the communicators by lineage
	Handles  []handle     `json:"handles"` // world first
	Grounds  []ground     `json:"grounds"` // where ranks run: at first, and after each move; none without hardware
	Drawn    []drawn      `json:"drawn"`   // the hardware on each ground
	Steps    []step       `json:"steps"`
	Moments  []moment     `json:"moments"` // after each step, the beginning first
	Tables   []table      `json:"tables"`  // rows of ranks, see moment.Table
	Letters  []lettering  `json:"letters"`
	Names    []string     `json:"names"`    // the letters: "A", "B", ...
	Tellings []telling    `json:"tellings"` // explanations
	Orders   []order      `json:"orders"`
	Sites    *sites       `json:"sites,omitempty"`
	Spelled  [][]spelling `json:"spelled"`         // a call in each language
	Locks    []lock       `json:"locks"`           // deadlocks that were expected
	Stuck    *lock        `json:"stuck,omitempty"` // the ranks that are blocked at the end
	Deadlock word         `json:"deadlock"`
	Rules    *Rules       `json:"rules,omitempty"` // for the answers to questions
	End      []string     `json:"end"`             // how the session ended, unless it ended well
	Verdict  []string     `json:"verdict,omitempty"`
	Exercise *exercise    `json:"exercise,omitempty"`
	Words    []string     `json:"words"`

	// Of a session that goes on:
	Number int            `json:"number,omitempty"` // of the document, from 1
	Keep   map[string]int `json:"keep,omitempty"`   // by list: elements left out, the same as in the document before
}

// comm is a communicator, and its descriptions, which change at some steps.
type comm struct {
	ID     int      `json:"id"`
	Parent int      `json:"parent"`
	Other  int      `json:"other,omitempty"` // of an intercommunicator: the parent of its right group
	Step   int      `json:"step"`
	Op     word     `json:"op,omitempty"`
	Group  packed   `json:"group"`
	Remote *packed  `json:"remote,omitempty"`
	Size   word     `json:"size"` // "6 ranks", "3+4 ranks"
	Said   []saying `json:"said"`
}

// saying is the description of a communicator from a step on.
type saying struct {
	From  int  `json:"from"`
	Name  word `json:"name"`
	Head  word `json:"head"`
	Made  word `json:"made"`  // by which call
	Short word `json:"short"` // Made in fewer words
	Stale word `json:"stale,omitempty"`
	State word `json:"state,omitempty"` // "freed", "stale"
}

// handle is a variable.
type handle struct {
	Name string `json:"name"`
	Held []held `json:"held"` // the first element is from step 0 on
	Why  []why  `json:"why"`
}

// lettering is the communicators of a moment, and of the moment before, in the order of their letters. A letter
// stands for the same communicator in all panes.
type lettering struct {
	IDs   packed `json:"ids"`
	Slots packed `json:"slots,omitempty"` // of their colors; left out where each slot equals the index of its letter
}

// held is what a variable holds from a step on.
type held struct {
	From  int       `json:"from"`
	IDs   packed    `json:"ids"`             // by rank: an id, -1 for MPI_COMM_NULL, -2 for a variable that is not set yet
	Lanes []drawing `json:"lanes,omitempty"` // of the ranks without a communicator, for several widths
}

// why is the explanations of what a variable holds, from a step on.
type why struct {
	From    int    `json:"from"`
	Ranks   packed `json:"ranks"`          // by rank: a telling about this rank alone
	Reasons []int  `json:"reasons"`        // tellings, one for each reason
	Rest    word   `json:"rest,omitempty"` // ranks whose reasons are left out
}

// step is a call.
type step struct {
	Text    word     `json:"text"`
	Args    word     `json:"args,omitempty"`
	Source  []word   `json:"source"` // lines of the program
	Comm    int      `json:"comm"`
	Ranks   packed   `json:"ranks"`
	Made    packed   `json:"made"`
	Passed  []column `json:"passed"`
	Error   word     `json:"error,omitempty"`
	Spelled int      `json:"spelled,omitempty"` // index of the call's lines in each language
	Picture *drawing `json:"picture,omitempty"` // what the call did
	Until   int      `json:"until,omitempty"`   // the last step that the same lines made
}

// spelling is a call in a language.
type spelling struct {
	In     word `json:"in"`
	Text   word `json:"text"`
	Unsaid bool `json:"unsaid,omitempty"` // the language cannot express the call, and Text says why
}

// column is an argument over the ranks of a step.
type column struct {
	Name  word   `json:"name"`
	Words packed `json:"words"`
}

// moment is what happened between a step and the next step.
type moment struct {
	Said  []line `json:"said"`
	Table int    `json:"table"` // 0: a row for each rank

	Letters int `json:"letters"`
}

// line is a text from ranks, the narrator, or the session.
type line struct {
	Kind    string        `json:"kind"` // note, ask, out, bad, typed, called, drawn, lock
	Text    word          `json:"text"`
	Who     word          `json:"who,omitempty"`
	Verdict word          `json:"verdict,omitempty"`
	Answer  word          `json:"answer,omitempty"`
	Why     word          `json:"why,omitempty"` // of a question: the explanation after a wrong prediction
	Judge   *render.Judge `json:"judge,omitempty"`
	From    int           `json:"from"`            // of a question: the last moment that does not show the answer
	Lines   []word        `json:"lines,omitempty"` // of a question: the lines that the question is about
	Lock    int           `json:"lock,omitempty"`  // of a lock: its index
}

// lock is a deadlock: which ranks wait for which. Of one that was expected, a line of kind lock says when it occurred.
type lock struct {
	Waits   []wait      `json:"waits"`
	Picture drawing     `json:"picture"`
	Lanes   [][]drawing `json:"lanes"` // by handle: of the ranks without a communicator and of those that wait, for several widths
}

// table is rows of ranks; ranks with equal cells share a row.
type table struct {
	Rows  []int    `json:"rows"`  // three numbers a row: first rank, step, number of ranks
	Cells [][]word `json:"cells"` // for each row of several ranks: its label, then a cell for each handle
}

// telling is an explanation. In its head, {w} stands for the world rank and {r} for the rank.
type telling struct {
	Head  word   `json:"head"`
	Ranks packed `json:"ranks,omitempty"` // of an explanation for several ranks
	Facts []word `json:"facts"`           // name and text in turn
	Tried []word `json:"tried,omitempty"`
	Order int    `json:"order,omitempty"`
	Rule  word   `json:"rule,omitempty"`
	Of    int    `json:"of,omitempty"`
}

// order is the ranks of a communicator sorted by key and old rank.
type order struct {
	Key   packed `json:"key"`
	Old   packed `json:"old"`
	World packed `json:"world"`
}

// wait is ranks that are blocked.
type wait struct {
	Ranks packed `json:"ranks"`
	Who   word   `json:"who,omitempty"`
	What  word   `json:"what"`
	Site  word   `json:"site,omitempty"`
	Whom  word   `json:"whom"`
	Doing word   `json:"doing,omitempty"`
}

// packed is a list of whole numbers as progressions: the first number, the step and how many, three
// numbers for each.
type packed []int32

// pack writes a list as progressions. From the left, each is as long as possible.
func pack[T ~int | ~int32](list []T) packed {
	p := packed{}
	for i := 0; i < len(list); {
		first, step, n := int32(list[i]), int32(0), 1
		for i+n < len(list) {
			d := int32(list[i+n]) - int32(list[i+n-1])
			if n > 1 && d != step {
				break
			}
			step, n = d, n+1
		}
		if n == 2 && step != 0 && i+2 < len(list) {
			step, n = 0, 1 // two numbers that only look like a progression
		}
		p = append(p, first, step, int32(n))
		i += n
	}
	return p
}

// last returns the last number of a list that is not empty.
func (p packed) last() int32 {
	n := len(p)
	return p[n-3] + (p[n-1]-1)*p[n-2]
}

// packRanks packs a set of ranks.
func packRanks(set engine.Ranks) packed {
	p := packed{}
	for _, r := range set {
		step := int32(1)
		if r.Lo == r.Hi {
			step = 0
		}
		p = append(p, r.Lo, step, r.Hi-r.Lo+1)
	}
	return p
}

// interner numbers values that are written once; equal values have the same number.
type interner[T any] struct {
	list []T
	at   map[string]int
}

// of returns the number of x. key identifies x.
func (t *interner[T]) of(key string, x T) int {
	if i, ok := t.at[key]; ok {
		return i
	}
	if t.at == nil {
		t.at = map[string]int{}
	}
	t.at[key] = len(t.list)
	t.list = append(t.list, x)
	return len(t.list) - 1
}

// written returns the number of x, identified by its JSON.
func (t *interner[T]) written(x T) int {
	key, err := json.Marshal(x)
	if err != nil {
		panic(err) // cannot fail for our types
	}
	return t.of(string(key), x)
}
