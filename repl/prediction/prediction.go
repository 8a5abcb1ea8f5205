// Package prediction judges a person's prediction of the answer to a question: whether it says the same as the answer,
// however it is written. A page judges by the same rules, which it gets as data.
package prediction

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/page"
)

// JudgeOf returns which predictions are right when answer is. Prompt, terminal UI and page use its result.
//
// A prediction says the same as the answer when it has the same words, see wordsOf. The members of a
// list may come in any order, unless the question asks for an order or the answer itself is not ascending.
// For a yes-or-no question the first word of the prediction counts; a question whether a call returns is
// also answered by "it hangs".
func JudgeOf(question, answer string) *render.Judge {
	if answer == "yes" || answer == "no" {
		means, against := polarity(strings.ToLower(question), answer)
		return &render.Judge{Means: means, Against: against}
	}
	j := &render.Judge{Words: wordsOf(answer)}
	if isSet(answer, j.Words) && !asksForOrder.MatchString(question) {
		j.Set = true
		slices.Sort(j.Words)
	}
	return j
}

var (
	asksForOrder   = regexp.MustCompile(`(?i)\b(order|ordered|sorted|sequence)\b`)
	asksWhoReturns = regexp.MustCompile(`\b(returns?|gets? on|goes? on|proceeds?|completes?|finish(es)?)\b`)
	asksWhoHangs   = regexp.MustCompile(`\b(deadlocks?|hangs?|blocks?|blocked|waits?|stuck)\b`)
	asksForAny     = regexp.MustCompile(`\bany(body|one|thing)?\b`)
)

// polarity returns the first words that mean the answer, and the words that mean the contrary.
func polarity(question, answer string) (means, against []string) {
	yes, no := []string{"yes"}, []string{"no"}
	returns, hangs := asksWhoReturns.MatchString(question), asksWhoHangs.MatchString(question)
	switch {
	case returns && !hangs:
		yes, no = append(yes, "return"), append(no, "hang")
	case hangs && !returns:
		yes, no = append(yes, "hang"), append(no, "return")
	}
	if asksForAny.MatchString(question) {
		no = append(no, "null")
	}
	if answer == "yes" {
		return yes, no
	}
	return no, yes
}

// isSet reports whether an answer is a flat list in ascending order, or a set.
func isSet(answer string, words []string) bool {
	if strings.HasPrefix(answer, "set(") {
		return true
	}
	if !strings.HasPrefix(answer, "[") || strings.ContainsAny(answer[1:], "[(") {
		return false
	}
	return slices.IsSortedFunc(words, func(a, b string) int {
		m, errA := strconv.Atoi(a)
		n, errB := strconv.Atoi(b)
		if errA != nil || errB != nil {
			return 0
		}
		return m - n
	})
}

// Right reports whether a prediction is right. js/question.js does the same in a browser.
func Right(j *render.Judge, prediction string) bool {
	words := wordsOf(prediction)
	if len(j.Means) > 0 {
		against := func(w string) bool { return slices.Contains(j.Against, w) }
		return len(words) > 0 && slices.Contains(j.Means, words[0]) && !slices.ContainsFunc(words, against)
	}
	if j.Set {
		slices.Sort(words)
	}
	return slices.Equal(words, j.Words)
}

// phrases are replaced in this order before words are read: a pattern, and its replacement.
var phrases = [][2]string{
	{`[\[({]\s*[\])}]`, ` null `}, // the empty list
	{`(?:mpi[ ._]+)?comm[ _]null\b|\bnull communicator\b`, ` null `},
	{`(?:\bno ?one|\bnobody|\bnone|\bnever|\bnot|\bcannot|n[’']t)\b[^.,;]*\b(?:returns?|gets? on|goes? on|proceeds?|completes?|finish(?:es)?)\b`, ` no `},
	{`\bno ?(?:one|ranks?)\b`, ` null `},
	{`\b\p{L}+n[’']t\b`, ` no `},
	{`[’']s\b`, ``},
	{`(\d) *(?:–|\.\.\.?|\bto\b|\bthrough\b) *(\d)`, `$1-$2`},
}

var (
	phrasePatterns = compiled(phrases)
	oneWord        = regexp.MustCompile(`[\p{L}_]+|-?\d+(\.\d+)?`)
	oneSpan        = regexp.MustCompile(`\b\d+-\d+\b`)
)

func compiled(list [][2]string) []*regexp.Regexp {
	var patterns []*regexp.Regexp
	for _, p := range list {
		patterns = append(patterns, regexp.MustCompile(p[0]))
	}
	return patterns
}

// Rules returns the rules of wordsOf, for a page that reads predictions by itself.
func Rules() *page.Rules {
	return &page.Rules{Phrases: phrases, Word: oneWord.String(), Span: oneSpan.String(), Longest: longestSpan, Spoken: spokenWords}
}

// spokenWords maps words of answers to words of the same meaning; words without meaning map to "".
var spokenWords = sameWords(map[string]string{
	"yes":          "y yep yeah true sure",
	"no":           "n nope false not never cannot",
	"hang":         "hangs hung deadlock deadlocks deadlocked block blocks blocked wait waits stuck",
	"return":       "returns",
	"error":        "errors err fail fails failure exception",
	"null":         "none nothing nobody empty",
	"communicator": "comm communicators",
	"":             "a an the and of it its is are be to does do did will would can in on at with rank ranks world process processes member members each set list",
	"0":            "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
	"7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
})

// sameWords inverts a map from a word to a list of words with its meaning.
func sameWords(lists map[string]string) map[string]string {
	spoken := map[string]string{}
	for word, others := range lists {
		for other := range strings.FieldsSeq(others) {
			spoken[other] = word
		}
	}
	return spoken
}

// wordsOf returns the words of a prediction or an answer: in small letters, phrases replaced, spans of ranks
// spelled out, and each word replaced by spokenWords. Words without meaning are left out, unless there are no others.
func wordsOf(text string) []string {
	text = strings.ToLower(text)
	for i, p := range phrasePatterns {
		text = p.ReplaceAllString(text, phrases[i][1])
	}
	text = oneSpan.ReplaceAllStringFunc(text, spelledOut)
	all := oneWord.FindAllString(text, -1)
	var words []string
	for _, w := range all {
		if other, ok := spokenWords[w]; ok {
			w = other
		}
		if w != "" {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// longestSpan is how many ranks a span of an answer may name.
const longestSpan = 64

// spelledOut returns "2 3 4 5" for "2-5".
func spelledOut(span string) string {
	low, high, _ := strings.Cut(span, "-")
	lo, errLo := strconv.Atoi(low)
	hi, errHi := strconv.Atoi(high)
	if errLo != nil || errHi != nil || hi < lo || hi-lo >= longestSpan {
		return span
	}
	var words []string
	for k := lo; k <= hi; k++ {
		words = append(words, strconv.Itoa(k))
	}
	return strings.Join(words, " ")
}
