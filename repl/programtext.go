package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"commsplit/engine"
	"commsplit/repl/lang"
)

// header makes a program run unchanged under a real MPI with mpi4py.
const header = "from mpi4py import MPI\nfrom commsplit import world, here, expect, expect_parts, expect_error, note, ask\n\n"

// Text is the session as it was typed, with the flags that its world needs: a script.
func (s *Session) Text() string {
	var b strings.Builder
	b.WriteString(s.flagsLine())
	for _, c := range s.Chunks() {
		b.WriteString(c.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// Program is the session as a program that every rank runs. What expect_deadlock took back is only
// a comment.
func (s *Session) Program() string {
	var b strings.Builder
	b.WriteString(s.flagsLine())
	b.WriteString(header)
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		if e := s.entries[i]; void[i] {
			b.WriteString(comment(e.chunk))
		} else {
			b.WriteString(e.program())
		}
	}
	return b.String()
}

// comment is a chunk as lines that do nothing.
func comment(c *lang.Chunk) string {
	return "# " + strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "\n# ") + "\n"
}

// flagsLine is the "# commsplit:" line of the world.
func (s *Session) flagsLine() string {
	c := s.config
	words := []string{"# commsplit:", "-n", fmt.Sprint(s.Size())}
	add := func(flag, value string) {
		if value != "" {
			if strings.ContainsAny(value, " \t") {
				value = `"` + value + `"`
			}
			words = append(words, flag, value)
		}
	}
	add("--topo", c.Topo)
	add("--map-by", c.Policy.MapBy)
	add("--rank-by", c.Policy.RankBy)
	add("--bind-to", c.Policy.BindTo)
	add("--bind", c.Policy.List)
	add("--std", c.Std)
	for _, p := range c.Psets {
		add("--pset", p)
	}
	return strings.Join(words, " ") + "\n"
}

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
	if err != nil || cmd.verb.program == nil {
		return comment(c)
	}
	cmd.target = e.result
	cmd.groups.Store(e.groups)
	return cmd.statements()
}

// statements are the command as a program: guarded where not every rank makes the call.
func (cmd *command) statements() string {
	v := cmd.verb
	lines := v.program(func(param string) bool { return cmd.given[v.param(param)] })
	for i := range lines {
		if cmd.groups.Load() {
			lines[i] = strings.ReplaceAll(lines[i], "{comm}.group.Incl({group})", "{group}")
		}
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
	if v.actsOnComm() && cmd.bound[0].Text != "world" {
		guards = append(guards, cmd.bound[0].Text+" != MPI.COMM_NULL")
	}
	if len(guards) == 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	text := ""
	if v.Makes == MakesComm {
		text = cmd.target + " = MPI.COMM_NULL\n"
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
			text = writeOut(text, cmd.commText())
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

// writeOut replaces the names that only commands have by what programs write. Attributes and the
// names of keyword arguments are not meant.
func writeOut(expr, comm string) string {
	parsed, err := syntax.LegacyFileOptions().ParseExpr("", expr, 0)
	if err != nil {
		return expr
	}
	other := map[*syntax.Ident]bool{}
	var found []*syntax.Ident
	syntax.Walk(parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			other[n.Name] = true
		case *syntax.CallExpr:
			for _, a := range n.Args {
				if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
					other[b.X.(*syntax.Ident)] = true
				}
			}
		case *syntax.Ident:
			if !other[n] && longName(n.Name, comm) != "" {
				found = append(found, n)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b *syntax.Ident) int {
		return cmp.Or(cmp.Compare(a.NamePos.Line, b.NamePos.Line), cmp.Compare(a.NamePos.Col, b.NamePos.Col))
	})
	lines := strings.Split(expr, "\n")
	for _, id := range slices.Backward(found) {
		line := []rune(lines[id.NamePos.Line-1])
		at := int(id.NamePos.Col) - 1
		end := at + utf8.RuneCountInString(id.Name)
		lines[id.NamePos.Line-1] = string(line[:at]) + longName(id.Name, comm) + string(line[end:])
	}
	return strings.Join(lines, "\n")
}

func longName(name, comm string) string {
	switch name {
	case "rank", "size", "remote_size":
		return comm + "." + name
	case "UNDEFINED":
		return "MPI.UNDEFINED"
	}
	if constants[name] != nil {
		return "MPI.COMM_TYPE_" + name
	}
	if slices.Contains(rankNames, name) {
		return "here." + name
	}
	return ""
}

// lines is a verb's program without conditions.
func lines(text ...string) func(func(string) bool) []string {
	return func(func(string) bool) []string { return slices.Clone(text) }
}

func splitTypeProgram(given func(string) bool) []string {
	call := "{comm}.Split_type({type}, {key}, %s)"
	switch {
	case given("info") && !given("resource") && !given("pset"):
		return []string{fmt.Sprintf(call, "{info}")}
	case !given("resource") && !given("pset"):
		return []string{"{comm}.Split_type({type}, {key})"}
	}
	list := []string{"info = MPI.Info.Create()"}
	if given("info") {
		list[0] = "info = {info}"
	}
	if given("resource") {
		list = append(list, fmt.Sprintf("info.Set(%q, {resource})", engine.KeyHWResourceType))
	}
	if given("pset") {
		list = append(list, fmt.Sprintf("info.Set(%q, {pset})", engine.KeyPsetName))
	}
	return append(list, fmt.Sprintf(call, "info"))
}
