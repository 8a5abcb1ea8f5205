package tongue

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// command is a command as one would type it.
func (c *Command) String() string {
	text := c.Verb
	if c.Target.Text != "" {
		text = c.Target.Text + " = " + text
	}
	for _, a := range c.Args {
		text += " "
		if a.Name != "" {
			text += a.Name + "="
		}
		text += strings.ReplaceAll(a.Text, " ", "")
	}
	return text
}

// A call of C or Fortran means the command that makes the same call.
func TestCommands(t *testing.T) {
	for line, want := range map[string]string{
		"MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);":                             "half = split world color=rank%2 key=-rank",
		"call MPI_Comm_split(MPI_COMM_WORLD, mod(rank,2), 0, half, ierr)":                     "",
		"call MPI_Comm_split(MPI_COMM_WORLD, mod(rank,2), 0, half)":                           "half = split world color=rank%2",
		"CALL MPI_COMM_SPLIT(mpi_comm_world, merge(0, MPI_UNDEFINED, rank < 4), rank, low)":   "low = split world color=0ifrank<4elseMPI.UNDEFINED key=rank",
		"MPI_Comm_split(half, rank < 2 ? 0 : MPI_UNDEFINED, 0, &quarter)":                     "quarter = split half color=0ifrank<2elseMPI.UNDEFINED",
		"MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);": "node = split_type world type=SHARED",
		"MPI_Comm_split_type(half, MPI_COMM_TYPE_HW_GUIDED, rank, info, &numa);":              "numa = split_type half type=HW_GUIDED key=rank info=info",
		"MPI_Comm_free(&half);": "free half",
		"MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);": "inter = intercomm_create half remote_leader=1-rank%2 tag=7",
		"MPI_Barrier(MPI_COMM_WORLD); // all":                                     "barrier world",
	} {
		m, err := Read("", line, nil)
		switch {
		case err != nil:
			t.Errorf("%s: %v", line, err)
		case m.Command == nil && want != "" || m.Command != nil && m.Command.String() != want:
			t.Errorf("%s\nmeans %v\nwant  %s", line, m.Command, want)
		}
	}
}

// What makes no command is statements. C's division drops the fraction, also below zero (C11 §6.5.5), where
// Python's goes down; so does Fortran's, and mod has the sign of its first argument.
func TestStatements(t *testing.T) {
	for line, want := range map[string]string{
		"int color = rank / 4;":                                              "color = rank // 4",
		"int color = (rank - 6) / 4, key;":                                   "color = int((rank - 6) / 4)",
		"key = -rank % 3;":                                                   "key = -rank - int(-rank / 3) * 3",
		"int odd = rank % 2 && !(rank > 4) || size == 1;":                    "odd = int(rank % 2 != 0 and not rank > 4 or size == 1)",
		"int n = (rank < 2) + 1;":                                            "n = int(rank < 2) + 1",
		"MPI_Comm half, other;":                                              "pass",
		"MPI_Comm half = MPI_COMM_NULL;":                                     "half = MPI.COMM_NULL",
		"int ranks[] = {0, 2};":                                              "ranks = [0, 2]",
		"int dims[3] = {2};":                                                 "dims = [2] + [0] * 2",
		"int rank, size;":                                                    "pass",
		"MPI_Comm_rank(half, &rank); MPI_Comm_size(half, &size);":            "rank = half.Get_rank()\nsize = half.Get_size()",
		"MPI_Group_incl(everybody, 2, ranks, &few);":                         "few = everybody.Incl(ranks[:2])",
		"MPI_Group_incl(everybody, 2, (int[]){3, 1}, &few);":                 "few = everybody.Incl([3, 1])",
		"call MPI_Group_incl(everybody, 2, [3, 1], few, ierror)":             "few = everybody.Incl([3, 1])\nierror = MPI.SUCCESS",
		"int err = MPI_Barrier(MPI_COMM_WORLD);":                             "world.Barrier()\nerr = MPI.SUCCESS",
		"MPI_Info_set(info, \"mpi_pset_name\", \"app://ocean\");":            "info.Set(\"mpi_pset_name\", \"app://ocean\")",
		"call MPI_Info_set(info, 'it''s', \"x\")":                            "info.Set(\"it's\", \"x\")",
		"MPI_Info_set(info, \"a\\tb\", \"\");":                               "info.Set(\"a\\tb\", \"\")",
		"MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){1, 0}, 0, &grid);": "grid = world.Create_cart(dims[:2], [1, 0], 0)",
		"MPI_Cart_shift(grid, 0, 1, &from, &to);":                            "from_, to = grid.Shift(0, 1)",
		"integer :: color = mod(rank - 3, 2)":                                "color = rank - 3 - int((rank - 3) / 2) * 2",
		"use mpi_f08":                                                        "pass",
		"implicit none":                                                      "pass",
		"type(MPI_Comm) :: half":                                             "pass",
		"integer, parameter :: dims(2) = [2, 4]":                             "dims = [2, 4]",
		"dims[1] = size / 2;":                                                "dims[1] = size // 2",
		"periods = [.false., .TRUE.]":                                        "periods = [False, True]",
		"stays = rank == 0 .or. mod(rank, 2) == 1":                           "stays = rank == 0 or rank % 2 == 1",
		"ends = reshape([1, 5, 2], [3, 1])":                                  "ends = [[1, 5, 2][k_ * [3, 1][0]:(k_ + 1) * [3, 1][0]] for k_ in range([3, 1][1])]",
	} {
		m, err := Read("", line, nil)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is understood: %s", line, m.Program)
		case want == "":
		case err != nil:
			t.Errorf("%s: %v", line, err)
		case m.Program != want:
			t.Errorf("%s\nmeans %s\nwant  %s", line, m.Program, want)
		}
	}
}

