package edit

import (
	"slices"
	"unicode"
)

// Line is a line that a person writes: its text, the cursor, the former states for undo, and the killed texts.
// Its methods are the commands of GNU readline, under readline's names; the caller reads keys and draws. The
// zero Line is empty.
type Line struct {
	text   []rune
	cursor int // how many runes stand before it

	undo   []moment
	typing bool // the last change was a typed character: undo takes the characters of a word back together

	kills   [][]rune // the newest last
	killing bool     // the last command killed: the next kill adds to the same text
	yanked  span     // the text that Yank put in, until the next command
}

// moment is a former state of a line.
type moment struct {
	text   []rune
	cursor int
}

// span is the runes from one place up to another, and the index of the kill that they came from; from == to: no runes.
type span struct{ from, to, kill int }

// mostKills and mostUndo bound how many kills and former states a line keeps.
const (
	mostKills = 60
	mostUndo  = 1000
)

// Text returns the text of the line.
func (l *Line) Text() string { return string(l.text) }

// Len returns how many runes the line has.
func (l *Line) Len() int { return len(l.text) }

// Cursor returns how many runes stand before the cursor.
func (l *Line) Cursor() int { return l.cursor }

// Parts returns the texts before and after the cursor.
func (l *Line) Parts() (before, after string) {
	return string(l.text[:l.cursor]), string(l.text[l.cursor:])
}

// Set replaces the line, with the cursor at its end, and forgets the states for undo.
func (l *Line) Set(text string) {
	l.text = []rune(text)
	l.cursor = len(l.text)
	l.undo = nil
	l.still()
}

// still resets the state that lasts only from one command to the next.
func (l *Line) still() { l.typing, l.killing, l.yanked = false, false, span{} }

// change remembers the line before it is changed.
func (l *Line) change() {
	l.still()
	l.undo = append(l.undo, moment{slices.Clone(l.text), l.cursor})
	if len(l.undo) > mostUndo {
		l.undo = l.undo[1:]
	}
}

// Insert puts text where the cursor is.
func (l *Line) Insert(text []rune) {
	if len(text) == 0 {
		return
	}
	one := len(text) == 1 && text[0] != ' '
	if !one || !l.typing {
		l.change()
	}
	l.put(text)
	l.typing, l.killing, l.yanked = one, false, span{}
}

func (l *Line) put(text []rune) {
	l.text = slices.Insert(l.text, l.cursor, text...)
	l.cursor += len(text)
}

// Replace replaces the runes from a up to the cursor by text.
func (l *Line) Replace(a int, text string) {
	l.change()
	runes := []rune(text)
	l.text = slices.Replace(l.text, a, l.cursor, runes...)
	l.cursor = a + len(runes)
}

// Move puts the cursor behind the first to runes, or as near as the line allows.
func (l *Line) Move(to int) {
	l.still()
	l.cursor = min(max(to, 0), len(l.text))
}

// vertical moves the cursor a line up (step 1) or down (-1) in a text of several lines; it reports false where there is
// no such line.
func (l *Line) vertical(step int) bool {
	begin, end := l.cursor, l.cursor // of the line that has the cursor
	for begin > 0 && l.text[begin-1] != '\n' {
		begin--
	}
	for end < len(l.text) && l.text[end] != '\n' {
		end++
	}
	column := l.cursor - begin
	if step > 0 {
		if end = begin - 1; end < 0 {
			return false
		}
		for begin = end; begin > 0 && l.text[begin-1] != '\n'; {
			begin--
		}
	} else {
		if begin = end + 1; begin > len(l.text) {
			return false
		}
		for end = begin; end < len(l.text) && l.text[end] != '\n'; {
			end++
		}
	}
	l.Move(min(begin+column, end))
	return true
}

// Undo takes the last change back.
func (l *Line) Undo() {
	l.still()
	if n := len(l.undo); n > 0 {
		l.text, l.cursor = l.undo[n-1].text, l.undo[n-1].cursor
		l.undo = l.undo[:n-1]
	}
}

// RevertLine takes all changes back.
func (l *Line) RevertLine() {
	for len(l.undo) > 0 {
		l.Undo()
	}
}

