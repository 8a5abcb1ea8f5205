package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// DUMPI, of the simulator SST, records each call of MPI 2 with its arguments: one binary file for each process, and one of
// text about the whole run (docs/traceformat.dox of sstsimulator/sst-dumpi). dumpi2ascii writes a process's calls as text
// (dumpi/bin/dumpi2ascii-defs.h there):
//
//	MPI_Comm_split entering at walltime 15287.315792774, cputime 0.046412747 seconds in thread 0.
//	MPI_Comm oldcomm=2 (MPI_COMM_WORLD)
//	int color=0
//	int key=1
//	MPI_Comm newcomm=4 (user-defined-comm)
//	MPI_Comm_split returning at walltime 15287.316145076, cputime 0.046508531 seconds in thread 0.
//
// Its numbers of communicators are those of a process, and are used again for others once they are freed.

// isDUMPI reports whether a text begins as DUMPI's file about a run does.
func isDUMPI(head string) bool {
	return strings.Contains(head, "numprocs=") && strings.Contains(head, "fileprefix=") && strings.IndexByte(head, 0) < 0
}

const dumpiNote = "read from a DUMPI trace, which tells the arguments of calls: places in the program, the members that the library gave, " +
	"calls that never returned and where the ranks ran are not in it. Members are those of the rules of MPI"

