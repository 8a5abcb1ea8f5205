package hw

// longestQuote is how many characters of a foreign text a message quotes.
const longestQuote = 60

// Clip is a text of a file or a flag as a message quotes it: the rest of a long one is left out, so that no
// hostile text fills the message.
func Clip(text string) string {
	runes := []rune(text)
	if len(runes) <= longestQuote {
		return text
	}
	return string(runes[:longestQuote]) + "..."
}