// Statements around others become those of a program: an if, and while for each loop (C11 §6.8.4, §6.8.5), of which the
// third expression comes before each next turn, also behind continue; do of Fortran (Fortran 2018 §11.1.7.4) counts by its step.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD);":                              "i = 0|while i < 3:|    world.Barrier()|    i = i + 1",
		"if (rank == 0) {\n  MPI_Comm_dup(w, &c);\n} else if (rank) MPI_Barrier(w);\nelse\n  ;": "if rank == 0:|    c = w.Dup()|else:|    if rank:|        w.Barrier()|    else:|        pass",
		"for (int i = 3; ; i -= 2) { if (i < 0) break; if (i / 2) continue; }":                  "i = 3|while True:|    if i < 0:|        break|    if int(i / 2):|        i = i - 2|        continue|    i = i - 2",
		"do { n++; } while (n < 3);":                                                                  "while True:|    n = n + 1|    if not (n < 3):|        break",
		"if (k) printf(\"%d: %d\", k ? 1 : 2, 3); // both":                                            `if k:|    print("%d: %d" % (1 if k else 2, 3), end="")`,
		"MPI_Comm_rank(w, &n); if (k) n = -3; m = n / 2;":                                             "n = w.Get_rank()|if k:|    n = -3|m = int(n / 2)",
		"MPI_Comm_rank(w, &n); m = n / 2;":                                                            "n = w.Get_rank()|m = n // 2",
		"if (k) n = 3; m = n / 2;":                                                                    "if k:|    n = 3|m = int(n / 2)",
		"if (rank == 0) { printf(\"%d of %d\\n\", rank, size); printf(\"100%%\"); }":                  `if rank == 0:|    print("%d of %d" % (rank, size))|    print("100%%" % (), end="")`,
		"do i = 1, 3\n call MPI_Barrier(MPI_COMM_WORLD)\nend do":                                      "i = 1|while i <= 3:|    world.Barrier()|    i = i + 1",
		"do i = n, 1, -1\nif (i == 2) cycle\nenddo":                                                   "i = n|while i >= 1:|    if i == 2:|        i = i + -1|        continue|    i = i + -1",
		"if (mod(rank, 2) == 0) then\n k = 1\nelse if (rank == 1) then\n k = 2\nelse\n k = 3\nend if": "if rank % 2 == 0:|    k = 1|else:|    if rank == 1:|        k = 2|    else:|        k = 3",
	} {
		if m, err := Read("", line, nil); err != nil || m.Program != strings.ReplaceAll(want, "|", "\n") {
			t.Errorf("%s\nmeans %+v, %v\nwant  %s", line, m, err, want)
		}
	}
	m, err := Read("", "if (rank) {\n  MPI_Barrier(w); MPI_Barrier(v);\n\n  k = 1; }", nil)
	if err != nil || !slices.Equal(m.Lines, []int{0, 1, 1, 3}) || m.Command != nil {
		t.Errorf("%+v, %v", m, err)
	}
}

