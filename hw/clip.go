package hw

// longestQuote is how many characters of a foreign text a message quotes.
const longestQuote = 60

// Clip shortens a text of a file or a flag for a message: the rest of a long text is left out, so that no
// hostile text fills the message.
func Clip(text string) string {
	runes := []rune(text)
	if len(runes) <= longestQuote {
		return text
	}
	return string(runes[:longestQuote]) + "..."
}
