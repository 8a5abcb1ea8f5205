package paint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var terminals = []Colors{Colors16, Colors256, TrueColor}

// Text on a cell has a contrast of at least 4.5 to its background, as WCAG 2.2 asks of text (1.4.3), in each color
// of the palette, on each kind of terminal. So has text in a communicator's color, dim text, errors and notes on
// the background of the terminal.
func TestCellsAreReadable(t *testing.T) {
	t.Parallel()
	for _, colors := range terminals {
		for _, dark := range []bool{false, true} {
			list := []Ink{Rank, Stuck, Rank.Lit()}
			if colors != Colors16 {
				list = append(list, Empty)
			}
			for slot := range Slots {
				list = append(list, Fill(slot), Fill(slot).Lit())
			}
			for _, k := range list {
				l := inkLook(k, colors, dark)
				if c := contrast(l.text.light(colors), l.behind.light(colors)); c < 4.5 {
					t.Errorf("%d colors, dark %v: ink %d has a contrast of %.2f", colors, dark, k, c)
				}
			}
			if colors == Colors16 {
				continue // the owner of a terminal chose its 16 colors for its background
			}
			paper := 1.0
			if dark {
				paper = luminance(0x1e, 0x1e, 0x1e) // a dark gray, as most dark terminals have it
			}
			words := []Ink{Faint, Alarm, Accent, Note}
			for slot := range Slots {
				words = append(words, Part(slot))
			}
			for _, k := range words {
				l := inkLook(k, colors, dark)
				if c := contrast(l.text.light(colors), paper); c < 4.5 {
					t.Errorf("%d colors, dark %v: text of ink %d has a contrast of %.2f", colors, dark, k, c)
				}
			}
		}
	}
}

// No two slots look the same on any terminal.
func TestSlotsDiffer(t *testing.T) {
	t.Parallel()
	for _, colors := range terminals {
		for _, dark := range []bool{false, true} {
			p, seen := NewPalette(colors, dark), map[string]int{}
			for slot := range Slots {
				on := p.ons[Fill(slot)]
				if other, ok := seen[on]; ok {
					t.Errorf("%d colors, dark %v: slots %d and %d are equal", colors, dark, other, slot)
				}
				seen[on] = slot
			}
		}
	}
}

// With 16 colors the first six communicators differ in hue, not in brightness alone, and no two neighbors are a color and
// its bright twin, in cells as in text.
func TestNeighborsOf16Colors(t *testing.T) {
	t.Parallel()
	hueOf := func(h hue) int { return h.of16 % 8 }
	for name, list := range map[string][Slots]hue{
		"cells on dark": onDark.fills, "cells on light": onLight.fills, "text on dark": onDark.inks, "text on light": onLight.inks,
	} {
		first := map[int]int{}
		for slot := range Slots {
			next := (slot + 1) % Slots
			if hueOf(list[slot]) == hueOf(list[next]) {
				t.Errorf("%s: slots %d and %d have colors %d and %d", name, slot, next, list[slot].of16, list[next].of16)
			}
			if other, ok := first[hueOf(list[slot])]; ok && slot < 6 {
				t.Errorf("%s: slots %d and %d have colors %d and %d", name, other, slot, list[other].of16, list[slot].of16)
			}
			first[hueOf(list[slot])] = slot
		}
	}
}

// With 16 colors, the text of a cell without a communicator is gray on a light background: if it were also faint,
// it would be unreadable.
func TestEmptyIsReadableOnLight(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	NewPalette(Colors16, false).Write(&b, Line{{Text: "○", Ink: Empty}}, 1)
	if got, want := b.String(), "\x1b[90m○\x1b[m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A cell shows its state without color, is exactly as wide as asked, and keeps its letter longest.
func TestCell(t *testing.T) {
	t.Parallel()
	a12 := Cell{Text: "A12", Slot: 0}
	for _, c := range []struct {
		cell  Cell
		width int
		want  string
	}{
		{a12, 5, " A12 "},
		{a12, 4, "A12 "},
		{a12, 3, "A12"},
		{a12, 2, "A "}, // "A1" would be another rank
		{a12, 1, "A"},
		{Cell{Text: "AB12"}, 3, "AB "},
		{Cell{Text: "AB12"}, 1, "A"},
		{Cell{Text: "A12", Lit: true}, 5, "[A12]"},
		{Cell{Text: "A12", Lit: true}, 7, " [A12] "},
		{Cell{Text: "A12", Lit: true}, 4, "A12 "},
		{Cell{Text: "A12", Moved: true}, 4, "»A12"},
		{Cell{Text: "A12", Moved: true}, 3, "A12"},
		{Cell{Text: "A12", State: Blocked}, 4, "A12!"},
		{Cell{Text: "A12", State: Blocked}, 3, " ! "},
		{Cell{State: Null}, 3, " ○ "},
		{Cell{State: NotYet}, 3, "   "},
		{Cell{State: Vacant}, 3, " · "},
	} {
		var l Line
		c.cell.Draw(&l, c.width)
		if got := l.Plain(); len([]rune(got)) != c.width {
			t.Errorf("%+v at %d: %q is not as wide", c.cell, c.width, got)
		}
		if got := l.Plain(); got != c.want {
			t.Errorf("%+v at %d: %q, want %q", c.cell, c.width, got, c.want)
		}
	}
}

// In big letters, a dot is a column wide and half a line high, or as many times as big as there is room for, with
// a free dot on each side and a free line above; the text below has brackets where the cell is lit. A text with a
// character that has no big letter is not drawn big.
func TestBigLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cell        Cell
		width, high int
		under       string
		want        []string
	}{
		{Cell{Text: "A1"}, 9, 5, "12", []string{
			"         ",
			" █▀█ ▄█  ",
			" █▀█  █  ",
			" ▀ ▀ ▀▀▀ ",
			"   12    ",
		}},
		{Cell{Text: "7", Lit: true}, 10, 7, "3", []string{
			"          ",
			"  ██████  ",
			"      ██  ",
			"      ██  ",
			"    ██    ",
			"    ██    ",
			"   [3]    ",
		}},
		{Cell{Text: "A1"}, 8, 5, "", nil},
		{Cell{Text: "A1"}, 9, 3, "", []string{" █▀█ ▄█  ", " █▀█  █  ", " ▀ ▀ ▀▀▀ "}},
		{Cell{Text: "A1"}, 9, 2, "", nil},
		{Cell{Text: "A§"}, 30, 9, "", nil},
		{Cell{State: NotYet}, 3, 4, "0", []string{"   ", "   ", "   ", " 0 "}},
	} {
		var got []string
		for _, l := range c.cell.Big(c.width, c.high, c.under) {
			got = append(got, l.Plain())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v in %dx%d (-want +got):\n%s", c.cell, c.width, c.high, diff)
		}
	}
}

// Each big letter has five rows of equal width, and no two letters are equal.
func TestBigLettersDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]rune{}
	for r, letter := range letters {
		rows := strings.Split(letter, "/")
		for _, row := range rows {
			if len(rows) != letterRows || len(row) != len(rows[0]) {
				t.Errorf("%c: %s", r, letter)
			}
		}
		if other, ok := seen[letter]; ok {
			t.Errorf("%c and %c look the same", r, other)
		}
		seen[letter] = r
	}
}
