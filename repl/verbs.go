package repl

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"go.starlark.net/starlark"
)

// Verbs is the table of all verbs, in the order of the help.
var Verbs = slices.Concat(constructors, interVerbs, handleVerbs, []*Verb{rebinding}, checkVerbs)

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func IsVerb(word string) bool { return FindVerb(word) != nil }

func VerbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}

// Checks reports whether a line narrates, asks or expects.
func Checks(c *lang.Chunk) bool {
	return c.Kind == lang.Command && slices.ContainsFunc(checkVerbs, func(v *Verb) bool { return v.Name == c.Verb.Text })
}

// Issues reports whether a line is a command of that verb.
func Issues(c *lang.Chunk, verb string) bool { return c.Kind == lang.Command && c.Verb.Text == verb }

// ExpectsDeadlock reports whether a line is expect_deadlock, which lets blocked ranks go.
func ExpectsDeadlock(c *lang.Chunk) bool { return Issues(c, "expect_deadlock") }

// handleVerbs are the verbs that make no communicator.
var handleVerbs = []*Verb{
	{
		Name: "free", Call: engine.CallFree, Params: []Param{{"comm", CommParam, "", "the communicator to free"}},
		Short:   "free a communicator; the variable becomes COMM_NULL",
		Long:    "Collective over the communicator. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed.",
		Example: "free half",
		text:    lines("{comm}.Free()"),
	},
	{
		Name: "disconnect", Call: engine.CallDisconnect, Params: []Param{{"comm", CommParam, "", "the communicator to free"}},
		Short:   "free a communicator after its communication is complete",
		Long:    "As free, but first waits until the pending receives and duplications of the rank have completed.",
		Example: "disconnect half",
		text:    lines("{comm}.Disconnect()"),
	},
	{
		Name: "compare", Makes: MakesValue, Call: engine.CallCompare,
		Params:  []Param{commParam, {"other", CommParam, "", "the communicator to compare with"}},
		Short:   "IDENT, CONGRUENT, SIMILAR or UNEQUAL",
		Long:    "IDENT: the same communicator. CONGRUENT: the same ranks in the same order, another context. SIMILAR: the same ranks in another order. UNEQUAL: anything else.",
		Example: "compare world half",
		text:    lines("MPI.Comm.Compare({comm}, {other})"), show: comparison,
	},
	{
		Name: "name", Call: engine.CallSetName,
		Params:  []Param{commParam, {"text", TextParam, "", "the name"}},
		Short:   "name a communicator",
		Long:    "The name shows in tables and pictures. A duplicate does not inherit it.",
		Example: `name world "everybody"`,
		text:    lines("{comm}.Set_name({text})"),
	},
	{
		Name: "barrier", Call: engine.CallBarrier, Params: []Param{commParam},
		Short:   "wait for all ranks of a communicator",
		Long:    "Returns on a rank once all ranks of comm have called it. With @ranks in front, it shows what happens when some ranks do not call it.",
		Example: "barrier world",
		text:    lines("{comm}.Barrier()"),
	},
	{
		Name: "hw_info", Makes: MakesInfo, Call: engine.CallHWInfo, OneShot: true,
		Short:   "which hardware each rank is restricted to",
		Long:    `For each hardware resource type: "true" on ranks that are restricted to a single instance of it. The names are those that split_type takes as resource.`,
		Example: "hw = hw_info",
		text:    lines("MPI.Get_hw_resource_info()"),
	},
}

// comparison returns the name of a result of MPI_Comm_compare.
func comparison(v starlark.Value) string {
	n, err := starlark.AsInt32(v)
	if err != nil {
		return v.String()
	}
	return engine.Comparison(n).String()
}

