package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// Whole programs of C and Fortran print what the standards of C, Fortran and MPI say: each .txt was worked out by hand.
func TestCourses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/programs/*/*.[cf]*")
	if err != nil || len(files) < 3 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, "", "run", file, "-n", "4")
		if r.code != cmd.OK || r.err != "" {
			t.Errorf("%s: code %d: %s", file, r.code, r.err)
		}
		if d := cmp.Diff(sortedLines(string(want)), sortedLines(r.out)); d != "" {
			t.Errorf("%s: -want +got:\n%s", file, d)
		}
	}
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// What goes wrong in a program of C, or is beyond what is carried out, is one message at its line.
func TestCourseMistakes(t *testing.T) {
	t.Parallel()
	const head = "#include <stdio.h>\n#include <stdlib.h>\n#include <mpi.h>\nint main(int argc, char **argv) {\nMPI_Init(0, 0); int r, x, a[4]; int *p = NULL; " +
		"MPI_Comm_rank(MPI_COMM_WORLD, &r);\n" // what follows is line 6
	mistakes(t, "prog.c", head, "\nMPI_Finalize(); return 0; }\n", map[string]mistake{
		"a[4] = 1;":                           {cmd.Usage, "prog.c:6:2: there is no entry 4: a has 4"},
		"*p = 1;":                             {cmd.Usage, "prog.c:6:1: the pointer is NULL"},
		"printf(\"%d\", x);":                  {cmd.Usage, "prog.c:6:14: x has no value yet"},
		"r = 1 / (r - r);":                    {cmd.Usage, "prog.c:6:7: division by zero"},
		"p = malloc(8); free(p); p[0] = 1;":   {cmd.Usage, "prog.c:6:26: the memory has been freed"},
		"r = y;":                              {cmd.Usage, "prog.c:6:5: y is not declared"},
		"printf(\"%s\", r);":                  {cmd.Usage, "prog.c:6:14: %s prints a text, not a number (int)"},
		"exit(3);":                            {cmd.Usage, "prog.c:6:1: the program ended itself with exit code 3"},
		"struct point { int x; } q; q.y = 1;": {cmd.Usage, "prog.c:6:29: struct point has no field y"},
		"struct point { int x; int *p; } q; MPI_Bcast(&q, sizeof q, MPI_BYTE, 0, MPI_COMM_WORLD);": {cmd.Usage,
			"a structure with pointers cannot be sent as bytes"},
		"struct { double v; int n; } q; MPI_Bcast(&q, 1, MPI_2INT, 0, MPI_COMM_WORLD);": {cmd.Usage,
			"MPI_Bcast: the datatype has int at byte 0, where q has double"},
		"MPI_Finalize(); MPI_Barrier(MPI_COMM_WORLD);": {cmd.Usage, "prog.c:6:17: MPI_Barrier is called after MPI_Finalize"},
		"MPI_Comm_siz(MPI_COMM_WORLD, &x);":            {cmd.Usage, "prog.c:6:1: MPI_Comm_siz is not a known call; did you mean MPI_Comm_size?"},
		"\n#if 1/0\n#endif\n":                          {cmd.Usage, "prog.c:7:1: #if needs integers, names and operators"},
		"scanf(\"%lf\", &x);":                          {cmd.Usage, "prog.c:6:14: %lf needs the address of a variable of type double, not a pointer (int *)"},
		"exit(0);":                                     {cmd.Usage, "prog.c:6:1: MPI_Finalize is missing"},
		"fscanf(stderr, \"%d\", &x);":                  {cmd.Usage, "prog.c:6:1: fscanf can read only from stdin here"},
		"MPI_Op o; MPI_Op_create(main, 1, &o);":        {cmd.Usage, "MPI_Op_create: MPI calls main with 4 arguments, but it takes 2"},
		"MPI_Aint e; MPI_Type_extent(MPI_INT, &e);":    {cmd.Usage, "MPI_Type_extent was removed in MPI-3.0: call MPI_Type_get_extent"},
		"\n#define twice(a) ((a) + (a))\nx = " + strings.Repeat("twice(", 40) + "1" + strings.Repeat(")", 40) + ";": {cmd.Usage,
			"macros or functions of one expression become over 32768 words is not supported here"},
		"union point { int x; } q;": {cmd.Usage,
			"prog.c:6:1: a union is not supported here: run it under a real MPI, and see it here: commsplit record -- mpirun -n 4 prog.c"},
		"pthread_t thread;": {cmd.Usage,
			"prog.c:6:1: the type pthread_t is unknown: run it under a real MPI, and see it here: commsplit record -- mpirun -n 4 prog.c"},
		"FILE *f = fopen(\"x\", \"r\");":                                        {cmd.Usage, "prog.c:6:1: a file is not supported here"},
		"MPI_Send(a, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);":                     {cmd.Usage, "the buffer has elements of int, but the datatype is MPI_DOUBLE"},
		"MPI_Send(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);":                        {cmd.Usage, "5 elements from entry 0 on do not fit: a has 4"},
		"MPI_Recv(a, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);": {cmd.Deadlock, "prog.c:6"},
		"MPI_Sendrecv(a, 2, MPI_INT, 1 - r, 0, a + 2, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);": {cmd.Erroneous,
			"MPI_ERR_TRUNCATE in MPI_Sendrecv on world (prog.c:6)"},
		"MPI_Send(a, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);": {cmd.Erroneous, "MPI_ERR_RANK in MPI_Send on world (prog.c:6)"},
		"MPI_Request q[1]; x = -1; MPI_Waitall(x, q, MPI_STATUSES_IGNORE);": {cmd.Usage,
			"prog.c:6:42: MPI_Waitall: a count of -1 is negative"},
		"MPI_Group g; x = -2; MPI_Comm_group(MPI_COMM_WORLD, &g); MPI_Group_incl(g, x, a, &g);": {cmd.Usage,
			"prog.c:6:79: MPI_Group_incl: a count of -2 is negative"},
		"MPI_Datatype t; x = -1; MPI_Type_vector(x, 1, 1, MPI_INT, &t);": {cmd.Usage, "MPI_Type_vector: a count of -1 is negative"},
		"char t[4]; x = -1; strncpy(t, \"abc\", x);":                     {cmd.Usage, "prog.c:6:20: a length of -1 is negative"},
	})
}

// Rank 0 reads standard input, and the other ranks find it empty, as under launchers of MPI. Results are those of C17
// §7.21.6.2 (scanf), §7.21.7 (characters and lines), Fortran 2018 §13.10.3 (lists), and Python's input. A program
// with OpenMP runs as with OMP_NUM_THREADS=1.
func TestCourseInput(t *testing.T) {
	t.Parallel()
	const head = "#include <stdio.h>\n#include <mpi.h>\nint main(int argc, char **argv) {\nint r, n = 0, k = 0; double x = 0; char s[9] = \"\", l[9];\n" +
		"MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
	const fortran = "program p\nuse mpi\nuse :: omp_lib\nimplicit none\ninteger :: r, e, n, a(3)\nreal :: x\ncharacter(8) :: s\nlogical :: l\n" +
		"call MPI_Init(e); call MPI_Comm_rank(MPI_COMM_WORLD, r, e)\nif (r == 0) then\n"
	for _, c := range []struct{ name, body, in, want string }{
		{"prog.c", `n = scanf("%d", &k); printf("%d %d\n", n, k);`, "42\n", "[0] 1 42\n[1] -1 0\n"},
		{"prog.c", `if (r == 0) { n = scanf("%d,%lf %3s%c", &k, &x, s, l); printf("%d %d %g %s %c\n", n, k, x, s, l[0]); }`, " -7,2.5e1\nabcd", "[0] 4 -7 25 abc d\n"},
		{"prog.c", `if (r == 0) { n = scanf("%*d %x %[a-c] %d", &k, s, &k); printf("%d %d %s\n", n, k, s); }`, "1 ff abba!", "[0] 2 255 abba\n"},
		{"prog.c", `if (r == 0) { while (fgets(l, 4, stdin)) printf("<%s>", l); printf("%d\n", getchar()); }`, "abcdef\ng", "[0] <abc><def><\n[0] ><g>-1\n"},
		{"prog.c", `n = sscanf("3-4", "%d-%d", &k, &r); if (k == 3) printf("%d %d\n", n, r);`, "", "[0-1] 2 4\n"},
		{"prog.c", "\n#pragma omp parallel\nprintf(\"%d of %d\\n\", omp_get_thread_num(), omp_get_num_threads());", "", "[0-1] 0 of 1\n"},
		{"prog.f90", "!$omp parallel\nprint '(2I2)', omp_get_thread_num(), omp_get_max_threads()\n!$omp end parallel", "", "[0]  0 1\n"},
		{"prog.f90", "read(*,*) n, x, s, l\nprint '(I0,1X,F4.1,1X,A,L2)', n, x, trim(s), l\nread *, a\nprint '(3I2)', a", "1 2.5d0, 'a b' T rest\n4\n5,6", "[0] 1  2.5 a b T\n[0]  4 5 6\n"},
		{"prog.f90", "do\nread(*,*,iostat=e) n\nif (e /= 0) exit\nprint '(I0)', n\nend do\nprint '(L1)', e < 0", "1 2\n3\n", "[0] 1\n[0] 3\n[0] T\n"},
		{"prog.f90", "read(*,'(A)') s\nread(s,*) (a(n), n = 1, 2)\nprint '(2I2)', a(1:2)", "8 9\n", "[0]  8 9\n"},
		{"prog.py", "from mpi4py import MPI\nif MPI.COMM_WORLD.rank == 0:\n    print(int(input('n? ')) + int(input()))\n", "1\n2", "[0] n? 3\n"},
	} {
		text := c.body
		switch c.name {
		case "prog.c":
			text = head + c.body + "\nMPI_Finalize(); return 0; }\n"
		case "prog.f90":
			text = fortran + c.body + "\nend if\ncall MPI_Finalize(e)\nend program\n"
		}
		file := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, flags := range [][]string{nil, {"--orders", "all"}} { // each order reads the input again
			if r := run(t, c.in, append([]string{"run", file, "-n", "2"}, flags...)...); r.code != cmd.OK || r.out != c.want {
				t.Errorf("%s: code %d: %s%s\nwant %s", c.body, r.code, r.out, r.err, c.want)
			}
		}
		if r := run(t, text, "run", "-", "-n", "2"); c.name == "prog.py" && (r.code != cmd.Usage || !strings.Contains(r.err, "there is no standard input here")) {
			t.Errorf("from standard input: code %d: %s", r.code, r.err)
		}
	}
}

// mistake is how a program with a mistake ends.
type mistake struct {
	code cmd.Code
	text string
}

// mistakes runs programs of two ranks with these bodies.
func mistakes(t *testing.T, name, head, tail string, bodies map[string]mistake) {
	t.Helper()
	for body, want := range bodies {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(head+body+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := run(t, "", "run", file, "-n", "2"); r.code != want.code || !strings.Contains(r.err+r.out, want.text) {
			t.Errorf("%s: code %d, want %d: %s%s\nwant %s", body, r.code, want.code, r.err, r.out, want.text)
		}
	}
}

// A defect of each kind that programs have, beside the right program: the text calls the first erroneous, or it may wait
// forever, and lets the second run. Ranks are r, and the other one of two is o.
func TestCourseDefects(t *testing.T) {
	t.Parallel()
	const send, recv = "MPI_Send(&x, 1, MPI_INT, o, 0, W);", "MPI_Recv(&y, 1, MPI_INT, o, 0, W, MPI_STATUS_IGNORE);"
	for _, c := range []struct {
		wrong, right string // the bodies
		flags        string
		code         cmd.Code
		text         string
	}{
		{"if (r) MPI_Barrier(W);", "MPI_Barrier(W);", "", cmd.Deadlock, "MPI_Barrier"},
		{"if (r) { MPI_Barrier(W); MPI_Bcast(a, 1, MPI_INT, 0, W); } else { MPI_Bcast(a, 1, MPI_INT, 0, W); MPI_Barrier(W); }",
			"MPI_Bcast(a, 1, MPI_INT, 0, W); MPI_Barrier(W);", "", cmd.Deadlock, "MPI_Bcast"},
		{"MPI_Bcast(a, 1, MPI_INT, r, W);", "MPI_Bcast(a, 1, MPI_INT, 1, W);", "", cmd.Erroneous, "MPI_ERR_ROOT in MPI_Bcast"},
		{"MPI_Allreduce(&x, &y, 1, MPI_INT, r ? MPI_SUM : MPI_MAX, W);", "MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, W);", "", cmd.Erroneous, "MPI_ERR_OP in MPI_Allreduce"},
		{recv + send, "if (r) {" + recv + send + "} else {" + send + recv + "}", "--sends synchronous", cmd.Deadlock, "MPI_Recv"},
		{send + recv, "MPI_Sendrecv(&x, 1, MPI_INT, o, 0, &y, 1, MPI_INT, o, 0, W, MPI_STATUS_IGNORE);", "--sends synchronous", cmd.Deadlock, "MPI_Send"},
		{"if (r) MPI_Send(&x, 1, MPI_INT, 0, 1, W); else " + recv, "if (r) " + send + "else " + recv, "", cmd.Deadlock, "tag"},
		{"MPI_Comm_dup(W, &c); if (r) MPI_Send(&x, 1, MPI_INT, 0, 0, c); else " + recv + "MPI_Comm_free(&c);",
			"MPI_Comm_dup(W, &c); if (r) MPI_Send(&x, 1, MPI_INT, 0, 0, c); else MPI_Recv(&y, 1, MPI_INT, 1, 0, c, MPI_STATUS_IGNORE); MPI_Comm_free(&c);",
			"", cmd.Deadlock, "communicator"},
		{"if (r) MPI_Send(&d, 1, MPI_DOUBLE, 0, 0, W); else " + recv, "if (r) " + send + "else " + recv, "", cmd.Erroneous, "MPI_ERR_TYPE"},
		{"if (r) MPI_Send(a, 4, MPI_INT, 0, 0, W); else " + recv, "if (r) " + send + "else MPI_Recv(a, 4, MPI_INT, 1, 0, W, MPI_STATUS_IGNORE);", "", cmd.Erroneous, "MPI_ERR_TRUNCATE"},
		{send, "if (r) " + send + "else " + recv, "", cmd.Unmet, "nobody received 2 messages"},
		{"MPI_Comm_split(W, r, 0, &c);", "MPI_Comm_split(W, r, 0, &c); MPI_Comm_free(&c);", "", cmd.Unmet, "never freed"},
		{"MPI_Ibarrier(W, &q);", "MPI_Ibarrier(W, &q); MPI_Wait(&q, MPI_STATUS_IGNORE);", "", cmd.Unmet, "never completed"},
		{"MPI_Send_init(&x, 1, MPI_INT, o, 0, W, &q);", "MPI_Send_init(&x, 1, MPI_INT, o, 0, W, &q); MPI_Request_free(&q);", "", cmd.Unmet, "call Free"},
		{"MPI_Recv_init(&y, 1, MPI_INT, o, 0, W, &q);" + send + "MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Request_free(&q);",
			"MPI_Recv_init(&y, 1, MPI_INT, o, 0, W, &q); MPI_Start(&q);" + send + "MPI_Wait(&q, MPI_STATUS_IGNORE); y = 3; MPI_Request_free(&q);",
			"", cmd.Unmet, "nobody received"},
		// What a request that is not complete sends or receives belongs to MPI (§3.7.2, §3.9, §6.12).
		{"MPI_Isend(&x, 1, MPI_INT, o, 0, W, &q); x = 7;" + recv + "MPI_Wait(&q, MPI_STATUS_IGNORE);", "MPI_Isend(&x, 1, MPI_INT, o, 0, W, &q);" + recv +
			"MPI_Wait(&q, MPI_STATUS_IGNORE); x = 7;", "", cmd.Erroneous, "MPI_ERR_BUFFER in MPI_Wait on world (prog.c:5), ranks 0-1: the program changed a buffer of MPI_Isend (prog.c:5)"},
		{"MPI_Irecv(a, 4, MPI_INT, o, 0, W, &q); a[3] = 7;" + send + "MPI_Waitall(1, &q, MPI_STATUSES_IGNORE);", "MPI_Irecv(a, 4, MPI_INT, o, 0, W, &q);" + send +
			"MPI_Waitall(1, &q, &s); a[3] = 7;", "", cmd.Erroneous, "MPI_ERR_BUFFER in MPI_Waitall"},
		{"MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, W, &q); x = 7; MPI_Wait(&q, MPI_STATUS_IGNORE);", "MPI_Iallreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, W, &q); x = 7;" +
			"MPI_Wait(&q, MPI_STATUS_IGNORE);", "", cmd.Erroneous, "MPI-5.0 §6.12"},
		{"MPI_Send_init(&x, 1, MPI_INT, o, 0, W, &q); MPI_Start(&q); x = 7;" + recv + "MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Request_free(&q);",
			"MPI_Send_init(&x, 1, MPI_INT, o, 0, W, &q); x = 7; MPI_Start(&q);" + recv + "MPI_Wait(&q, MPI_STATUS_IGNORE); x = 8; MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Request_free(&q);",
			"", cmd.Erroneous, "MPI_ERR_BUFFER in MPI_Wait"},
		// What is sent and what is received do not overlap (§2.3, §3.10).
		{"MPI_Sendrecv(a, 3, MPI_INT, o, 0, a + 1, 3, MPI_INT, o, 0, W, MPI_STATUS_IGNORE);", "MPI_Sendrecv(a, 2, MPI_INT, o, 0, a + 2, 2, MPI_INT, o, 0, W, MPI_STATUS_IGNORE);" +
			"MPI_Sendrecv_replace(a, 4, MPI_INT, o, 0, o, 0, W, MPI_STATUS_IGNORE);", "", cmd.Erroneous, "pass two buffers, or one to MPI_Sendrecv_replace"},
		{"MPI_Allgather(a, 1, MPI_INT, a, 1, MPI_INT, W);", "MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, a, 1, MPI_INT, W); MPI_Reduce(a, r ? a : &y, 1, MPI_INT, MPI_SUM, 0, W);",
			"", cmd.Erroneous, "pass two buffers, or MPI_IN_PLACE"},
		// A buffer that is significant only at the root need not have a value elsewhere (§6.5, §6.6).
		{"int *p; MPI_Scatter(p, 1, MPI_INT, &y, 1, MPI_INT, 0, W);", "int *p, *t, b[2]; if (r) p = a; else t = b; MPI_Scatter(p, 1, MPI_INT, &y, 1, MPI_INT, 1, W);" +
			"MPI_Gather(&y, 1, MPI_INT, t, 1, MPI_INT, 0, W); if (y != r + 1 || !r && b[1] != 2) MPI_Abort(W, 1);", "", cmd.Usage, "prog.c:5:53: p has no value yet (rank 0)"},
		{"MPI_Send(&x, 1, MPI_INT, o, -2, W);", "", "", cmd.Erroneous, "MPI_ERR_TAG in MPI_Send"},
		{"MPI_Send(&x, 1, MPI_INT, 9, 0, W);", "", "", cmd.Erroneous, "MPI_ERR_RANK in MPI_Send"},
		{"MPI_Sendrecv(&x, 1, MPI_INT, 9, 0, &y, 1, MPI_INT, o, 0, W, &s);", "", "", cmd.Erroneous,
			"MPI_ERR_RANK in MPI_Sendrecv on world (prog.c:5), ranks 0-1: the peer must be a rank of the communicator, 0 to 1, or MPI_PROC_NULL: rank 9 [MPI-5.0 §3.10]"},
		{"if (r) MPI_Sendrecv(&x, 1, MPI_INT, o, 0, &y, 1, MPI_INT, o, 0, W, &s);", "", "", cmd.Deadlock, "rank 1 waits in MPI_Sendrecv (prog.c:5)"},
		{"MPI_Send(&x, 1, MPI_DATATYPE_NULL, o, 0, W);", "", "", cmd.Erroneous, "MPI_ERR_TYPE in MPI_Send"},
		{"MPI_Bcast(a, 1, MPI_INT, 9, W);", "", "", cmd.Erroneous, "MPI_ERR_ROOT in MPI_Bcast"},
		{"MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, W);", "", "", cmd.Erroneous, "MPI_ERR_OP in MPI_Allreduce"},
		{"MPI_Barrier(MPI_COMM_NULL);", "", "", cmd.Erroneous, "MPI_ERR_COMM in MPI_Barrier"},
		{"MPI_Op p = MPI_SUM; MPI_Op_free(&p);", "", "", cmd.Erroneous, "MPI_ERR_OP in MPI_Op_free"},
		{"MPI_Datatype p; MPI_Type_contiguous(2, MPI_INT, &p); MPI_Bcast(a, 1, p, 0, W);", "MPI_Datatype p; MPI_Type_contiguous(2, MPI_INT, &p);" +
			"MPI_Type_commit(&p); MPI_Bcast(a, 2, p, 0, W); MPI_Type_free(&p);", "", cmd.Usage, "not committed"},
		{"MPI_Datatype p; MPI_Type_vector(2, 1, 4, MPI_INT, &p); MPI_Type_commit(&p); MPI_Bcast(a, 1, p, 0, W);", "MPI_Datatype p; MPI_Type_vector(2, 1, 3, MPI_INT, &p);" +
			"MPI_Type_commit(&p); MPI_Bcast(a, 1, p, 0, W); MPI_Type_free(&p);", "", cmd.Usage, "there is no entry 4, which the datatype reaches: a has 4"},
		{"MPI_Datatype p; MPI_Type_vector(2, 1, 2, MPI_INT, &p); MPI_Type_commit(&p);", "MPI_Datatype p; MPI_Type_vector(2, 1, 2, MPI_INT, &p); MPI_Type_commit(&p);" +
			"MPI_Sendrecv(a, 1, p, o, 0, a + 1, 1, p, o, 0, W, &s); MPI_Type_free(&p);", "", cmd.Unmet, "never freed: 2 datatypes"},
		{"MPI_Cart_get(W, 2, a, a, a);", "", "", cmd.Erroneous, "MPI_ERR_TOPOLOGY in MPI_Cart_get"},
		{"MPI_Cart_get(MPI_COMM_NULL, 2, a, a, a);", "", "", cmd.Erroneous, "MPI_ERR_COMM in MPI_Cart_get"},
		{"MPI_Group g, h; MPI_Comm_group(W, &g); h = g; MPI_Group_free(&g); MPI_Group_free(&h);", "MPI_Group g, h; MPI_Comm_group(W, &g); h = g; MPI_Group_free(&h);",
			"", cmd.Erroneous, "MPI_ERR_GROUP in MPI_Group_free"},
		// An assignment copies the handle, which nothing makes null when the object is freed through the other one (§2.5.1).
		{"MPI_Comm_dup(W, &c); MPI_Comm e = c; MPI_Comm_free(&e); if (c != MPI_COMM_NULL) MPI_Barrier(c);",
			"MPI_Comm_dup(W, &c); MPI_Comm e = c; MPI_Barrier(e); if (e == c) MPI_Comm_free(&c);", "", cmd.Erroneous, "the handle is a copy"},
		{"MPI_Irecv(&y, 1, MPI_INT, o, 0, W, &q);" + send + "MPI_Request p; p = q; MPI_Wait(&p, &s); MPI_Wait(&q, &s);", "MPI_Irecv(&y, 1, MPI_INT, o, 0, W, &q);" +
			"MPI_Send(&x, 1, MPI_INT, o, 0, W); MPI_Request p; p = q; MPI_Wait(&p, &s); MPI_Status v = s; MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, W);" +
			"MPI_Recv(&y, 1, MPI_INT, MPI_PROC_NULL, 0, W, &s); if (v.MPI_SOURCE != o) MPI_Abort(W, 1);", "", cmd.Erroneous, "MPI_ERR_REQUEST in MPI_Wait"},
		{"if (argc > 1 && r) MPI_Barrier(W);", "if (argc > 2) MPI_Barrier(W);", "-- 1", cmd.Deadlock, "MPI_Barrier"},
		// A receive from any source that takes the message of the other one leaves a receive that waits forever (§3.5).
		{"if (r < 2) MPI_Send(&x, 1, MPI_INT, 2, 0, W); else { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &s); MPI_Recv(&y, 1, MPI_INT, 1, 0, W, &s); }",
			"if (r < 2) MPI_Send(&x, 1, MPI_INT, 2, r, W); else { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &s); MPI_Recv(&y, 1, MPI_INT, 1, 1, W, &s); }",
			"-n 3 --orders all", cmd.Deadlock, "order 2 fails"},
		// Receives from any source that one call completes take their messages one after the other.
		{"if (r) { MPI_Send(&x, 1, MPI_INT, 0, 0, W); } else { MPI_Request p[2]; MPI_Irecv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, p); " +
			"MPI_Irecv(a + 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, p + 1); MPI_Waitall(2, p, MPI_STATUSES_IGNORE); }",
			"if (r) { MPI_Send(&x, 1, MPI_INT, 0, 0, W); MPI_Send(&x, 1, MPI_INT, 0, 0, W); } else { MPI_Request p[2]; MPI_Irecv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, p); " +
				"MPI_Irecv(a + 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, p + 1); MPI_Waitall(2, p, MPI_STATUSES_IGNORE); } MPI_Barrier(W);",
			"--orders all", cmd.Deadlock, "MPI_Waitall"},
	} {
		const head = "#include <mpi.h>\n#define W MPI_COMM_WORLD\nint main(int argc, char **argv) {\nMPI_Init(&argc, &argv); " +
			"int r, o, x = 1, y = 2, a[4] = {1, 2, 3, 4}; double d = 1; MPI_Comm c; MPI_Request q; MPI_Status s;\n" +
			"MPI_Comm_rank(W, &r); o = 1 - r;\n"
		file := filepath.Join(t.TempDir(), "prog.c")
		for body, code := range map[string]cmd.Code{c.wrong: c.code, c.right: cmd.OK} {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(head, "\n")+body+"\nMPI_Finalize(); return 0; }\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			r := run(t, "", append([]string{"run", file, "-n", "2", "--strict"}, strings.Fields(c.flags)...)...)
			if r.code != code || code != cmd.OK && !strings.Contains(r.err, c.text) {
				t.Errorf("%s: code %d, want %d: %s\nwant %s", body, r.code, code, r.err, c.text)
			}
		}
	}
}

// printf writes what the C library writes, for each flag that C17 §7.21.6.1 gives a conversion, with widths and precisions.
func TestCoursePrintfOpenMPI(t *testing.T) {
	cc := judge.Ask(t, "mpicc.openmpi", "mpicc")
	const text = `#include <stdio.h>
#include <math.h>
char format[40];
const char *widths[] = {"", "1", "9", "24"}, *precisions[] = {"", ".", ".0", ".1", ".4", ".17"};
void form(int mask, const char *flags, const char *width, const char *precision, const char *conversion) {
	int n = 0;
	format[n++] = '[';
	format[n++] = '%';
	for (int k = 0; flags[k]; k++)
		if (mask >> k & 1)
			format[n++] = flags[k];
	sprintf(format + n, "%s%s%s]\n", width, precision, conversion);
	printf("%s", format);
}
int main(void) {
	int ints[] = {0, 1, 7, 42, 255, 123456, -1, -42, -2147483647};
	long longs[] = {0, 9007199254740993, -9223372036854775807};
	double reals[] = {0, 1, 2, 0.5, 1.5, 2.5, 9.5, 99.9999, 123456, 1234567, 0.0001, 0.00001234, 1e20, 1e-300, 3.14159265358979, 100000, 1e15, 1.0 / 3};
	const char *texts[] = {"", "a", "abcdef"};
	char *signs[] = {"d", "i"}, *bare[] = {"u", "x", "X", "o"}, *real[] = {"f", "F", "e", "E", "g", "G"};
	for (int w = 0; w < 4; w++)
		for (int p = 0; p < 6; p++)
			for (int mask = 0; mask < 32; mask++) {
				for (int c = 0; c < 2 && mask < 16; c++) {
					form(mask, "-+ 0", widths[w], precisions[p], signs[c]);
					for (int k = 0; k < 9; k++)
						printf(format, ints[k]);
				}
				for (int c = 0; c < 4 && mask < 8; c++) {
					form(mask, c ? "-0#" : "-0", widths[w], precisions[p], bare[c]);
					for (int k = 0; k < 9; k++)
						printf(format, ints[k]);
				}
				if (mask < 16) {
					form(mask, "-+ 0", widths[w], precisions[p], "ld");
					for (int k = 0; k < 3; k++)
						printf(format, longs[k]);
				}
				if (mask < 8) {
					form(mask, "-0#", widths[w], precisions[p], "lx");
					for (int k = 0; k < 3; k++)
						printf(format, longs[k]);
				}
				for (int c = 0; c < 6; c++) {
					form(mask, "-+ 0#", widths[w], precisions[p], real[c]);
					for (int k = 0; k < 18; k++) {
						printf(format, reals[k]);
						printf(format, -reals[k]);
					}
					printf(format, INFINITY);
					printf(format, -INFINITY);
				}
				if (mask < 2) {
					form(mask, "-", widths[w], precisions[p], "s");
					for (int k = 0; k < 3; k++)
						printf(format, texts[k]);
				}
				if (mask < 2 && p == 0) {
					form(mask, "-", widths[w], "", "c");
					printf(format, 'x');
					form(mask, "-", widths[w], "", "p");
					printf(format, NULL);
				}
			}
	printf("%% %5d|%-5d|%*d|%-*d|%.*f|%+.3e\n", 3, 4, 5, 6, -7, 8, 2, 9.999, 12345.678);
	printf("%*d|%.*d|%.*s\n", -6, 1, -1, 2, -1, "all");
	return 0;
}
`
	folder := t.TempDir()
	file, made := filepath.Join(folder, "prog.c"), filepath.Join(folder, "prog")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), cc, "-w", "-o", made, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), made).Output()
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, "", "run", file, "-n", "1", "--full")
	want, got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.code != cmd.OK || len(want) != len(got) {
		t.Fatalf("code %d, %d lines, want %d: %s", r.code, len(got), len(want), r.err)
	}
	wrong, format := 0, ""
	for i, line := range want {
		if strings.HasPrefix(line, "[%") {
			format = line
		}
		if got := strings.TrimPrefix(got[i], "[0] "); got != line {
			if wrong++; wrong < 20 {
				t.Errorf("%s writes %q, want %q", format, got, line)
			}
		}
	}
	t.Logf("%d lines, %d of them wrong", len(want), wrong)
}

// The arguments behind -- are argv, and a program that MPI_ERRORS_RETURN lets go on gets the code of an error.
func TestCourseArguments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prog.c")
	text := `#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	int code = MPI_Send(NULL, 0, MPI_INT, 99, 0, MPI_COMM_WORLD);
	printf("%d %s %s %d\n", argc, argv[1], argv[2], code == MPI_ERR_RANK);
	MPI_Finalize();
}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "run", file, "-n", "2", "--", "7", "-x"); r.code != cmd.OK || r.out != "[0-1] 3 7 -x 1\n" {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
}

// Ranks that end behind a long computation let those that still compute go on.
func TestCourseTurns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prog.c")
	text := "int main(int argc, char **argv) { for (int i = 0; i < 50000; i++) ; }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "run", file, "-n", "64"); r.code != cmd.OK || r.err != "" {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
}

// What goes wrong in a program of Fortran, or is beyond what is carried out, is one message at its line.
func TestFortranMistakes(t *testing.T) {
	t.Parallel()
	const head = "program prog\nuse mpi\nimplicit none\ninteger :: r, e, a(4), i\ncall mpi_init(e); call mpi_comm_rank(MPI_COMM_WORLD, r, e)\n"
	mistakes(t, "prog.f90", head, "\ncall mpi_finalize(e)\nend program\n", map[string]mistake{
		"i = 5; a(i) = 1": {cmd.Usage, "prog.f90:6:8: there is no entry 5: a has 4"},
		"r = y":           {cmd.Usage, "prog.f90:6:5: y is not declared"},
		"r = 1 / (e - e)": {cmd.Usage, "prog.f90:6:7: division by zero"},
		"contains\nsubroutine s\ntype(MPI_File) :: f": {cmd.Usage, "prog.f90:8:6: a file of MPI is not supported here: run it under a real MPI"},
		"print *, selected_real_kind(20)":             {cmd.Usage, "prog.f90:6:10: this kind is not supported here: run it under a real MPI"},
		"a = reshape((/1, 2, 3/), (/3/))":             {cmd.Usage, "prog.f90:6:1: 3 entries are assigned to 4"},
		"a = reshape((/1, 2, 3, 4/), (/2, 2/))":       {cmd.Usage, "prog.f90:6:1: the numbers of dimensions differ: reshape makes 2, and the array has 1"},
		"open(10, file='x')":                          {cmd.Usage, "prog.f90:6:1: open is not supported here: run it under a real MPI"},
		"a(2:4) = a(1:3)":                             {cmd.Usage, "prog.f90:6:1: an array that is computed from other entries of its own"},
		"a = (/ 1, 2 /)":                              {cmd.Usage, "prog.f90:6:1: 2 entries are assigned to 4"},
		"stop 3":                                      {cmd.Usage, "prog.f90:6:1: the program ended itself with exit code 3"},
		"print *, max('a', 'b')":                      {cmd.Usage, "prog.f90:6:10: numbers are expected here, not character"},
		"print *, abs('a')":                           {cmd.Usage, "prog.f90:6:10: numbers are expected here, not character"},
		"call mpi_recv(a, 1, MPI_INTEGER, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)": {cmd.Deadlock, "prog.f90:6"},
		"call mpi_send(a, 1, MPI_REAL8, 0, 0, MPI_COMM_WORLD, e)":                          {cmd.Usage, "the buffer has elements of int"},
		"call mpi_send(a, 1, MPI_INTEGER, 7, 0, MPI_COMM_WORLD, e)":                        {cmd.Erroneous, "MPI_ERR_RANK in MPI_Send on world (prog.f90:6)"},
	})
}

var merged = regexp.MustCompile(`^\[([-,0-9]+)\] ?(.*)$`)

// printedBy is the lines of a run as a real MPI prints them, in order.
func printedBy(t *testing.T, out string) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(out) {
		m := merged.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		ranks, err := engine.ParseRanks(m[1], engine.MaxSize)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, slices.Repeat([]string{m[2]}, ranks.Len())...)
	}
	slices.Sort(list)
	return list
}

// Programs print here what they print under Open MPI. COMMSPLIT_COURSES may name a folder with others, such as those of
// mpitutorial.com, each with an optional file NAME.args; the test tells how many compile, run, and print the same, and
// fails for none of these.
func TestCoursesOpenMPI(t *testing.T) {
	compiler, launcher := judge.Ask(t, "mpicc.openmpi"), judge.Ask(t, "mpirun.openmpi")
	own := "../testdata/programs/c"
	folder := own
	if f := os.Getenv("COMMSPLIT_COURSES"); f != "" {
		folder = f
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	clock := filepath.Join(t.TempDir(), "clock.c") // time() is the same moment, as it is here
	if err := os.WriteFile(clock, []byte("long __wrap_time(long *t) { if (t) *t = 1700000000; return 1700000000; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if folder == own {
		for _, f := range []string{"language.f90", "persistent.f90", "shared.f"} {
			files = append(files, "../testdata/programs/f90/"+f)
		}
	}
	compiled, ran, same := 0, 0, 0
	for _, file := range files {
		made := filepath.Join(t.TempDir(), "program")
		var args []string
		if text, err := os.ReadFile(strings.TrimSuffix(file, ".c") + ".args"); err == nil {
			args = strings.Fields(string(text))
		}
		n := "4"
		if len(args) > 1 && args[0] == "-n" {
			n, args = args[1], args[2:]
		}
		by := []string{compiler, "-Wl,--wrap=time", "-o", made, file, clock, "-lm"}
		if filepath.Ext(file) != ".c" {
			by = []string{judge.Ask(t, "mpifort.openmpi"), "-J", filepath.Dir(made), "-o", made, file}
		}
		if out, err := exec.CommandContext(t.Context(), by[0], by[1:]...).CombinedOutput(); err != nil {
			t.Logf("%s does not compile: %s", filepath.Base(file), out)
			continue
		}
		compiled++
		c := exec.CommandContext(t.Context(), launcher, slices.Concat([]string{"--oversubscribe", "-n", n, made}, args)...)
		c.Env = judge.OpenMPI(t)
		out, err := c.Output()
		r := run(t, "", slices.Concat([]string{"run", file, "-n", n, "--"}, args)...)
		if err != nil || r.code != cmd.OK {
			t.Logf("%s: under Open MPI %v, here %d %s", filepath.Base(file), err, r.code, r.err)
			if folder == own {
				t.Fail()
			}
			continue
		}
		ran++
		if d := cmp.Diff(sortedLines(string(out)), printedBy(t, r.out)); d != "" {
			t.Logf("%s: -Open MPI +here:\n%s", filepath.Base(file), d)
			if folder == own {
				t.Fail()
			}
			continue
		}
		same++
	}
	t.Logf("%d programs: %d compile under Open MPI, %d run there and here, %d print the same", len(files), compiled, ran, same)
}
