package confirm

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
)

// Report is the result of a confirmation.
type Report struct {
	Library  Library
	Ranks    int
	Calls    int // that make communicators, and were compared
	Handles  int // variables, likewise
	Errors   int // erroneous calls that the library finds, with the same class
	Findings []Finding
	Gaps     []Gap
	Deadlock *engine.Deadlock // the engine's diagnosis where the library hangs, too
	Of       []string         // what of communicators was compared: "members", "order" ...
	Hosts    int              // on which the ranks were placed; 0 where nobody asked
}

// Kind is the kind of a finding.
type Kind uint8

// The kinds of findings, worst last.
const (
	Free  Kind = iota // the standard leaves it to the library
	Known             // a known deviation explains it
	Different
)

// String returns the kind as documents have it.
func (k Kind) String() string { return [...]string{"free", "known", "difference"}[k] }

// Finding is a result of the library that differs from the engine's.
type Finding struct {
	Kind     Kind
	Handle   string // the variable, "" for a call
	Ranks    engine.Ranks
	Step     int // of the trace; 0 when it is about no one call
	Call     engine.Call
	Where    string // "demo.py:7", "" when unknown
	Expected string
	Found    string
	Why      []deviation.Note // what explains it
	Rule     string           // why a library is free; "" for other kinds
	Follows  int              // later findings that are left out, since their calls are on what this one is about

	reason int    // the step that explains it, 0 when nothing does
	in     aspect // what is not the same
}

// Gap is something that was not compared.
type Gap struct {
	What []string // variables or calls
	Why  string
}

// Verdict returns the worst finding in a word: "equal", "known deviation", "difference", or "nothing compared".
func (r *Report) Verdict() string {
	worst := Free
	for _, f := range r.Findings {
		worst = max(worst, f.Kind)
	}
	switch {
	case worst == Different:
		return "difference"
	case worst == Known:
		return "known deviation"
	case r.Calls == 0 && r.Handles == 0 && r.Errors == 0 && r.Deadlock == nil && len(r.Findings) == 0:
		return "nothing compared"
	}
	return "equal"
}

// gap notes that something was not compared.
func (r *Report) gap(what, why string) {
	for i := range r.Gaps {
		if g := &r.Gaps[i]; g.Why == why {
			if !slices.Contains(g.What, what) {
				g.What = append(g.What, what)
			}
			return
		}
	}
	r.Gaps = append(r.Gaps, Gap{[]string{what}, why})
}

// Text writes the report for a person: the verdict, then the findings, each with its reason if the reason is known, then
// the results that were not compared.
func (r *Report) Text(w io.Writer, st render.Style) error {
	p := &page{width: st.Line()}
	r.verdictOn(p, st)
	if r.Calls+r.Handles+r.Errors > 0 {
		p.line("", r.extent())
	}
	if r.Calls+r.Handles > 0 && len(r.Of) > 0 {
		p.line("", "of each: "+strings.Join(r.Of, ", "))
	}
	for i := range r.Findings {
		p.finding(r, &r.Findings[i])
	}
	if r.Deadlock != nil {
		p.line("", "")
		p.line("", r.Library.Name+" hangs where the engine says that it must:")
		p.line("  ", r.Deadlock.Message)
	}
	if len(r.Gaps) > 0 {
		p.line("", "")
	}
	for _, g := range r.Gaps {
		p.line("", "not compared: "+some(g.What)+": "+g.Why)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// verdictOn writes the headline, a difference in the ink of errors.
func (r *Report) verdictOn(p *page, st render.Style) {
	inks, ink := &paint.Palette{}, paint.Bold
	if st.Colors != paint.NoColor {
		inks = paint.NewPalette(st.Colors, st.Dark)
	}
	if r.Verdict() == Different.String() {
		ink = paint.Alarm
	}
	inks.Put(&p.b, repl.Wrap(r.headline(), p.width, ""), ink)
	p.b.WriteString("\n")
}

// headline returns the verdict in a line.
func (r *Report) headline() string {
	name := r.Library.Name
	switch r.Verdict() {
	case "equal":
		if len(r.Findings) > 0 {
			return "equal: " + name + " gives the same where the standard leaves no choice"
		}
		return "equal: " + name + " gives the same"
	case "known deviation":
		return "known deviation: " + name + " departs from the standard here"
	case "difference":
		return "difference: " + name + " gives something else"
	case "nothing compared":
		if len(r.Gaps) == 0 {
			return "nothing compared with " + name + ": the session makes no communicator"
		}
		return "nothing compared with " + name
	}
	return r.Verdict()
}

// extent returns how many ranks, calls, variables and errors were compared.
func (r *Report) extent() string {
	var parts []string
	for _, x := range []struct {
		n    int
		noun string
	}{{r.Ranks, "rank"}, {r.Calls, "constructor call"}, {r.Handles, "handle"}, {r.Errors, "erroneous call"}} {
		if x.n > 0 {
			parts = append(parts, spell.Plural(x.n, x.noun))
		}
		if x.noun == "rank" && r.Hosts > 0 {
			parts[0] += " on " + spell.Plural(r.Hosts, "host")
		}
	}
	return "compared: " + strings.Join(parts, ", ")
}

// mostNames is how many variables or calls one line names.
const mostNames = 6

func some(list []string) string {
	if len(list) > mostNames+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:mostNames], ", "), len(list)-mostNames)
	}
	return strings.Join(list, ", ")
}

