package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// oldest is the version that every library supports; calls that came later are guarded.
const oldest engine.Std = 31

// guard is a part of the program for libraries of at least some version. Calls in a row with the same version
// share a guard.
type guard struct {
	since engine.Std // 0: no guard is open
	calls []string   // calls that came with that version
	made  []string   // variables that stay MPI_COMM_NULL with an older library
}

// enter opens the guard of a version, after closing that of another version. It leaves an open guard of the same
// version open.
func (g *generator) enter(since engine.Std) {
	if since <= oldest {
		since = 0
	}
	if g.guard.since == since {
		return
	}
	g.leave()
	if g.guard.since = since; since > 0 {
		g.body.WriteString("\n" + g.lang.atLeast(since))
	}
}

// leave closes the open guard, with a comment on what an older library lacks.
func (g *generator) leave() {
	if g.guard.since == 0 {
		return
	}
	text := fmt.Sprintf("Before MPI-%d.%d", int(g.guard.since)/10, int(g.guard.since)%10)
	if calls := unique(g.guard.calls); len(calls) > 0 {
		text += " there is no " + strings.Join(calls, ", ")
	}
	if made := unique(g.guard.made); len(made) == 1 {
		text += ": " + made[0] + " stays MPI_COMM_NULL"
	} else if len(made) > 1 {
		text += ": " + strings.Join(made, ", ") + " stay MPI_COMM_NULL"
	}
	g.body.WriteString("#else\n")
	g.comment(text)
	g.body.WriteString("#endif\n")
	g.guard = guard{}
}

// within records a call in the open guard.
func (g *generator) within(c *call) {
	if g.guard.since == 0 {
		return
	}
	if needs(c) == g.guard.since {
		name := c.op.String()
		if kinds, ok := c.texts("split_type"); ok && c.op.Since() < g.guard.since {
			name += " with " + strings.Join(unique(kinds.values), ", ")
		}
		g.guard.calls = append(g.guard.calls, name)
	}
	if c.made != "" {
		g.guard.made = append(g.guard.made, c.made)
	}
}

// declaration is a line that declares a variable, or sets its first value.
type declaration struct{ name, text string }

var (
	guardLine = regexp.MustCompile(`^#if .*>= (\d+)`)
	aWord     = regexp.MustCompile(`[A-Za-z_]\w*`)
	aText     = regexp.MustCompile(`"(\\.|[^"\\])*"`)
)

// needed returns the names in a program, each with the oldest version of the guards around its uses; 0 for a name
// that is used outside guards.
func (l *language) needed(program string) map[string]engine.Std {
	need := map[string]engine.Std{}
	since := engine.Std(0)
	for line := range strings.Lines(program) {
		code := strings.TrimSpace(aText.ReplaceAllString(line, ""))
		switch {
		case strings.HasPrefix(code, "!"), strings.HasPrefix(code, "/*"), strings.HasPrefix(code, "*"):
			continue
		case strings.HasPrefix(code, "#"):
			since = 0
			if m := guardLine.FindStringSubmatch(code); m != nil {
				_, _ = fmt.Sscan(m[1], (*int)(&since))
			}
			continue
		}
		for _, name := range aWord.FindAllString(code, -1) {
			if old, ok := need[name]; !ok || since < old {
				need[name] = since
			}
		}
	}
	return need
}

// declare writes the declarations of needed names; those needed only by newer libraries come last, in guards.
func (l *language) declare(list []declaration, need map[string]engine.Std) string {
	byVersion := map[engine.Std]string{}
	var versions []engine.Std
	for _, d := range list {
		since, ok := need[d.name]
		if !ok {
			continue
		}
		if _, ok := byVersion[since]; !ok {
			versions = append(versions, since)
		}
		byVersion[since] += "    " + l.wrap(d.text, 4) + "\n"
	}
	slices.Sort(versions)
	var b strings.Builder
	for _, since := range versions {
		if since == 0 {
			b.WriteString(byVersion[since])
			continue
		}
		b.WriteString(l.atLeast(since) + byVersion[since] + "#endif\n")
	}
	return b.String()
}
