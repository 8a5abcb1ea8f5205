package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl/edit"
)

// keyTable is all keys, in the order of the help.
var keyTable []section

// does turns a function that returns no command into an action.
func does(f func(m *Model)) func(m *Model) tea.Cmd {
	return func(m *Model) tea.Cmd { f(m); return nil }
}

func moves(by func(page int) int) func(m *Model) tea.Cmd {
	return does(func(m *Model) {
		page := 10
		if r, ok := m.layout.of(m.focus); ok {
			page = max(r.h-2, 1)
		}
		m.move(by(page))
	})
}

// lineKeys returns the keys that edit the line at the prompt.
func lineKeys() []binding {
	var list []binding
	for i := range edit.Bindings {
		b := &edit.Bindings[i]
		footer := ""
		if b.Show == "↑" {
			footer = "history"
		}
		list = append(list, binding{b.Keys, b.Show, footer, b.Help, atPrompt, does(func(m *Model) { b.Do(&m.prompt.Editor) })})
	}
	return list
}

func goesTo(p paneID) func(m *Model) tea.Cmd { return does(func(m *Model) { m.focusOn(p) }) }

// paneKeys returns the keys that go to panes.
func paneKeys() []binding {
	var list []binding
	for i, p := range paneTable {
		keys := []string{strconv.Itoa(i + 1)}
		if p.key != "" {
			keys = append(keys, p.key)
		}
		list = append(list, binding{keys, strings.Join(keys, " "), "", strings.ToLower(p.name), inPanes, goesTo(paneID(i))})
	}
	return list
}

func init() { // here, because actions read the table
	keyTable = []section{
		{"At the prompt", promptKeys()},
		{"Moving", movingKeys()},
		{"What shows", showingKeys()},
		{"Time", timeKeys()},
		{"Choosing", choosingKeys()},
		{"In lists", listKeys()},
		{"In a what-if", comparingKeys()},
		{"The rest", otherKeys()},
	}
}

// promptKeys returns the keys that run and complete the line at the prompt.
func promptKeys() []binding {
	return slices.Concat([]binding{
		{[]string{"enter"}, "Enter", "run", "run the line; a blank line ends a block", atPrompt, (*Model).enter},
		{[]string{"tab"}, "Tab", "complete", "complete the word; on an empty line go to the panes", atPrompt, does((*Model).complete)},
	}, lineKeys(), []binding{
		{[]string{"pgup"}, "PgUp", "", "scroll back in the explanation, or in what shows in its place", atPrompt, does(func(m *Model) { m.scrollBelow(-1) })},
		{[]string{"pgdown"}, "PgDn", "", "scroll on in the explanation, or in what shows in its place", atPrompt, does(func(m *Model) { m.scrollBelow(1) })},
		{[]string{"esc"}, "Esc", "panes", "go to the panes", atPrompt, does(func(m *Model) { m.focusOn(m.focus) })},
		{[]string{"ctrl+c"}, "Ctrl-C", "", "stop the running line, or discard the typed one", atPrompt, (*Model).giveUp},
		{[]string{"ctrl+d"}, "Ctrl-D", "leave", "leave, when the line is empty", atPrompt, (*Model).endOfInput},
	})
}