// isWord reports whether a character belongs to a word; blanks and punctuation stand between words.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// WordLeft returns where the word before the cursor begins.
func (l *Line) WordLeft() int { return l.left(func(r rune) bool { return !isWord(r) }) }

// BlankLeft returns where the word before the cursor begins, if only blanks separate words.
func (l *Line) BlankLeft() int { return l.left(unicode.IsSpace) }

func (l *Line) left(between func(rune) bool) int {
	i := l.cursor
	for i > 0 && between(l.text[i-1]) {
		i--
	}
	for i > 0 && !between(l.text[i-1]) {
		i--
	}
	return i
}

// WordRight returns where the word at or after the cursor ends.
func (l *Line) WordRight() int { return wordEnd(l.text, l.cursor) }

// wordEnd returns the end of the word at place i of a text, or of the next word after i.
func wordEnd(text []rune, i int) int {
	for i < len(text) && !isWord(text[i]) {
		i++
	}
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}

// FirstWord returns a text up to the end of its first word, the part of a proposal that Alt-F takes.
func FirstWord(text string) string {
	runes := []rune(text)
	return string(runes[:wordEnd(runes, 0)])
}

// DeleteChar takes out the character before the cursor (by = -1) or the character at the cursor (by = 1).
func (l *Line) DeleteChar(by int) {
	a, b := l.cursor, l.cursor+1
	if by < 0 {
		a, b = l.cursor-1, l.cursor
	}
	if a < 0 || b > len(l.text) {
		return
	}
	l.change()
	l.text = slices.Delete(l.text, a, b)
	l.cursor = a
}

// Kill takes out the text between the cursor and another place; Yank puts it back. Kills that
// follow each other are one text.
func (l *Line) Kill(to int) {
	a, b := min(l.cursor, to), max(l.cursor, to)
	if a == b {
		return
	}
	again := l.killing
	killed := slices.Clone(l.text[a:b])
	before := a < l.cursor
	l.change()
	l.text = slices.Delete(l.text, a, b)
	l.cursor = a
	l.killing = true
	last := len(l.kills) - 1
	switch {
	case again && before:
		l.kills[last] = append(killed, l.kills[last]...)
	case again:
		l.kills[last] = append(l.kills[last], killed...)
	default:
		l.kills = append(l.kills, killed)
		l.kills = l.kills[max(0, len(l.kills)-mostKills):]
	}
}

// Yank puts in the text that was killed last.
func (l *Line) Yank() { l.yank(len(l.kills) - 1) }

// YankPop replaces the text that Yank just put in by the kill before it.
func (l *Line) YankPop() {
	y := l.yanked
	if y.from == y.to {
		return
	}
	l.Undo()
	l.yank((y.kill - 1 + len(l.kills)) % len(l.kills))
}

func (l *Line) yank(kill int) {
	if kill < 0 {
		return
	}
	l.change()
	from := l.cursor
	l.put(l.kills[kill])
	l.yanked = span{from, l.cursor, kill}
}

// TransposeChars swaps the character before the cursor with the character at the cursor; at the end of the line,
// the last two characters.
func (l *Line) TransposeChars() {
	i := min(l.cursor, len(l.text)-1)
	if i < 1 {
		return
	}
	l.change()
	l.text[i-1], l.text[i] = l.text[i], l.text[i-1]
	l.cursor = i + 1
}

// ChangeWord replaces each character of the word at or after the cursor by the result of written: Upper, Lower or
// Capital.
func (l *Line) ChangeWord(written func(i int, r rune) rune) {
	end := l.WordRight()
	if end == l.cursor {
		return
	}
	l.change()
	for i, n := l.cursor, 0; i < end; i++ {
		if isWord(l.text[i]) {
			l.text[i] = written(n, l.text[i])
			n++
		}
	}
	l.cursor = end
}

// Upper, Lower and Capital return the n-th character of a word as a capital, as a small letter, and as a capital
// only where n is 0.
func Upper(_ int, r rune) rune { return unicode.ToUpper(r) }

func Lower(_ int, r rune) rune { return unicode.ToLower(r) }

func Capital(n int, r rune) rune {
	if n == 0 {
		return unicode.ToUpper(r)
	}
	return unicode.ToLower(r)
}