// readDUMPI reads the file about a run, and beside it the text of each process.
func (t *trace) readDUMPI(f *os.File, file string) error {
	said := map[string]string{}
	if err := t.lines(f, func(line string) error {
		key, value, _ := strings.Cut(line, "=")
		said[key] = value
		return nil
	}); err != nil {
		return err
	}
	n, err := strconv.Atoi(said["numprocs"])
	prefix := said["fileprefix"]
	if err != nil || n < 1 || n > mostRanks || prefix == "" || strings.ContainsAny(prefix, `/\`) {
		return fmt.Errorf("it does not say of how many processes it is, 1 to %d, and how their files are called: want numprocs=N and fileprefix=NAME", mostRanks)
	}
	t.begin("DUMPI", n)
	t.notes = append(t.notes, dumpiNote)
	found := 0
	for rank, p := range t.processes {
		name := fmt.Sprintf("%s-%04d.txt", prefix, rank)
		text, err := wholefile.Open(filepath.Join(filepath.Dir(file), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		found++
		d := &dumpi{process: p, comms: map[string]string{"1": "-1", "2": "0", "3": "1"}, groups: map[string]string{"1": "-1", "2": "0"},
			made: map[string]string{"0": "MPI_COMM_WORLD", "1": "MPI_COMM_SELF"}, held: map[string]int{}, next: 2, group: 1}
		d.seen = true
		err = t.lines(text, d.line)
		text.Close()
		if err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
	}
	if found == 0 {
		return fmt.Errorf("there is no %s-0000.txt beside it, nor the text of another process: want what dumpi2ascii makes of each, as "+
			"\"for f in %s-*.bin; do dumpi2ascii -S $f >${f%%.bin}.txt; done\" writes it", prefix, prefix)
	}
	return nil
}

// dumpi reads the calls of a process.
type dumpi struct {
	*process
	name          string            // of the call that is read; "" between calls
	begin         int64             // when it began
	args          map[string]string // of the call, by name
	last          string            // the name of the last of them
	start         int64             // when MPI_Init returned
	comms, groups map[string]string // our numbers, by DUMPI's
	made          map[string]string // by our number: what made it
	held          map[string]int    // windows and files, by kind and DUMPI's number
	next, group   int               // numbers that are free
}

// line reads a line.
func (d *dumpi) line(text string) error {
	if name, at, ok := strings.Cut(text, " entering at walltime "); ok && strings.HasPrefix(name, "MPI") {
		when, err := walltime(at)
		d.name, d.begin, d.args, d.last = name, when, map[string]string{}, ""
		return err
	}
	if name, at, ok := strings.Cut(text, " returning at walltime "); ok && d.name == name {
		when, err := walltime(at)
		if err == nil {
			err = d.returned(when)
		}
		d.name = ""
		return err
	}
	if rest, ok := strings.CutPrefix(text, "]"); ok && d.last != "" { // ends a list of lists, and begins a line of its own
		text = rest
	} else if strings.HasPrefix(text, ", [") && d.last != "" {
		d.args[d.last] += text
		return nil
	}
	left, value, ok := strings.Cut(text, "=")
	if d.name == "" || !ok {
		return nil
	}
	words := strings.Fields(left)
	if len(words) < 2 {
		return nil
	}
	d.last, _, _ = strings.Cut(words[len(words)-1], "[")
	d.args[d.last], d.args["type of "+words[0]] = value, d.last
	return nil
}

// walltime reads a time of "12.000000345, cputime ...", in nanoseconds.
func walltime(text string) (int64, error) {
	text, _, _ = strings.Cut(text, ",")
	seconds, rest, ok := strings.Cut(text, ".")
	s, err1 := strconv.ParseInt(seconds, 10, 40)
	ns, err2 := strconv.ParseInt(rest, 10, 32)
	if !ok || err1 != nil || err2 != nil || len(rest) != 9 {
		return 0, fmt.Errorf("%q is not a time in seconds with nine digits behind the point", hw.Clip(text))
	}
	return 1e9*s + ns, nil
}

// rows has the calls that make or free something, with DUMPI's names of their arguments: the communicator, the
// arguments that recordings have as NAME=DUMPI'S, and the result.
var rows = map[string][3]string{
	"MPI_Comm_dup":           {"oldcomm", "", "newcomm"},
	"MPI_Comm_create":        {"oldcomm", "group=group", "newcomm"},
	"MPI_Comm_split":         {"oldcomm", "color=color key=key", "newcomm"},
	"MPI_Cart_create":        {"oldcomm", "dims=dims periods=periods reorder=reorder", "newcomm"},
	"MPI_Cart_sub":           {"oldcomm", "remain=remain_dims", "newcomm"},
	"MPI_Graph_create":       {"oldcomm", "index=index edges=edges reorder=reorder", "newcomm"},
	"MPI_Intercomm_create":   {"localcomm", "leader=localleader peer=remotecomm remoteleader=remoteleader tag=tag", "newcomm"},
	"MPI_Intercomm_merge":    {"comm", "high=high", "newcomm"},
	"MPI_Comm_spawn":         {"oldcomm", "", "newcomm"},
	"MPI_Comm_accept":        {"oldcomm", "", "newcomm"},
	"MPI_Comm_connect":       {"oldcomm", "", "newcomm"},
	"MPI_Comm_get_parent":    {"-", "", "parent"},
	"MPI_Comm_set_name":      {"comm", "name=name", ""},
	"MPI_Comm_free":          {"comm", "", ""},
	"MPI_Comm_disconnect":    {"comm", "", ""},
	"MPI_Comm_group":         {"comm", "", "group"},
	"MPI_Comm_remote_group":  {"comm", "", "group"},
	"MPI_Group_incl":         {"-", "group=group ranks=ranks", "newgroup"},
	"MPI_Group_excl":         {"-", "group=group ranks=ranks", "newgroup"},
	"MPI_Group_range_incl":   {"-", "group=group ranges=ranges", "newgroup"},
	"MPI_Group_range_excl":   {"-", "group=group ranges=ranges", "newgroup"},
	"MPI_Group_union":        {"-", "group=group1 group2=group2", "newgroup"},
	"MPI_Group_intersection": {"-", "group=group1 group2=group2", "newgroup"},
	"MPI_Group_difference":   {"-", "group=group1 group2=group2", "newgroup"},
	"MPI_Group_free":         {"-", "group=group", ""},
}

// holders and droppers have the calls that make or free a window or a file, with DUMPI's names for it.
var holders = map[string]string{"MPI_Win_create": "win", "MPI_File_open": "file"}
var droppers = map[string]string{"MPI_Win_free": "win", "MPI_File_close": "file"}

// returned writes the call.
func (d *dumpi) returned(end int64) error {
	if strings.HasPrefix(d.name, "MPI_Init") && d.start == 0 {
		d.start = end
	}
	begin, end := d.begin-d.start, end-d.start
	row, known := rows[d.name]
	switch {
	case known:
		return d.write(row, begin, end)
	case holders[d.name] != "":
		what := holders[d.name]
		d.held[what+" "+d.number(what)] = d.holds
		fmt.Fprintf(d, "hold\t%d\t%d\t%s\t%d\t%d\n", d.holds, d.place("comm"), d.name, end, end-begin)
		d.holds++
	case droppers[d.name] != "":
		what := droppers[d.name]
		if n, there := d.held[what+" "+d.number(what)]; there {
			fmt.Fprintf(d, "drop\t%d\t%d\t%s\t%d\n", n, d.site("", "", ""), d.name, end)
		}
	case d.args["type of MPI_Datatype"] != "" || d.name == "MPI_Barrier":
		d.use(d.comms[d.number("comm")])
	}
	return nil
}

// number returns the number in an argument such as "2 (MPI_COMM_WORLD)".
func (d *dumpi) number(name string) string {
	n, _, _ := strings.Cut(d.args[name], " ")
	return n
}

// place returns the site of a call. As a trace has no places in the program, calls are told apart by the call that
// made their communicator.
func (d *dumpi) place(comm string) int {
	if comm == "-" {
		return d.site("on groups", "", "")
	}
	what := d.made[d.comms[d.number(comm)]]
	if strings.HasPrefix(what, "MPI_COMM_") {
		return d.site("on "+what, "", "")
	}
	return d.site("on one of "+what, "", "")
}

// undefined is MPI_UNDEFINED of MPICH and Open MPI, which DUMPI writes as a number.
const undefined = "-32766"

// write writes a call that has a row.
func (d *dumpi) write(row [3]string, begin, end int64) error {
	comm, site := "-", d.place(row[0])
	if row[0] != "-" {
		var ok bool
		if comm, ok = d.comms[d.number(row[0])]; !ok {
			return fmt.Errorf("%s on communicator %q, which no call before made", d.name, hw.Clip(d.number(row[0])))
		}
	}
	var args []string
	for _, pair := range strings.Fields(row[1]) {
		name, theirs, _ := strings.Cut(pair, "=")
		text, there := d.args[theirs]
		if !there {
			return fmt.Errorf("%s without its argument %s", d.name, theirs)
		}
		value, err := d.value(name, text)
		if err != nil {
			return fmt.Errorf("%s, argument %s: %w", d.name, theirs, err)
		}
		args = append(args, name+"="+value)
	}
	var results []string
	switch made := d.number(row[2]); {
	case row[2] == "":
	case strings.HasSuffix(row[2], "group"):
		d.groups[made] = strconv.Itoa(d.group)
		results = []string{"newgroup=" + d.groups[made]}
		d.group++
	case made == "1":
		results = []string{"null"}
	default:
		d.comms[made] = strconv.Itoa(d.next)
		d.made[d.comms[made]] = d.name
		results = []string{"new=" + d.comms[made]}
		d.next++
	}
	d.call(site, d.name, comm, args, results, begin, end)
	return nil
}

// value writes an argument as recordings do.
func (d *dumpi) value(name, text string) (string, error) {
	number, _, _ := strings.Cut(text, " ")
	switch {
	case name == "group" || name == "group2":
		if id, ok := d.groups[number]; ok {
			return id, nil
		}
		return "", fmt.Errorf("group %q, which no call before made", hw.Clip(number))
	case name == "peer":
		if id, ok := d.comms[number]; ok {
			return id, nil
		}
		return "-1", nil // significant only at the leader
	case name == "name":
		return quoted(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)), nil
	case name == "color" && number == undefined:
		return "undefined", nil
	case strings.HasPrefix(text, "["), text == "<IGNORED>":
		list := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("[], ", c) })
		if text == "<IGNORED>" || len(list) == 0 {
			return "[]", nil
		}
		return strings.Join(list, ","), nil
	}
	if _, err := strconv.ParseInt(number, 10, 64); err != nil {
		return "", fmt.Errorf("%q is not a number", hw.Clip(number))
	}
	return number, nil
}

// quoted writes a text as recordings do: bytes that are not printable ASCII as %XX.
func quoted(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c > 0x7e || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