// movingKeys returns the keys that move between panes and inside them.
func movingKeys() []binding {
	return slices.Concat([]binding{
		{[]string{":", "i"}, ":", "line", "type a line of the language", inPanes, does(func(m *Model) { m.typing = true })},
		{[]string{"tab"}, "Tab", "pane", "the next pane", inPanes, does(func(m *Model) { m.nextPane(1) })},
		{[]string{"shift+tab"}, "Shift-Tab", "", "the previous pane", inPanes, does(func(m *Model) { m.nextPane(-1) })},
	}, paneKeys(), []binding{
		{[]string{"up", "k"}, "↑ k", "", "up", inPanes, moves(func(int) int { return -1 })},
		{[]string{"down", "j"}, "↓ j", "", "down", inPanes, moves(func(int) int { return 1 })},
		{[]string{"left", "h"}, "← h", "", "the previous core; close; the previous variable", inPanes, does(func(m *Model) { m.focused().sideways(m, -1) })},
		{[]string{"right", "l"}, "→ l", "", "the next core; open; the next variable", inPanes, does(func(m *Model) { m.focused().sideways(m, 1) })},
		{[]string{"pgup", "ctrl+u", ","}, "PgUp Ctrl-U ,", "", "a page up", inPanes, moves(func(page int) int { return -page })},
		{[]string{"pgdown", "ctrl+d", "."}, "PgDn Ctrl-D .", "", "a page down", inPanes, moves(func(page int) int { return page })},
		{[]string{"home", "g"}, "Home g", "", "to the first", inPanes, moves(func(int) int { return -1 << 30 })},
		{[]string{"end", "G"}, "End G", "", "to the last", inPanes, moves(func(int) int { return 1 << 30 })},
		{[]string{"enter", " "}, "Enter Space", "open", "open or close; on a leaf, explain it", inPanes, does((*Model).unfold)},
		{[]string{"/"}, "/", "find", "find ranks (0-3), a name, or a word of the text", inPanes, does(func(m *Model) { m.find = finder{typing: true} })},
		{[]string{"n"}, "n", "", "find the next one", inPanes, does(func(m *Model) { m.findNext(1) })},
		{[]string{"N"}, "N", "", "find the previous one", inPanes, does(func(m *Model) { m.findNext(-1) })},
		{[]string{"esc"}, "Esc", "", "back: clear search, leave phase, clear selection, prompt", inPanes, does((*Model).clear)},
	})
}

// showingKeys returns the keys that choose what the panes show.
func showingKeys() []binding {
	return []binding{
		{[]string{"v"}, "v", "variable", "the next variable in the cells", inPanes, does(func(m *Model) { m.turnHandle(1) })},
		{[]string{"V"}, "V", "", "the previous variable", inPanes, does(func(m *Model) { m.turnHandle(-1) })},
		{[]string{"m"}, "m", "", "all variables side by side", inPanes, does((*Model).toggleAll)},
		{[]string{"w"}, "w", "", "numbers in cells: world ranks, or ranks in the communicator", inPanes, does((*Model).toggleWorld)},
		{[]string{"d"}, "d", "", "context ids of communicators, and where their calls stand", inPanes, does(func(m *Model) { m.comms.toggleDetail() })},
		{[]string{"a", "|"}, "a", "before", "before | after: the previous step beside this one", inPanes, does((*Model).toggleBefore)},
		{[]string{"x"}, "x", "why", "why: explain the selection", inPanes, goesTo(whyPane)},
		{[]string{"+"}, "+", "zoom", "this pane alone, in big letters if they fit; again: all panes", inPanes, toggles(onePane)},
		{[]string{"T"}, "T", "teach", "for a room: hardware and communicators alone, large; again: all panes", inPanes, toggles(forLesson)},
		{[]string{"pgdown", " "}, "Space PgDn", "next", "for a room: the next phase of a call, the next part of a lesson", teaching, (*Model).on},
		{[]string{"pgup"}, "PgUp", "", "for a room: a phase back", teaching, (*Model).phaseBack},
	}
}

// timeKeys returns the keys that move through the steps of the session.
func timeKeys() []binding {
	return []binding{
		{[]string{"["}, "[", "", "a step back", inPanes, func(m *Model) tea.Cmd { return m.stepBy(-1) }},
		{[]string{"]"}, "]", "time", "a step forward", inPanes, func(m *Model) tea.Cmd { return m.stepBy(1) }},
		{[]string{"{"}, "{", "", "the beginning", inPanes, func(m *Model) tea.Cmd { return m.stepTo(0) }},
		{[]string{"}"}, "}", "", "the present", inPanes, func(m *Model) tea.Cmd { return m.stepTo(m.latest()) }},
		{[]string{"p"}, "p", "play", "play the steps, or pause", inPanes, (*Model).playOrPause},
		{[]string{"P"}, "P", "", "play the last call again", inPanes, (*Model).playAgain},
		{[]string{"f"}, "f", "", "play faster", inPanes, does(func(m *Model) { m.player.faster(m, 1) })},
		{[]string{"s"}, "s", "", "play slower", inPanes, does(func(m *Model) { m.player.faster(m, -1) })},
		{[]string{">"}, ">", "inside", "into the next step, phase by phase", inPanes, (*Model).phaseOn},
		{[]string{"<"}, "<", "", "a phase back", inPanes, (*Model).phaseBack},
		{[]string{"z"}, "z", "undo", "take back the last line (.undo)", inPanes, func(m *Model) tea.Cmd { return m.run(".undo") }},
		{[]string{"Z"}, "Z", "", "run the undone line again (.redo)", inPanes, func(m *Model) tea.Cmd { return m.run(".redo") }},
	}
}

