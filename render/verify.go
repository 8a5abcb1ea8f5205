package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify"
	"commsplit/hw/verify/account"
)

// Verify prints how witnesses see a machine: kinds of objects as rows, witnesses as columns, then
// what explains each difference or remains unexplained.
func Verify(w io.Writer, r *verify.Report, st Style) error {
	v := &verifyPage{page: newPage(st), report: r}
	v.tables("how the machine is built", false)
	v.tables("what this process may use of it", true)
	v.memory()
	v.pins()
	v.remarks()
	v.invariants()
	v.conclusion()
	return v.writeTo(w)
}

// verifyPage is a page with numbered notes.
type verifyPage struct {
	*page
	report *verify.Report
	notes  []verifyNote
}

// verifyNote is one reason, with the kinds of a witness that it holds for.
type verifyNote struct {
	who, why    string
	what        []string
	unexplained bool
}

// asked are the witnesses of one table that answered.
func (v *verifyPage) asked(usable bool) []verify.Witness {
	var list []verify.Witness
	for _, w := range v.report.Witnesses {
		if w.Usable == usable && w.State != verify.Skipped && w.State != verify.Failed {
			list = append(list, w)
		}
	}
	return list
}

// tables draws the witnesses who tell how the machine is built, or what this process may use of it.
func (v *verifyPage) tables(title string, usable bool) {
	list := v.asked(usable)
	if len(list) == 0 {
		return
	}
	v.line(span{title, inkBold})
	v.table(list, usable)
	v.line()
}

// table draws witnesses side by side, and where the page is too narrow, in two tables or more.
func (v *verifyPage) table(list []verify.Witness, usable bool) {
	g := newGrid(column{}, column{right: true})
	names := []cell{head("type"), head("sysfs")}
	for _, w := range list {
		g.columns = append(g.columns, column{right: true})
		names = append(names, head(w.Name))
	}
	g.row(names...)
	for _, k := range v.report.Kinds {
		spoken := slices.ContainsFunc(list, func(w verify.Witness) bool { _, ok := w.Verdicts[k]; return ok })
		if usable && !spoken {
			continue
		}
		row := []cell{text(k.String()), text(itoa(len(v.report.Ours[k])))}
		for _, w := range list {
			row = append(row, v.entry(w, k))
		}
		g.row(row...)
	}
	const wide = 1 << 16
	if half := len(list) / 2; half > 0 && total(g.widths(wide)) > v.width {
		v.table(list[:half], usable)
		v.line()
		v.table(list[half:], usable)
		return
	}
	g.drawTo(v.page)
}

// entry is one verdict: "2 ok", "4 *1" with the number of a note, "3 !2".
func (v *verifyPage) entry(w verify.Witness, k account.Kind) cell {
	verdict, ok := w.Verdicts[k]
	if !ok {
		return quiet("-  ")
	}
	n := itoa(verdict.Count)
	switch verdict.State {
	case verify.Agrees:
		return text(n + " ok")
	case verify.Explained:
		return text(fmt.Sprintf("%s %-2s", n, "*"+itoa(v.note(w.Name, k.String(), verdict.Why, false))))
	}
	return inked(fmt.Sprintf("%s %-2s", n, "!"+itoa(v.note(w.Name, k.String(), verdict.Why, true))), inkAlarm)
}

// note numbers a reason: the same one of a witness for several kinds has one number.
func (v *verifyPage) note(who, what string, why []string, unexplained bool) int {
	reason := strings.Join(why, "; ")
	for i := range v.notes {
		if n := &v.notes[i]; n.who == who && n.why == reason {
			if !slices.Contains(n.what, what) {
				n.what = append(n.what, what)
			}
			return i + 1
		}
	}
	v.notes = append(v.notes, verifyNote{who, reason, []string{what}, unexplained})
	return len(v.notes)
}

func (v *verifyPage) memory() {
	if len(v.report.Memory) == 0 {
		return
	}
	g := newGrid(column{}, column{right: true}, column{right: true}, column{})
	g.row(head("memory"), head("GiB"), head("expected"), head(""))
	for _, m := range v.report.Memory {
		mark := text("ok within 5 %")
		switch m.State {
		case verify.Explained:
			mark = text("*" + itoa(v.note(m.Witness, "memory", []string{m.Why}, false)))
		case verify.Unexplained:
			mark = inked("!"+itoa(v.note(m.Witness, "memory", []string{"more than 5 % apart"}, true)), inkAlarm)
		}
		g.row(text(m.Witness), text(gibibytes(m.Bytes)), text(gibibytes(m.Expected)), mark)
	}
	g.drawTo(v.page)
	v.line()
}

func gibibytes(n uint64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<30)) }

func (v *verifyPage) pins() {
	var ran hw.Set
	for _, p := range v.report.Pins {
		if p.Err == nil {
			ran.Add(p.PU)
		}
	}
	if len(v.report.Pins) == 0 {
		return
	}
	if !ran.Empty() {
		v.paragraph(threadWords(ran), 0, inkPlain)
	}
	for _, p := range v.report.Pins {
		if p.Err != nil {
			v.paragraph(fmt.Sprintf("! PU %d: %v", p.PU, p.Err), 0, inkAlarm)
		}
	}
	v.line()
}

// remarks prints the numbered notes, who was not asked, and what was noted.
func (v *verifyPage) remarks() {
	for i, n := range v.notes {
		mark, k := "*", inkPlain
		if n.unexplained {
			mark, k = "!", inkAlarm
		}
		v.hanging(fmt.Sprintf("%-4s", mark+itoa(i+1)), n.who+", "+strings.Join(n.what, ", ")+": "+n.why, k)
	}
	for _, w := range v.report.Witnesses {
		switch {
		case w.State == verify.Failed:
			v.hanging("!   ", w.Name+" fails: "+w.Why, inkAlarm)
		case w.State == verify.Skipped:
			v.hanging("    ", w.Name+" says nothing: "+w.Why, inkFaint)
		}
		for _, n := range w.Notes {
			v.hanging("    ", n, inkFaint)
		}
	}
	for _, n := range v.report.Notes {
		v.hanging("    ", n, inkFaint)
	}
}

// hanging prints text behind a mark, with further lines below the text.
func (v *verifyPage) hanging(mark, text string, k ink) {
	for i, part := range wrap(printable(text), v.width-len(mark)) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		v.line(span{mark, k}, span{part, k})
	}
}

func (v *verifyPage) invariants() {
	hold := 0
	for _, i := range v.report.Invariants {
		if len(i.Broken) == 0 {
			hold++
			continue
		}
		v.hanging("!   ", "does not hold: "+i.Rule+": "+strings.Join(i.Broken, "; "), inkAlarm)
	}
	v.hanging("    ", fmt.Sprintf("%d of %d rules that every machine follows hold", hold, len(v.report.Invariants)), inkPlain)
}

// conclusion ends with the verdict, and what the marks mean.
func (v *verifyPage) conclusion() {
	v.line()
	v.paragraph("ok agrees   *N differs, and note N explains it   !N unexplained   - says nothing", 0, inkFaint)
	if n := v.report.Count(); n > 0 {
		v.line(span{plural(n, "finding") + " unexplained", inkAlarm})
		return
	}
	v.line(span{"nothing is unexplained", inkBold})
}

// threadWords tell where bound threads ran.
func threadWords(ran hw.Set) string {
	if ran.Len() == 1 {
		return "a thread bound to PU " + ran.String() + " ran there: ok"
	}
	return "a thread bound to each of PUs " + ran.String() + " ran there: ok"
}