// In a file of Fortran an assignment is Fortran: its division drops the fraction, and it counts from 1. Elsewhere the same
// text is a statement of a program.
func TestFortranFile(t *testing.T) {
	for line, want := range map[string]string{"middle = size / 2": "middle = size // 2", "dims(2) = size / dims(1)": "dims[1] = int(size / dims[0])"} {
		if m, err := Read("answer.F90", line, nil); err != nil || m.Program != want {
			t.Errorf("%s: %+v, %v", line, m, err)
		}
	}
	if _, ok := Foreign("answer.mpi", "middle = size / 2"); ok {
		t.Error("a statement of a program is taken for Fortran")
	}
}

// What is not understood gets a message that says what is, at its place in the line.
func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"if (rank == 0) {":                                   "15 { is not closed",
		"if (rank == 0) else {}":                             "15 else belongs to no if",
		"for (int i = 0; i < 4; i++) {":                      "28 { is not closed",
		"switch (rank) { }":                                  "0 switch is not allowed here: a line of C is an MPI call, such as MPI_Comm_split(",
		"int i; for (int i = 0; i < 4; i++) MPI_Barrier(w);": "16 i is already declared: in a block, give it another name",
		"if (rank) { break; }":                               "12 break is not allowed here",
		"int main(int argc, char *argv[]) {":                 "0 functions are not allowed here: a line of C is an MPI call",
		"}":                                                  "0 } closes nothing: no { before it is open",
		"MPI_Comm_split(MPI_COMM_WORLD, 0, 0);":              "35 newcomm is missing; prototype: MPI_Comm_split(",
		"int a = ;":                                          "8 an expression is expected before ;",
		"int a[] = {1, 2":                                    "15 } is missing",
		"MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, half);":     "44 the call sets newcomm: write &half; prototype: MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)",
		"MPI_Comm_split(MPI_COMM_WORLD, rank % 2, &half);":       "41 MPI_Comm_split takes 4 arguments: key is missing",
		"MPI_Comm_split(MPI_COMM_WORLD, 0.5, 0, &half);":         "31 0.5 is not an integer",
		"MPI_Comm_splt(MPI_COMM_WORLD, 0, 0, &half);":            "0 MPI_Comm_splt is not a known call; did you mean MPI_Comm_split?",
		"MPI_Send(b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);":         "0 MPI_Send can be called in a whole program (commsplit run FILE), not in a line: a line of C is an MPI call, such as",
		"MPI_Bcast(b, 1, MPI_INT, 0, MPI_COMM_WORLD);":           "0 MPI_Bcast can be called in a whole program",
		"MPI_Barrier(MPI_COMM_WORLD, 1);":                        "28 MPI_Barrier has too many arguments; prototype: MPI_Barrier(MPI_Comm comm)",
		"call foo(1)":                                            "5 the procedure foo is unknown: a line of Fortran is an MPI call",
		"if (rank == 0) then":                                    "19 end if is missing",
		"do i = 1, 3; i = 2; end do":                             "0 the loop sets its own variable i",
		"end if":                                                 "0 end is not allowed here: a line of Fortran is an MPI call",
		"int color = strlen(name);":                              "12 the function strlen is unknown",
		"MPI_Comm_split(MPI_COMM_WORLD, MPI_Wtime(), 0, &half);": "31 write the call of MPI_Wtime on a line of its own",
		"int = 3;":                      "4 a name is expected behind int, not =",
		"int a = 3 4;":                  "10 ; or , is expected before 4",
		"int rank size;":                "9 ; or , is expected before size",
		"int if = 3;":                   "4 if is a word of C, which a variable cannot have as its name",
		"int a = 3);":                   "9 ) closes nothing: no ( before it is open",
		"MPI_Barrier(MPI_COMM_WORLD));": "27 ) closes nothing: no ( before it is open",
		"MPI_Comm_split(MPI_COMM_WORLD, rank % 2 0, &half);":        "40 a comma or ) is expected before 0; prototype: MPI_Comm_split(",
		"MPI_Comm_split(MPI_COMM_WORLD, , 0, &half);":               "31 an expression is expected before ,; prototype: MPI_Comm_split(",
		"MPI_Info_set(info, 'ab', \"b\");":                          "19 one character stands between single quotes: a text has double quotes",
		"if rank == 0 { MPI_Barrier(MPI_COMM_WORLD); }":             "3 a condition stands in brackets: ( is expected before rank",
		"if (rank = 0) { MPI_Barrier(MPI_COMM_WORLD); }":            "9 = in an expression is not read: to compare is ==",
		"for (int i = 0; i < 3) MPI_Barrier(MPI_COMM_WORLD);":       "21 for has three parts, as in for (int i = 0; i < 4; i++): ; is expected before )",
		"call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2) 0, half)": "49 a comma or ) is expected before 0; prototype: MPI_Comm_split(",
		"call MPI_Barrier MPI_COMM_WORLD":                           "17 ( is expected before MPI_COMM_WORLD",
		"integer :: = 3":                                            "11 a name is expected behind ::, not =",
		"integer a = 3":                                             "10 a declaration with a value has :: before its names, as in integer :: a = 3",
	} {
		m, err := Read("", line, nil)
		if err == nil {
			t.Errorf("%s is understood: %s", line, m.Program)
			continue
		}
		if got := strconv.Itoa(err.Col-1) + " " + err.Message; !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
}