// choosingKeys returns the keys that offer choices, in lists or as lines.
func choosingKeys() []binding {
	return []binding{
		{[]string{"f2"}, "F2", "", "a first split: " + firstSplit, anywhere, func(m *Model) tea.Cmd { return m.run(firstSplit) }},
		{[]string{"f3"}, "F3", "lessons", "a lesson, an exercise or an example", anywhere, does((*Model).pickExample)},
		{[]string{"f4"}, "F4", "", "this machine, or another machine", anywhere, does((*Model).pickTopology)},
		{[]string{"f5"}, "F5", "replay", "as P: play the last call again", anywhere, (*Model).playAgain},
		{[]string{"o"}, "o", "", "as F3", inPanes, does((*Model).pickExample)},
		{[]string{"H"}, "H", "", "a hint for the exercise", inPanes, does((*Model).hint)},
		{[]string{"t"}, "t", "hardware", "as F4", inPanes, does((*Model).pickTopology)},
		{[]string{"b"}, "b", "", "another placement of the ranks", inPanes, does((*Model).pickBinding)},
		{[]string{"B"}, "B", "", "move the selected ranks to other PUs: begins a bind line", inPanes, does((*Model).bindLine)},
		{[]string{"r"}, "r", "", "split by a resource type of this machine", inPanes, does((*Model).pickResource)},
		{[]string{"c"}, "c", "compare", "what if: the last split with other keys, colors or types, side by side", inPanes, (*Model).compareArguments},
		{[]string{"C"}, "C", "", "what if: the session with other bindings, side by side", inPanes, (*Model).compareBindings},
	}
}

// listKeys returns the keys of lists in front of the panes, for the help; the lists handle them.
func listKeys() []binding {
	return []binding{
		{[]string{"up", "down"}, "↑↓", "move", "move", inFront, nil},
		{[]string{"enter"}, "Enter", "choose", "choose", inFront, nil},
		{[]string{"any"}, "letters", "filter", "show only entries that contain them", inFront, nil},
		{[]string{"esc"}, "Esc", "close", "close", inFront, nil},
	}
}

// comparingKeys returns the keys of what-ifs, for the help; what-ifs handle them.
func comparingKeys() []binding {
	return []binding{
		{[]string{"left", "right"}, "←→", "column", "the previous or next column", comparing, nil},
		{[]string{"enter"}, "Enter", "run it", "run the line of the column", comparing, nil},
		{[]string{"k"}, "k", "another key", "one more column: with another key, or NAME=ARGUMENT", comparing, nil},
		{[]string{"esc"}, "Esc", "close", "close", comparing, nil},
	}
}

// otherKeys returns the keys that copy, save and leave.
func otherKeys() []binding {
	return []binding{
		{[]string{"y"}, "y", "", "copy the pane to the clipboard", inPanes, (*Model).copyPane},
		{[]string{"Y"}, "Y", "", "copy the session as a script", inPanes, (*Model).copyScript},
		{[]string{"S"}, "S", "", "translate the last line into C, Fortran and mpi4py (.say)", inPanes, func(m *Model) tea.Cmd { return m.run(".say") }},
		{[]string{"ctrl+s"}, "Ctrl-S", "", "save the session as a script (.save)", anywhere, begins(".save session.mpi")},
		{[]string{"ctrl+l"}, "Ctrl-L", "", "draw the screen anew", anywhere, func(*Model) tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "Ctrl-Z", "", "suspend; fg comes back", anywhere, func(*Model) tea.Cmd { return tea.Suspend }},
		{[]string{"f1"}, "F1", "help", "these keys; ? on an empty line, too", atPrompt, does((*Model).help)},
		{[]string{"?", "f1"}, "? F1", "help", "these keys", inPanes, does((*Model).help)},
		{[]string{"q"}, "q", "quit", "leave", inPanes, (*Model).quit},
		{[]string{"ctrl+c"}, "Ctrl-C", "", "stop the running line, or leave", inPanes, (*Model).stopOrQuit},
	}
}