// rebinding is the verb that moves ranks. .bind, the meta command, makes a fresh world instead.
var rebinding = &Verb{
	Name: "bind",
	Params: []Param{{"ranks", RanksParam, "", "world ranks: 3, or 0-3,7"},
		{"cpuset", CPUSetParam, "", "PUs of the host of each rank, by P#: 0-1, or 0-1+8; or an expression that gives such a text"}},
	Short:   "move ranks to other PUs",
	Long:    "The ranks may use only these PUs from now on, as if the system had moved the ranks. Communicators stay as they are: a communicator that was split by hardware and no longer matches it is stale, and pictures and .explain show that. Later splits and hw_info use the new PUs.",
	Example: "bind 3 0-1",
	text:    lines("bind({ranks}, {cpuset})"),
}

// checkVerbs are the verbs of scripts: expectations and narration.
var checkVerbs = []*Verb{
	{
		Name:    "expect",
		Params:  []Param{{"cond", AnyValue, "", "must be true on every rank that issues it"}, {"message", TextParam, `""`, "the meaning of the condition"}},
		Short:   "expectation: a condition",
		Long:    "Counts as passed when the condition is true on all ranks that issue it.",
		Example: `expect world.size==8 "eight ranks"`,
		text:    lines("expect({cond}, {message})"),
	},
	{
		Name: "expect_parts",
		Params: []Param{{"handle", HandleParam, "", "the variable"},
			{"parts", PartsParam, "", "the world ranks of each communicator in rank order: [[0,2],[1,3]]"}},
		Short:   "expectation: who is in which communicator",
		Long:    "All other ranks must hold COMM_NULL. An intercommunicator is a pair of groups: ([0],[3,4]).",
		Example: "expect_parts half [[6,4,2,0],[7,5,3,1]]",
		text:    lines("expect_parts({handle}, {parts})"),
	},
	{
		Name: "expect_error",
		Params: []Param{{"error", AnyValue, "", "an error class: MPI.ERR_ARG"},
			{"call", FuncParam, "", "a function without parameters that must raise it"}},
		Short:   "expectation: an MPI error",
		Long:    "The function must raise an error of that class on every rank that issues the command.",
		Example: "expect_error MPI.ERR_ARG (lambda: world.Split(-1))",
		text:    lines("expect_error({error}, {call})"),
	},
	{
		Name:    "expect_deadlock",
		Short:   "expectation: ranks are blocked; takes back their lines",
		Long:    "Passes when some ranks wait in calls that cannot return. The lines that led there are taken back.",
		Example: "expect_deadlock",
	},
	{
		Name:  "expect_no_leaks",
		Short: "expectation: everything was freed and completed",
		Long: "Passes if all communicators, groups and requests made so far have been freed, and all messages and requests have " +
			"completed. In a program, it is checked when the program ends.",
		Example: "expect_no_leaks",
		text:    lines("expect_no_leaks()"),
	},
	{
		Name:    "note",
		Params:  []Param{{"text", TextParam, "", "the text"}},
		Short:   "narrate",
		Example: `note "two halves"`,
		Long:    "Prints the text once, for the reader of a script.",
		text:    lines("note({text})"),
	},
	{
		Name: "ask",
		Params: []Param{{"question", TextParam, "", "the question"},
			{"value", AnyValue, "", "the result: it must be equal to answer, or true if there is no answer"},
			{"answer", AnyValue, "None", "the right answer"},
			{"why", TextParam, "None", "the reason, shown after a wrong prediction; without it, .explain gives the reason if the value is of one rank's communicator"}},
		Short: "let the reader predict, then reveal",
		Long: "At a prompt it waits for a prediction, any text, and then shows the value; Enter alone just shows the value. " +
			"The members of a list may come in any order, unless the question contains the word order; if the question is whether a call " +
			"returns, \"it hangs\" means no. In a script that runs unattended, ask is an expectation.",
		Example: `ask "How many ranks are in each half?" half.size answer=4`,
		text:    askText, tells: "value",
	},
}

func askText(given func(string) bool) []string {
	switch {
	case given("why"):
		return []string{"ask({question}, {value}, {answer}, {why})"}
	case given("answer"):
		return []string{"ask({question}, {value}, {answer})"}
	}
	return []string{"ask({question}, {value})"}
}