// Lines of the language are neither C nor Fortran.
func TestOwnLines(t *testing.T) {
	for _, line := range []string{"half = split world color=rank%2", "for i in range(3):", "x = 3", "x = 1; y = 2", "print(int(3))", "int(4)",
		"if world.rank == 0:", "half = world.Split(0)", "type(x)", "call = 3", "character = 4", "do = 4", "MPI.COMM_WORLD", ".help", "@0-3 split world color=0",
		"return", "text = 'this.or.that'", "all = bridge.Merge(True)", "d = {1: 2}", "integer = 4", "use = 5"} {
		if _, ok := Foreign("", line); ok {
			t.Errorf("%s is taken for C or Fortran", line)
		}
	}
}

// The table's templates name parameters of the call only.
func TestTable(t *testing.T) {
	for _, p := range calls.All {
		for _, template := range append(slices.Clone(p.Statement), p.Command) {
			for _, m := range hole.FindAllStringSubmatch(template, -1) {
				if p.Param(m[1]) == nil {
					t.Errorf("%s: %s is not a parameter", p.Name, m[0])
				}
			}
		}
	}
}

// The call that is being typed, and its parameter.
func TestAt(t *testing.T) {
	for line, want := range map[string]string{
		"MPI_Comm_split(":                            "MPI_Comm comm",
		"MPI_Comm_split(MPI_COMM_WORLD, ":            "int color",
		"MPI_Comm_split(MPI_COMM_WORLD, rank % (2, ": "int color",
		"MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &h":    "MPI_Comm *newcomm",
		"call mpi_comm_split(w, mod(rank, 2), ":      "int key",
		"MPI_Comm_split(w, 0, 0, &h);":               "",
		"MPI_Comm_set_name(w, \"a, b":                "const char *comm_name",
	} {
		c, k := At(line)
		got := ""
		if c != nil && k >= 0 {
			got = c.Declared()[k]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// What a program says is said in C and in Fortran 2008.
func TestSay(t *testing.T) {
	kinds := map[string]string{"half": "MPI_Comm", "few": "MPI_Group", "color": "int", "info": "MPI_Info"}
	params := map[string][]string{"Split": {"color=0", "key=0"}, "Create": {"group"}, "Incl": {"ranks"}, "Split_type": {"split_type", "key=0", "info=INFO_NULL"},
		"Dup": {"info=None"}, "Create_intercomm": {"local_leader", "peer_comm", "remote_leader", "tag=0"}, "Set": {"key", "value"},
		"Create_cart":     {"dims", "periods=None", "reorder=False"},
		"Translate_ranks": {"ranks", "group"}, "Compute_dims": {"nnodes", "dims"}}
	for program, want := range map[string][2]string{
		"low = world.Split(color, 0)": {"MPI_Comm low;\nMPI_Comm_split(MPI_COMM_WORLD, color, 0, &low);",
			"type(MPI_Comm) :: low\ncall MPI_Comm_split(MPI_COMM_WORLD, color, 0, low)"},
		"low = world.Split(world.rank % 2 if world.rank < 4 else MPI.UNDEFINED, key=-world.rank)": {
			"int rank;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm low;\nMPI_Comm_split(MPI_COMM_WORLD, rank < 4 ? rank % 2 : MPI_UNDEFINED, -rank, &low);",
			"integer :: rank\ntype(MPI_Comm) :: low\ncall MPI_Comm_rank(MPI_COMM_WORLD, rank)\ncall MPI_Comm_split(MPI_COMM_WORLD, merge(mod(rank, 2), MPI_UNDEFINED, rank < 4), -rank, low)"},
		"pair = half.Create(half.group.Incl([2, 0]))": {
			"MPI_Group group;\nMPI_Comm_group(half, &group);\nMPI_Group newgroup;\nMPI_Group_incl(group, 2, (int[]){2, 0}, &newgroup);\nMPI_Comm pair;\nMPI_Comm_create(half, newgroup, &pair);",
			"type(MPI_Group) :: group\ntype(MPI_Group) :: newgroup\ntype(MPI_Comm) :: pair\ncall MPI_Comm_group(half, group)\ncall MPI_Group_incl(group, 2, [2, 0], newgroup)\ncall MPI_Comm_create(half, newgroup, pair)"},
		"few = half.group.Incl(range(0, half.size, 2))": {
			"MPI_Group group;\nMPI_Comm_group(half, &group);\nint half_size;\nMPI_Comm_size(half, &half_size);\nMPI_Group few;\nMPI_Group_range_incl(group, 1, (int[][3]){{0, half_size - 1, 2}}, &few);",
			"type(MPI_Group) :: group\ninteger :: half_size\ntype(MPI_Group) :: few\ncall MPI_Comm_group(half, group)\ncall MPI_Comm_size(half, half_size)\ncall MPI_Group_range_incl(group, 1, reshape([0, half_size - 1, 2], [3, 1]), few)"},
		"few = half.group.Incl(range(1, 3))": { // Python's default step is 1; MPI-4.1 §7.3.2: triplets of first, last, stride
			"MPI_Group group;\nMPI_Comm_group(half, &group);\nMPI_Group few;\nMPI_Group_range_incl(group, 1, (int[][3]){{1, 2, 1}}, &few);",
			"type(MPI_Group) :: group\ntype(MPI_Group) :: few\ncall MPI_Comm_group(half, group)\ncall MPI_Group_range_incl(group, 1, reshape([1, 2, 1], [3, 1]), few)"},
		"if half != MPI.COMM_NULL:\n    half.Free()": {"if (half != MPI_COMM_NULL) {\n    MPI_Comm_free(&half);\n}",
			"if (half /= MPI_COMM_NULL) then\n    call MPI_Comm_free(half)\nend if"},
		"node = world.Split_type(MPI.COMM_TYPE_SHARED)": {
			"MPI_Comm node;\nMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);",
			"type(MPI_Comm) :: node\ncall MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node)"},
		"r = few.Translate_ranks([0, 1], few)": {"int r[2];\nMPI_Group_translate_ranks(few, 2, (int[]){0, 1}, few, r);",
			"integer :: r(2)\ncall MPI_Group_translate_ranks(few, 2, [0, 1], few, r)"},
		"d = MPI.Compute_dims(4, [0, 2])": {"int d[] = {0, 2};\nMPI_Dims_create(4, 2, d);",
			"integer :: d(2)\nd = [0, 2]\ncall MPI_Dims_create(4, 2, d)"},
		"c = (color - 3) // 2": {"int c = (color - 3 - ((color - 3) % 2 + 2) % 2) / 2;", "integer :: c\nc = (color - 3 - modulo(color - 3, 2)) / 2"},
	} {
		for i, fortran := range []bool{false, true} {
			s := &Speaker{Fortran: fortran, Kind: func(n string) string { return kinds[n] }, Parameters: func(m string) []string { return params[m] }}
			lines, err := s.Say(program)
			if got := strings.Join(lines, "\n"); err != nil || got != want[i] {
				t.Errorf("%s\nis\n%s\n(%v), want\n%s", program, got, err, want[i])
			}
		}
	}
	s := &Speaker{Kind: func(n string) string { return kinds[n] }}
	if lines, err := s.Say("odd = (color & 1) == 0"); err != nil || lines[0] != "int odd = (color & 1) == 0;" { // C11 §6.5.9 comes before §6.5.10
		t.Errorf("bits are compared as %q, %v", lines, err)
	}
	for program, want := range map[string]string{
		"for i in range(3):\n    half = half.Dup()": "only calls, assignments and if",
		"low = world.Split(here.numa, 0)":           "here.numa asks where a rank runs",
		"x = world.allgather(1)":                    "allgather has no translation to C",
		"low = world.Split(len(color), 0)":          "the function len has no translation",
		"h = halves(world)":                         "the function halves has no translation",
		"at = half.Get_coords(1)":                   "the line does not contain maxdims",
		"r = color.rank":                            ".rank has no translation",
		"half.Barrier(x=1)":                         "Barrier has no translation to C",
	} {
		s := &Speaker{Kind: func(n string) string { return kinds[n] }, Parameters: func(m string) []string { return params[m] }}
		if lines, err := s.Say(program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v (%v), want %s", program, lines, err, want)
		}
	}
}

// A statement that is one call of MPI, whose result a name may get, is a command.
func TestCommandOfStatement(t *testing.T) {
	params := map[string][]string{"Split": {"color=0", "key=0"}, "Free": nil}
	s := &Speaker{Kind: func(n string) string { return map[string]string{"half": "MPI_Comm"}[n] }, Parameters: func(m string) []string { return params[m] }}
	for program, want := range map[string]string{
		"low = world.Split(world.rank % 2, 1)": "low = split <world> color=<world.rank % 2> key=<1>",
		"half.Free()":                          "free <half>",
		"low[0] = world.Split(1)":              "",
		"low, high = world.Split(1)":           "",
		"rank = world.rank":                    "",
		"half.rank":                            "",
		"half.Free()\nhalf.Free()":             "",
	} {
		if got := s.Command(program, func(e string) string { return "<" + e + ">" }); got != want {
			t.Errorf("%s is %q, want %q", program, got, want)
		}
	}
}

// Whatever a line has, it is understood or refused with a message at a place in it.
func FuzzRead(f *testing.F) {
	for _, line := range []string{"MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? -1 : 0x1f, 'a', &half);", "int a[2][3] = {{1}, {2, 3}}, *p; a[1][rank]++;",
		"for (int i = 0; i < 3; i++) if (a[i] && !b) printf(\"%d\\n\", i); else continue;", "do { x += (int)2.5; } while (x < 3); enum { A, B } e;",
		"call mpi_comm_split(w, mod(rank, 2), merge(1, 0, .true.), half, ierr)", "integer, dimension(2) :: d(0:n) = [1, 2], e",
		"do i = n, 1, -2\nif (i == 3) cycle\nd(i) = (/ 1, 2 /)\nend do", "if (a < 1) then; b = reshape([1, 2], [1, 2]); else if (c) then; use mpi; end if",
		"print *, 'a', x(1:2), (y(k), k = 1, 3); character(len=3) :: c"} {
		f.Add(line, true)
		f.Add(line, false)
	}
	f.Fuzz(func(t *testing.T, line string, fortran bool) {
		file := map[bool]string{true: "a.f90", false: "a.c"}[fortran]
		Unfinished(file, line)
		At(line)
		syntax.C("int main() {" + line)                       //nolint:errcheck // it ends
		syntax.Fortran("program a\ninteger :: d(9)\n" + line) //nolint:errcheck // it ends
		_, err := Read(file, line, Scope{"n": {Fortran: true}})
		if lines := strings.Split(line, "\n"); err != nil && (err.Line < 1 || err.Line > len(lines) || err.Col < 1 || err.Col > len(lines[err.Line-1])+1) {
			t.Errorf("%q: %+v", line, err)
		}
	})
}
