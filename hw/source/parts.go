package source

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"commsplit/hw/hostlist"
	"commsplit/hw/synthetic"
)

// part is one of the machines of a text: "NAMES=SPEC*COPIES".
type part struct {
	text   string // as written
	spec   string
	copies int      // 0: not written
	names  []string // nil: not written
}

// maxParts bounds the texts that are joined by '+'.
const maxParts = 1024

// split takes a text apart at '+' outside of (), [] and {}. A file that exists
// under a longer name wins: "a+b.xml" is that file when it is there, and
// "a.xml*1+b.xml" are always two.
func split(text string) ([]part, error) {
	cuts := pluses(text)
	if len(cuts) == 1 && text == "" {
		return []part{{}}, nil
	}
	if len(cuts) > maxParts {
		return nil, fmt.Errorf("hardware %q: more than %d machines joined by +", clip(text), maxParts)
	}
	var parts []part
	for from := 0; from < len(cuts); {
		to := from + 1
		for i := len(cuts); i > to; i-- {
			if exists(joined(text, cuts, from, i)) {
				to = i
			}
		}
		p, err := readPart(joined(text, cuts, from, to))
		if err != nil {
			return nil, err
		}
		if p.spec == "" {
			return nil, fmt.Errorf("hardware %q names no machine at one place: want SPEC, SPEC*N or NAMES=SPEC, "+
				"joined by +", clip(text))
		}
		parts = append(parts, p)
		from = to
	}
	return parts, nil
}

// pluses lists where the pieces between '+' begin.
func pluses(text string) []int {
	cuts, depth := []int{0}, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '+':
			if depth <= 0 {
				cuts = append(cuts, i+1)
			}
		}
	}
	return cuts
}

// joined is pieces from up to but not including to.
func joined(text string, cuts []int, from, to int) string {
	end := len(text)
	if to < len(cuts) {
		end = cuts[to] - 1
	}
	return strings.TrimSpace(text[cuts[from]:end])
}

// exists reports whether text, as it stands, names a file or copy that is there.
func exists(text string) bool {
	path, copy := strings.CutPrefix(text, copied)
	if !copy && !isXML(text) || path == "" {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

// readPart takes NAMES= and *N off a piece, unless it is a file with them.
func readPart(text string) (part, error) {
	p := part{text: text, spec: text}
	if exists(text) {
		return p, nil
	}
	if list, rest, ok := strings.Cut(text, "="); ok && hostlist.Bytes(list) {
		names, err := hostlist.Expand(list, synthetic.MaxPUs)
		if err != nil {
			return p, fmt.Errorf("hardware %q: %w in the names before '='", clip(text), err)
		}
		p.names, p.spec = names, strings.TrimSpace(rest)
	}
	i := strings.LastIndexByte(p.spec, '*')
	if i < 0 || exists(p.spec) || strings.ContainsAny(p.spec[i:], ")]}") {
		return p, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(p.spec[i+1:]))
	if err != nil || n < 1 || n > synthetic.MaxPUs {
		return p, fmt.Errorf("hardware %q: want a number of machines of 1 to %d after '*'",
			clip(text), synthetic.MaxPUs)
	}
	p.copies, p.spec = n, strings.TrimSpace(p.spec[:i])
	return p, nil
}

func clip(text string) string {
	if len(text) > 60 {
		return text[:57] + "..."
	}
	return text
}
