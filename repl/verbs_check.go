package repl

// checkVerbs are the verbs of scripts: expectations and narration.
var checkVerbs = []*Verb{
	{
		Name:    "expect",
		Params:  []Param{{"cond", AnyValue, "", "must be true on every rank that issues it"}, {"message", TextParam, `""`, "what it means"}},
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
		Long:    "Ranks that are in no part must hold COMM_NULL. An intercommunicator is a pair of groups: ([0],[3,4]).",
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
		Short:   "expectation: ranks are blocked; lets them go",
		Long:    "Passes when some ranks wait in calls that cannot return. The lines that led there are taken back.",
		Example: "expect_deadlock",
	},
	{
		Name:    "note",
		Params:  []Param{{"text", TextParam, "", "what to say"}},
		Short:   "narrate",
		Example: `note "two halves"`,
		Long:    "Prints the text once, for the reader of a script.",
		text:    lines("note({text})"),
	},
	{
		Name: "ask",
		Params: []Param{{"question", TextParam, "", "what the reader should predict"},
			{"value", AnyValue, "", "what came: it must be equal to answer, or true if none is given"},
			{"answer", AnyValue, "None", "what is right"}},
		Short: "let the reader predict, then reveal",
		Long: "At a prompt it waits for a prediction, takes any text, and tells the value; Enter alone just tells. " +
			"The members of a list may be named in any order, unless the question has the word order; where it asks whether a call " +
			"returns, \"it hangs\" is no. In a script that runs unattended it is an expectation.",
		Example: `ask "How many ranks are in each half?" half.size answer=4`,
		text:    askText, tells: "value",
	},
}
