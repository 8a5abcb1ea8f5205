package repl

import (
	"context"

	"commsplit/repl/lang"
)

// MetaCommand is a line that starts with a dot: it is for the session, not for the ranks.
type MetaCommand struct {
	Name  string
	Args  string // for the help
	Short string // one line
	Long  string // a paragraph
	run   func(c *Console, ctx context.Context, args []string) error
	force bool // with ! behind its name it writes over a file that is there
}

// looking are the meta commands that change nothing: with any arguments, or only without one.
var looking = map[string]bool{"help": true, "show": true, "step": true, "explain": true, "world": false, "topo": false, "bind": false, "program": false}

// Looks reports whether a line only looks at what there is in a session.
func Looks(c *lang.Chunk) bool {
	if c.Kind != lang.Meta {
		return false
	}
	m := findMeta(c.Verb.Text)
	if m == nil {
		return false
	}
	always, looks := looking[m.Name]
	return looks && (always || len(c.Args) == 0)
}

// Signature is ".undo [N]".
func (m *MetaCommand) Signature() string {
	name := "." + m.Name
	if m.force {
		name += "[!]"
	}
	if m.Args == "" {
		return name
	}
	return name + " " + m.Args
}

// MetaCommands is the table of all meta commands, in the order of the help.
func MetaCommands() []*MetaCommand { return metaTable }

var metaTable []*MetaCommand

func init() { // the table holds .help, which reads the table
	metaTable = []*MetaCommand{
		{"help", "[VERB]", "verbs and meta commands, or one of them in full",
			"It also knows the names of programs: .help Split tells of MPI.Comm.Split.",
			(*Console).metaHelp, false},
		{"show", "[HANDLE|tree|table|lineage|trace|map|hw|leaks]", "draw a partition, or one of the pictures",
			"HANDLE: the communicators that a variable holds, on the hardware. tree: the hardware. table, also " +
				"without an argument: every rank's part and rank, by variable. lineage: which communicator was made from " +
				"which. trace: the calls. map: where ranks run. hw: which hardware each rank is restricted to. leaks: what " +
				"was never freed.",
			(*Console).metaShow, false},
		{"world", "[N]", "the world; with N, a fresh one of N ranks",
			"Tells the size, the hardware, the placement, the version of the standard and the process sets.",
			(*Console).metaWorld, false},
		{"topo", "[SPEC]", "the hardware; with SPEC, a fresh world on that",
			"SPEC is what --topo takes: this, a preset such as epyc-9654-nps4, an hwloc file FILE.xml, fsroot:PATH (a copy of " +
				"/proc and /sys), job:FILE (where the ranks of a job ran), or a synthetic description such as pack:2 core:4 pu:2. The world gets a rank per core, " +
				"or the ranks of the job.",
			(*Console).metaTopo, false},
		{"bind", "[LIST|FLAGS...]", "where ranks run; with LIST or FLAGS, a fresh world bound so",
			"LIST is what --bind takes: the PUs of each rank, such as 0,1,2-3+8. FLAGS are those of mpirun: --map-by numa:pe=2, " +
				"--rank-by, --bind-to, --rankfile FILE, or of srun: --ntasks-per-node, --cpus-per-task, --distribution, --cpu-bind, --hint. To move ranks of the present world, use the verb bind, without the dot.",
			(*Console).metaBind, false},
		{"undo", "[N]", "take back the last line, or the last N",
			"The lines before run again on a fresh world, with the same results. A fresh world can be taken back, too.",
			(*Console).metaUndo, false},
		{"redo", "", "run again what .undo took back", "", (*Console).metaRedo, false},
		{"step", "[K|in|out|next|back]", "the trace; K: after step K; in: the phases inside of a step", stepHelp, (*Console).metaStep, false},
		{"explain", "HANDLE [@RANKS]", "why ranks hold the communicator that they hold, or COMM_NULL", explainHelp, (*Console).metaExplain, false},
		{"program", "[FILE]", "the session as a program that every rank runs",
			"The program makes the same calls with mpi4py's names. With FILE it is written there. " + overHelp,
			(*Console).metaProgram, true},
		{"save", "FILE [plain]", "write the session with what came: NAME.mpi or NAME.py", saveHelp + overHelp, (*Console).metaSave, true},
		{"export", "FORMAT [FILE] [HANDLE]", "the session as a picture, a table or a program", exportHelp(), (*Console).metaExport, true},
		{"open", "FILE|EXAMPLE", "run a script, then go on",
			"The lines run in the present world; a note tells when the first lines of the script ask for another one.",
			(*Console).metaOpen, false},
		{"recover", "[list|N|forget]", "bring back a session that ended early", recoverHelp, (*Console).metaRecover, false},
		{"mode", "[text|json]", "output of .show", "In json, .show prints the document of run -o json, whatever its argument.",
			(*Console).metaMode, false},
		{"quit", "", "leave; so does Ctrl-D", "", (*Console).metaQuit, false},
	}
}