// page gathers lines that are no wider than a terminal.
type page struct {
	b     strings.Builder
	width int
}

func (p *page) line(indent, text string) {
	if text != "" {
		text = repl.Wrap(text, p.width, indent)
	}
	p.b.WriteString(text + "\n")
}

// sides writes the expected result and the library's result below each other.
func (p *page) sides(names, texts [2]string) {
	wide := max(len(names[0]), len(names[1]))
	for i := range names {
		p.b.WriteString(repl.Hang(fmt.Sprintf("  %-*s  ", wide, names[i]), texts[i], p.width) + "\n")
	}
}

func (p *page) finding(r *Report, f *Finding) {
	p.line("", "")
	head := f.Ranks.Noun()
	if f.Handle != "" {
		head = f.Handle + ", " + head
	}
	if f.Call != engine.CallNone {
		head += ": " + at(f.Call, f.Where)
	}
	if f.Step > 0 {
		head += fmt.Sprintf(", step %d", f.Step)
	}
	p.line("", head)
	p.sides([2]string{"commsplit", r.Library.Name}, [2]string{f.Expected, f.Found})
	for _, n := range f.Why {
		if n.Step != f.Step && n.Where != f.Where {
			p.line("  ", "It descends from "+at(n.Call, n.Where)+".")
		}
		p.line("  ", fmt.Sprintf("Known of it (%s): %s [%s; %s].", n.Deviation, n.Rule, n.Source, n.Call.Rule()))
	}
	if f.Rule != "" {
		p.line("  ", f.Rule)
	}
	if f.Kind == Different {
		p.line("  ", "No known deviation explains it.")
	}
	switch f.Follows {
	case 0:
	case 1:
		p.line("  ", "A later call gives something else because it is made on what this call made.")
	default:
		p.line("  ", fmt.Sprintf("%d later calls give something else because they are made on what this call made.", f.Follows))
	}
}

// JSON writes the report as a document.
func (r *Report) JSON(w io.Writer) error {
	d := document.Confirmation{
		Version: 1, Verdict: r.Verdict(), Library: r.Library.Name, Ranks: r.Ranks, Calls: r.Calls, Handles: r.Handles,
		Errors: r.Errors, Aspects: r.Of, NotCompared: []document.Gap{},
	}
	d.Findings = r.Documents()
	for _, g := range r.Gaps {
		d.NotCompared = append(d.NotCompared, document.Gap(g))
	}
	if r.Deadlock != nil {
		d.Deadlock = &r.Deadlock.Message
	}
	return document.Write(w, &d)
}

// Documents returns the findings as documents have them.
func (r *Report) Documents() []document.Finding {
	list := []document.Finding{}
	for i := range r.Findings {
		list = append(list, r.Findings[i].document())
	}
	return list
}

func (f *Finding) document() document.Finding {
	doc := document.Finding{
		Kind: f.Kind.String(), Handle: document.OrNull(f.Handle), Ranks: f.Ranks.String(), Where: f.Where,
		Expected: f.Expected, Found: f.Found, Deviations: []document.Known{}, Rule: document.OrNull(f.Rule), Follows: f.Follows,
	}
	if f.Step > 0 {
		doc.Step = &f.Step
	}
	if f.Call != engine.CallNone {
		doc.Call = document.OrNull(f.Call.String())
	}
	for i := range f.Why {
		doc.Deviations = append(doc.Deviations, document.KnownDeviation(&f.Why[i]))
	}
	return doc
}
