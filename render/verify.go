package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Verify prints whether a machine is detected correctly: first each finding with the file, the PU and the values, then
// the consequences, then the witnesses side by side, with kinds of objects as rows.
func Verify(w io.Writer, r *verify.Report, st Style) error {
	v := &verifyPage{page: newPage(st), report: r}
	v.broken()
	v.findings()
	v.table(v.asked(false))
	v.agreement()
	v.differing()
	v.usable()
	v.memory()
	v.devices()
	v.pins()
	v.remarks()
	v.conclusion()
	return v.writeTo(w)
}

// verifyPage is a page with numbered remarks on verdicts.
type verifyPage struct {
	*page
	report   *verify.Report
	remarked []verifyRemark
	marks    map[verify.State]bool // those that a table shows
}

// verifyRemark is the explanation of a verdict, with the kinds of objects of a witness for which it holds.
type verifyRemark struct {
	who, why string
	what     []string
}

// shownBreaches is how many places of one rule are printed with their files.
const shownBreaches = 2

// broken prints the rules that do not hold, and the consequences. A rule that is broken by files that another
// broken rule has listed already is only named.
func (v *verifyPage) broken() {
	told := map[string]bool{} // the files that came first in a breach
	var also []string
	for _, r := range v.report.Rules {
		again := func(b rules.Breach) bool {
			return slices.ContainsFunc(b.Said, func(s rules.Said) bool { return told[s.File] })
		}
		switch {
		case len(r.Breaches) == 0:
			continue
		case !slices.ContainsFunc(r.Breaches, func(b rules.Breach) bool { return !again(b) }):
			also = append(also, r.Name)
			continue
		}
		v.hanging("!   ", r.Says+" ["+r.Name+"]", paint.Alarm)
		for i, b := range r.Breaches {
			told[b.Said[0].File] = true
			if i < shownBreaches {
				v.breach(b)
			}
		}
		if more := len(r.Breaches) - shownBreaches; more > 0 {
			v.hanging("    ", fmt.Sprintf("and %s more like this", spell.Plural(more, "place")), paint.Plain)
		}
	}
	v.list("the same files also break: ", also)
	if v.report.Follows != "" {
		v.hanging("so: ", v.report.Follows, paint.Bold)
		v.line()
	}
}

// list prints what a list holds, nothing for an empty one.
func (v *verifyPage) list(lead string, list []string) {
	if len(list) > 0 {
		v.hanging("    ", lead+strings.Join(list, ", "), paint.Plain)
	}
}

// maxValue is how many bytes of a value are printed.
const maxValue = 60

// breach prints the files of a broken rule, a line each, the first with the PU.
func (v *verifyPage) breach(b rules.Breach) {
	for i, s := range b.Said {
		text := "/" + s.File
		if !strings.Contains(s.File, "/") { // of the tree
			text = s.File
		}
		if i == 0 && b.PU != hw.Unknown {
			text += fmt.Sprintf(", PU %d", b.PU)
		}
		switch {
		case s.Value == "":
			s.Value = "not there"
		case len(s.Value) > maxValue:
			s.Value = s.Value[:maxValue] + "..."
		}
		v.hanging("    ", text+": "+s.Value, paint.Plain)
	}
}

// findings prints where witnesses contradict us, unless a broken rule has told why.
func (v *verifyPage) findings() {
	any := false
	for _, w := range v.report.Witnesses {
		for _, k := range v.report.Kinds {
			if d := w.Verdicts[k]; d.State == verify.Unexplained {
				v.hanging("!   ", fmt.Sprintf("%v, %s: %s", k, w.Name, d.Why), paint.Alarm)
				any = true
			}
		}
	}
	for _, m := range v.report.Memory {
		if m.State == verify.Unexplained {
			v.hanging("!   ", fmt.Sprintf("memory, %s: %s GiB, more than 5 %% from the %s GiB expected",
				m.Witness, gibibytes(m.Bytes), gibibytes(m.Expected)), paint.Alarm)
			any = true
		}
	}
	for _, p := range v.report.Pins {
		if p.Err != nil {
			v.hanging("!   ", fmt.Sprintf("PU %d: %v", p.PU, p.Err), paint.Alarm)
			any = true
		}
	}
	if any {
		v.line()
	}
}

// asked returns the witnesses that answered: those that tell how the machine is built, or those that tell what
// this process may use of it.
func (v *verifyPage) asked(usable bool) []verify.Witness {
	var list []verify.Witness
	for _, w := range v.report.Witnesses {
		if w.Usable == usable && w.State == "" {
			list = append(list, w)
		}
	}
	return list
}

