package source

import (
	"slices"
	"strings"
)

// mostLines is how many lines of the script the comment above a call quotes.
const mostLines = 3

// head writes the comment above a call: where it is in the script, and what is written there.
func (g *generator) head(c *call) {
	g.tellScript(c.site)
	if c.site == "" {
		g.comment(c.op.String())
		return
	}
	var lines []string
	for _, site := range strings.Split(c.site, ", ") {
		if text := g.lines[site]; text != "" && !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "...")
	}
	text := g.plan.sites(c.site)
	if len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	g.comment(text)
}

// readScript notes what the lines of the script are.
func (g *generator) readScript() {
	g.lines, g.at = map[string]string{}, map[string]int{}
	for i, l := range g.plan.view.Script {
		g.lines[l.Where], g.at[l.Where] = l.Text, i
	}
	g.plan.shortSites()
}

// tellScript writes what stands in the script before a place and is no call: its notes, and what was
// taken back because it ended in a deadlock.
func (g *generator) tellScript(site string) {
	end := 0
	for _, place := range strings.Split(site, ", ") {
		end = max(end, g.at[place])
	}
	g.tellUntil(end)
}

// tellUntil does so for the lines before the end-th.
func (g *generator) tellUntil(end int) {
	var void []string
	for ; g.told < end; g.told++ {
		l := &g.plan.view.Script[g.told]
		if l.Void {
			void = append(void, g.plan.sites(l.Where)+": "+l.Text)
			continue
		}
		g.tellVoid(&void)
		if l.Note {
			g.comment(l.Text)
			g.body.WriteByte('\n')
		}
	}
	g.tellVoid(&void)
}

func (g *generator) tellVoid(lines *[]string) {
	if len(*lines) > 0 {
		g.comment("Left out, as it ended in a deadlock and was taken back: " + strings.Join(*lines, "; "))
		g.body.WriteByte('\n')
		*lines = nil
	}
}

// comment writes a comment, in as many lines as it needs.
func (g *generator) comment(text string) {
	pad := strings.Repeat("    ", g.indent)
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(pad)+len(*last)+len(word)+len("/*  */")+1 > widest:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	g.body.WriteString(g.lang.comment(lines, pad))
}
