package hw

// longestQuote is how many characters of a foreign text a message quotes.
const longestQuote = 60

// Clip shortens a text from a file or a flag for a message, so that no hostile text fills the message.
func Clip(text string) string {
	runes := []rune(text)
	if len(runes) <= longestQuote {
		return text
	}
	return string(runes[:longestQuote]) + "..."
}