// table draws witnesses side by side, and where the page is too narrow, in two tables or more.
func (v *verifyPage) table(list []verify.Witness) {
	g := &grid{columns: []column{{}, {right: true}}}
	names := []cell{head("type"), head(v.report.Against)}
	for _, w := range list {
		g.columns = append(g.columns, column{right: true})
		names = append(names, head(w.Name))
	}
	g.row(names...)
	for _, k := range v.report.Kinds {
		if v.agreed(k) {
			continue
		}
		row := []cell{text(k.String()), text(strconv.Itoa(len(v.report.Ours[k])))}
		for _, w := range list {
			row = append(row, v.entry(w, k))
		}
		g.row(row...)
	}
	if len(g.rows) == 1 {
		return
	}
	const wide = 1 << 16
	if half := len(list) / 2; half > 0 && total(g.widths(wide)) > v.width {
		v.table(list[:half])
		v.table(list[half:])
		return
	}
	g.drawTo(v.page)
	v.line()
}

// agreed reports whether a kind needs no row: where there are findings, a kind that no witness but ghw
// contradicts.
func (v *verifyPage) agreed(k account.Kind) bool {
	return v.report.Count() > 0 && !slices.ContainsFunc(v.asked(false), func(w verify.Witness) bool {
		d, told := w.Verdicts[k]
		return told && d.State != verify.Agrees && !w.Plain
	})
}

// agreement prints a line for the kinds without a row.
func (v *verifyPage) agreement() {
	var kinds []string
	for _, k := range v.report.Kinds {
		if v.agreed(k) {
			kinds = append(kinds, fmt.Sprintf("%v %d", k, len(v.report.Ours[k])))
		}
	}
	v.list("nobody says otherwise: ", kinds)
}

// entry returns the cell of a verdict: "2 ok", "4 *1" with the number of a remark, "3 !", "2 ~".
func (v *verifyPage) entry(w verify.Witness, k account.Kind) cell {
	verdict, ok := w.Verdicts[k]
	if !ok {
		return quiet("-  ")
	}
	if v.marks == nil {
		v.marks = map[verify.State]bool{}
	}
	v.marks[verdict.State] = true
	mark, ink := "ok", paint.Plain
	switch verdict.State {
	case verify.Explained:
		mark = "*" + strconv.Itoa(v.remark(w.Name, k.String(), verdict.Why))
	case verify.Differs:
		mark = "~"
	case verify.Unexplained:
		mark, ink = "!", paint.Alarm
	}
	return cell{text: fmt.Sprintf("%d %-2s", verdict.Count, mark), ink: ink}
}

// remark returns the number of a reason. The same reason of a witness for several kinds has one number.
func (v *verifyPage) remark(who, what, why string) int {
	for i := range v.remarked {
		if n := &v.remarked[i]; n.who == who && n.why == why {
			if !slices.Contains(n.what, what) {
				n.what = append(n.what, what)
			}
			return i + 1
		}
	}
	v.remarked = append(v.remarked, verifyRemark{who, why, []string{what}})
	return len(v.remarked)
}

// differing prints in a line where ghw contradicts us.
func (v *verifyPage) differing() {
	var kinds []string
	for _, k := range v.report.Kinds {
		for _, w := range v.report.Witnesses {
			if w.Plain && w.Verdicts[k].State == verify.Differs && !slices.Contains(kinds, k.String()) {
				kinds = append(kinds, k.String())
			}
		}
	}
	if len(kinds) > 0 {
		v.hanging("~   ", "ghw differs in "+strings.Join(kinds, ", ")+": it is shown, and decides nothing", paint.Faint)
	}
}

// usable prints in a line which PUs this process may use, and more only where a witness contradicts that.
func (v *verifyPage) usable() {
	if v.report.Cgroup != "" {
		v.hanging("    ", "the cgroup allows "+v.report.Cgroup+": hw show draws the allowed part", paint.Plain)
	}
	var agree []string
	for _, w := range v.asked(true) {
		right := true
		for _, k := range v.report.Kinds {
			switch d := w.Verdicts[k]; d.State {
			case verify.Explained:
				v.remark(w.Name, k.String(), d.Why)
				right = false
			case verify.Differs, verify.Unexplained:
				right = false
			}
		}
		if right {
			agree = append(agree, w.Name)
		}
	}
	v.list("what this process may use: ok by ", agree)
}

