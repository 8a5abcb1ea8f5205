// Package spell finds what somebody who mistyped a name probably meant. It
// counts the letters that were added, left out, changed or swapped with their
// neighbor (the optimal string alignment distance), ignoring case. A name with
// the same words in another order has one more error, and so has a name of which
// only one word was typed. The package also writes counts of things. It does not
// know what the names are for.
package spell

import (
	"slices"
	"strconv"
	"strings"
)

// Plural returns "1 rank", "3 ranks", "2 processes".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Agreeing returns the words that agree with one thing, or those that agree with none or several.
func Agreeing(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// DidYouMean returns " (did you mean X?)" with the candidate nearest to word; "" when none is near.
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// Either returns the words as a choice: "text, json or jsonl"; one word is itself.
func Either(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Choice returns the end of a message about a word that is not in words: "it must be text or json; did you mean json?".
func Choice(word string, words []string) string {
	text := "it must be " + Either(words)
	if near := Nearest(word, words); near != "" && len(words) > 1 {
		text += "; did you mean " + near + "?"
	}
	return text
}

// Nearest returns the candidate that word is closest to, or "" when none is
// near: more than a third of the letters of the longer word are wrong, and
// word is not how the candidate begins. Of equally close candidates the first wins.
func Nearest(word string, candidates []string) string {
	best, least := "", 0
	for _, c := range candidates {
		d := slips(strings.ToLower(word), strings.ToLower(c))
		if len(word) > 2 && strings.HasPrefix(strings.ToLower(c), strings.ToLower(word)) {
			d = min(d, 1)
		}
		limit := max(len([]rune(word)), len([]rune(c))) / 3
		if d <= max(limit, 1) && d < len([]rune(c)) && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// slips returns the number of edits from a to b, or, if less, one more than the
// number of edits between their words in any order, or between a and one word of b.
func slips(a, b string) int {
	d := distance([]rune(a), []rune(b))
	x, y := words(a), words(b)
	if len(x) == 1 && len(y) > 1 {
		for _, word := range y {
			if n := distance([]rune(a), []rune(word)); len(a) > 3 && n <= max(len(a), len(word))/3 {
				d = min(d, n+1)
			}
		}
	}
	if d <= 1 || len(x) < 2 || len(x) != len(y) {
		return d
	}
	slices.Sort(x)
	slices.Sort(y)
	return min(d, 1+distance([]rune(strings.Join(x, "_")), []rune(strings.Join(y, "_"))))
}

// words returns the words of a name: create and group for create_group and for
// create-group.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
}

// distance returns the number of edits from a to b. It keeps the rows of the
// last two letters of a, because a swap looks back at both.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Number returns a number with its thousands apart: "65,536".
func Number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
