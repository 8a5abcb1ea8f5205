package source

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/hostlist"
	"codeberg.org/commsplit/commsplit/hw/synthetic"

	"codeberg.org/commsplit/commsplit/hw"
)

// part is one of the machines of a text: "NAMES=SPEC*COPIES".
type part struct {
	text   string // as written
	spec   string
	copies int      // 0: not written
	names  []string // nil: not written
}

// Bounds of the texts that are joined by '+', and of those in one file name.
const (
	maxParts  = 1024
	maxPluses = 32
)

// split cuts a text at '+' outside (), [] and {}. A file that exists under a
// longer name wins: "a+b.xml" is that file if it exists, and "a.xml*1+b.xml"
// are always two.
func split(text string) ([]part, error) {
	cuts := pluses(text)
	if len(cuts) > maxParts {
		return nil, fmt.Errorf("hardware %q: more than %d machines joined by +", hw.Clip(text), maxParts)
	}
	var parts []part
	for from := 0; from < len(cuts); {
		to := from + 1
		for i := min(len(cuts), from+1+maxPluses); i > to; i-- {
			if holdsFile(joined(text, cuts, from, i)) {
				to = i
			}
		}
		p, err := readPart(joined(text, cuts, from, to))
		if err != nil {
			return nil, err
		}
		if p.spec == "" {
			return nil, fmt.Errorf("hardware %q: a machine is missing: want "+
				"SPEC, SPEC*N or NAMES=SPEC, joined by +", hw.Clip(text))
		}
		parts = append(parts, p)
		from = to
	}
	return parts, nil
}

// pluses returns the offsets at which the pieces between '+' begin.
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

// joined returns the pieces with indexes from up to but not including to, with
// the '+' between.
func joined(text string, cuts []int, from, to int) string {
	end := len(text)
	if to < len(cuts) {
		end = cuts[to] - 1
	}
	return strings.TrimSpace(text[cuts[from]:end])
}

// exists reports whether text, as it stands, names an existing file or copy.
func exists(text string) bool {
	path, copy := strings.CutPrefix(text, copied)
	if !copy {
		path, copy = strings.CutPrefix(text, ran)
	}
	if !copy && !isXML(text) || path == "" {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

// holdsFile reports whether text is an existing file, with or without NAMES=
// and *N.
func holdsFile(text string) bool {
	_, spec, _ := cutNames(text)
	for _, t := range []string{text, spec} {
		bare, copies, _ := cutCopies(t)
		if exists(t) || strings.Trim(copies, "0123456789") == "" && exists(bare) {
			return true
		}
	}
	return false
}

// cutNames cuts NAMES= off.
func cutNames(text string) (list, rest string, ok bool) {
	list, rest, ok = strings.Cut(text, "=")
	if !ok || !hostlist.Bytes(list) {
		return "", text, false
	}
	return list, strings.TrimSpace(rest), true
}

// cutCopies cuts *N off; a * in brackets does not count.
func cutCopies(text string) (rest, copies string, ok bool) {
	i := strings.LastIndexByte(text, '*')
	if i < 0 || strings.ContainsAny(text[i:], ")]}") {
		return text, "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]), true
}

// readPart cuts NAMES= and *N off a piece, unless the whole piece names a file.
func readPart(text string) (part, error) {
	p := part{text: text, spec: text}
	if exists(text) {
		return p, nil
	}
	if list, rest, ok := cutNames(text); ok {
		names, err := hostlist.Expand(list, synthetic.MaxPUs)
		if err != nil {
			return p, fmt.Errorf("hardware %q: %w in the names before '='", hw.Clip(text), err)
		}
		p.names, p.spec = names, rest
	}
	if exists(p.spec) {
		return p, nil
	}
	rest, copies, ok := cutCopies(p.spec)
	if !ok {
		return p, nil
	}
	n, err := strconv.Atoi(copies)
	if err != nil || n < 1 || n > synthetic.MaxPUs {
		return p, fmt.Errorf("hardware %q: want a number of machines of 1 to %d after '*'",
			hw.Clip(text), synthetic.MaxPUs)
	}
	p.copies, p.spec = n, rest
	return p, nil
}
