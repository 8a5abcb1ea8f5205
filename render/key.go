package render

import (
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Key explains the letters in a picture of one variable. Its words do not depend on the width of a page.
type Key struct {
	Lines []KeyLine
	Rest  string   // "... and 45 more communicators, to BL"; "" when all communicators have a line
	Notes []string // why some communicators are stale
}

// KeyLine is a mark and its meaning.
type KeyLine struct {
	Mark string // "A", Hollow or NotYet
	Part int    // index of the communicator, as Parting counts; negative: none
	Slot int    // of the mark's color
	Text string // "half#2: 6 ranks, world ranks [10,8,6,4,2,0]"
}

// KeyOf returns the key of a picture of h, whose partition is p.
func KeyOf(v *View, h *Handle, p *Parting) *Key {
	const width = 60 // of lists of ranks, in characters
	k := &Key{}
	w := NewWords(v)
	w.names.short = true
	shown := p.list[:fewer(p.Len(), legendLines)]
	if n := p.Len() - len(shown); n > 0 {
		k.Rest = More(n, "communicator") + ", to " + p.Letter(p.Len()-1)
	}
	for i, q := range shown {
		row := legendRow(w, h, q, cell{})
		text := words(row[1].text+": "+strings.TrimSpace(row[3].text)+", "+row[4].at(width+len("world ranks ")), row[5].text)
		text = strings.Replace(text, ": 1 rank, world ranks", ": 1 rank, world rank", 1) // no column of a table
		k.Lines = append(k.Lines, KeyLine{p.Letter(i), i, p.Slot(i), text})
		if x := w.stale[q.id]; x != nil && len(k.Notes) < staleLegend {
			k.Notes = append(k.Notes, w.names.stale(x)+".")
		}
	}
	if len(p.null) > 0 {
		k.Lines = append(k.Lines, KeyLine{Hollow, -1, paint.NoSlot, NullWords + ": " + RankNoun(p.null, width)})
	}
	if len(p.none) > 0 {
		k.Lines = append(k.Lines, KeyLine{NotYet, Unset, paint.NoSlot, UnsetWords + ": " + RankNoun(p.none, width)})
	}
	return k
}

// Sentences returns what the picture shows, in words.
func (k *Key) Sentences() string {
	var list []string
	for _, l := range k.Lines {
		text := l.Text + "."
		if l.Part >= 0 {
			text = l.Mark + " is " + text
		}
		list = append(list, text)
	}
	if k.Rest != "" {
		list = append(list, k.Rest+".")
	}
	return strings.Join(append(list, k.Notes...), " ")
}