// memory prints a line. Amounts that differ are findings, or have a remark.
func (v *verifyPage) memory() {
	var told []string
	for _, m := range v.report.Memory {
		switch m.State {
		case verify.Agrees:
			told = append(told, m.Witness)
		case verify.Explained:
			told = append(told, fmt.Sprintf("%s (but *%d)", m.Witness, v.remark(m.Witness, "memory", m.Why)))
		}
	}
	v.list("memory within 5 %: ok by ", told)
}

// devices prints a line for all devices, and one for each device that ghw has at another place.
func (v *verifyPage) devices() {
	agree, silent := 0, 0
	for _, d := range v.report.Devices {
		switch d.State {
		case verify.Agrees:
			agree++
		case verify.Differs:
			v.hanging("~   ", d.Name+": "+d.Why+" (it decides nothing)", paint.Faint)
		default:
			silent++
		}
	}
	if agree > 0 {
		v.hanging("    ", spell.Plural(agree, "device")+": ok by ghw", paint.Plain)
	}
	if silent > 0 {
		v.hanging("    ", spell.Plural(silent, "device")+": ghw does not tell the place", paint.Faint)
	}
}

func gibibytes(n uint64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<30)) }

func (v *verifyPage) pins() {
	var ran hw.Set
	for _, p := range v.report.Pins {
		if p.Err == nil {
			ran.Add(p.PU)
		}
	}
	if !ran.Empty() {
		v.hanging("    ", threadWords(ran), paint.Plain)
	}
}

// remarks prints the numbered remarks, who was not asked, and what was noted.
func (v *verifyPage) remarks() {
	for i, n := range v.remarked {
		v.hanging(fmt.Sprintf("%-4s", "*"+strconv.Itoa(i+1)), n.who+", "+strings.Join(n.what, ", ")+": "+n.why, paint.Plain)
	}
	var silent []verifyRemark
	for _, w := range v.report.Witnesses {
		switch {
		case w.State == verify.Failed:
			v.hanging("?   ", w.Name+" fails, so its evidence is missing: "+w.Why, paint.Plain)
		case w.State == verify.Unable:
			v.hanging("?   ", w.Name+" cannot answer, so its evidence is missing: "+w.Why, paint.Plain)
		case w.State == verify.Skipped:
			i := slices.IndexFunc(silent, func(r verifyRemark) bool { return r.why == w.Why })
			if i < 0 {
				i, silent = len(silent), append(silent, verifyRemark{why: w.Why})
			}
			silent[i].what = append(silent[i].what, w.Name)
		}
		for _, n := range w.Notes {
			v.hanging("    ", n, paint.Faint)
		}
	}
	if len(silent) > 0 {
		var parts []string
		for _, s := range silent {
			parts = append(parts, strings.Join(s.what, ", ")+" ("+s.why+")")
		}
		v.hanging("    ", "not asked: "+strings.Join(parts, ", "), paint.Faint)
	}
	for _, n := range v.report.Notes {
		v.hanging("    ", n, paint.Faint)
	}
}

// conclusion prints what the marks mean, and the outcome.
func (v *verifyPage) conclusion() {
	hold := 0
	for _, r := range v.report.Rules {
		if len(r.Breaches) == 0 {
			hold++
		}
	}
	v.line()
	legend := "ok agrees"
	for _, m := range []struct {
		state verify.State
		words string
	}{{verify.Explained, "*N see there"}, {verify.Differs, "~ differs, decides nothing"}, {verify.Unexplained, "! finding"}} {
		if v.marks[m.state] {
			legend += "  " + m.words
		}
	}
	if len(v.marks) > 0 {
		v.paragraph(legend+"  - says nothing", 0, paint.Faint)
	}
	rules := fmt.Sprintf("%d of %d rules hold", hold, len(v.report.Rules))
	if len(v.report.Rules) == 0 {
		rules = "no rules without /sys"
	}
	if n := v.report.Count(); n > 0 {
		v.line(styled(spell.Plural(n, "finding")+"; "+rules, paint.Alarm))
		return
	}
	v.line(styled("nothing is wrong; "+rules, paint.Bold))
}

// threadWords tells where bound threads ran.
func threadWords(ran hw.Set) string {
	if ran.Len() == 1 {
		return "a thread bound to PU " + ran.String() + " ran there: ok"
	}
	return "a thread bound to each of PUs " + ran.String() + " ran there: ok"
}
