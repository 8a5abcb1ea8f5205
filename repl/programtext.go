package repl

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/repl/lang"
)

// program is a chunk as statements of a program.
func (e entry) program() string {
	c := e.chunk
	switch {
	case c.Kind == lang.Meta:
		return ""
	case c.Kind == lang.Program && c.Ranks.Text == "":
		return c.Text + "\n"
	case c.Kind == lang.Program:
		return indent("if "+ranksTest(c.Ranks.Text)+":", strings.Split(c.Body.Text, "\n"))
	}
	cmd, err := bind(c)
	if err != nil || cmd.verb.text == nil {
		return comment(c)
	}
	cmd.target = e.result
	cmd.groups.Store(e.groups)
	cmd.hidden = e.hidden
	return cmd.statements(e.bare)
}

// statements are the command as a program: guarded where not every rank makes the call. bare are the ranks
// that keep no older value of its variable; none when all do not.
func (cmd *command) statements(bare engine.Ranks) string {
	v := cmd.verb
	lines := cmd.text(cmd.groups.Load())
	for i := range lines {
		lines[i] = cmd.fill(lines[i])
	}
	last := len(lines) - 1
	if cmd.target != "" {
		lines[last] = cmd.target + " = " + lines[last]
	}
	var guards []string
	if r := cmd.chunk.Ranks.Text; r != "" {
		guards = append(guards, ranksTest(r))
	}
	if (v.actsOnComm() || v.Call == engine.CallWait) && cmd.bound[0].Text != "world" {
		guards = append(guards, cmd.bound[0].Text+" != MPI.COMM_NULL")
	}
	if len(guards) == 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	text := ""
	switch null := cmd.target + " = MPI.COMM_NULL"; {
	case v.Makes != MakesComm:
	case bare.Len() > 0:
		text = indent("if "+ranksTest(bare.String())+":", []string{null})
	default:
		text = null + "\n"
	}
	return text + indent("if "+strings.Join(guards, " and ")+":", lines)
}

func indent(head string, lines []string) string {
	return head + "\n    " + strings.Join(lines, "\n    ") + "\n"
}

// ranksTest is a condition that holds on the ranks "0-3,7" of the world.
func ranksTest(ranks string) string {
	r, err := engine.ParseRanks(ranks, engine.MaxSize)
	if err != nil {
		return "False"
	}
	var parts []string
	for _, e := range r {
		if e.Lo == e.Hi {
			parts = append(parts, fmt.Sprintf("world.rank == %d", e.Lo))
		} else {
			parts = append(parts, fmt.Sprintf("(%d <= world.rank and world.rank <= %d)", e.Lo, e.Hi))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " or ") + ")"
}

// fill replaces {param} by the argument's text, in which rank, size and so on are written out.
func (cmd *command) fill(line string) string {
	var pairs []string
	for k, p := range cmd.verb.Params {
		text := cmd.bound[k].Text
		if k > 0 || p.Kind != CommParam {
			text = writeOut(text, cmd.commText(), cmd.hidden)
		}
		pairs = append(pairs, "{"+p.Name+"}", text)
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

func (cmd *command) commText() string {
	if cmd.verb.actsOnComm() {
		return cmd.bound[0].Text
	}
	return "world"
}

// lines is a verb's text without conditions.
func lines(text ...string) func(func(string) bool) []string {
	return func(func(string) bool) []string { return slices.Clone(text) }
}

func askText(given func(string) bool) []string {
	if given("answer") {
		return []string{"ask({question}, {value}, {answer})"}
	}
	return []string{"ask({question}, {value})"}
}

func splitTypeText(given func(string) bool) []string {
	call := "{comm}.Split_type({type}, {key}, %s)"
	switch {
	case given("info"):
		return []string{fmt.Sprintf(call, "{info}")}
	case !given("resource") && !given("pset"):
		return []string{"{comm}.Split_type({type}, {key})"}
	}
	list := []string{"info = MPI.Info.Create()"}
	if given("resource") {
		list = append(list, fmt.Sprintf("info.Set(%q, {resource})", engine.KeyHWResourceType))
	}
	if given("pset") {
		list = append(list, fmt.Sprintf("info.Set(%q, {pset})", engine.KeyPsetName))
	}
	return append(list, fmt.Sprintf(call, "info"))
}
