package tongue

import (
	"maps"
	"strings"
	"testing"
)

// inOrder reads lines one behind the other, as a session does.
func inOrder(file string, lines ...string) (string, error) {
	known := Scope{}
	var said []string
	for _, line := range lines {
		m, err := Read(file, line, known)
		if err != nil {
			return "", err
		}
		maps.Copy(known, m.Sets)
		said = append(said, m.Program)
	}
	return strings.Join(said, "\n"), nil
}

// Declared types tell what a line means: entries of arrays (C11 §6.5.2.1, Fortran 2018 §9.5.3.1: the first one has
// index 0, or 1 where the declaration says nothing else), and division of integers, which drops the fraction.
func TestDeclared(t *testing.T) {
	for text, want := range map[string]string{
		"int a[2]; a[0] = 3;|x = a[1];":                                   "a = [None] * 2\na[0] = 3\nx = a[1]",
		"int a[2] = {1};|int b[] = {4, 5, 6};|int m[2][2] = {{1}, {2}};":  "a = [1] + [0] * 1\nb = [4, 5, 6]\nm = [[1] + [0] * 1, [2] + [0] * 1]",
		"int range[1][3] = {{0, 4, 2}};":                                  "range_ = [[0, 4, 2]]",
		"int all[size];|all[rank] = 1;":                                   "all = [None] * size\nall[rank] = 1",
		"int m[2][3];|m[1][2] = 7;":                                       "m = [[None] * 3 for k_ in range(2)]\nm[1][2] = 7",
		"int n[4];|MPI_Cart_shift(c, 0, 1, &n[0], &n[1]);":                "n = [None] * 4\nn[0], n[1] = c.Shift(0, 1)",
		"int n[4];|MPI_Cart_shift(c, 0, 1, &n[UP], &n[DOWN]);":            "n = [None] * 4\nn[UP if UP >= 0 else len(n)], n[DOWN if DOWN >= 0 else len(n)] = c.Shift(0, 1)",
		"MPI_Comm c[2];|MPI_Comm_dup(MPI_COMM_WORLD, &c[0]);":             "c = [None] * 2\nc[0] = world.Dup()",
		"MPI_Comm c[2];|MPI_Comm_free(&c[1]);":                            "c = [None] * 2\nc[1].Free()",
		"int at[4][2];|MPI_Cart_coords(c, rank, 2, at[rank]);":            "at = [[None] * 2 for k_ in range(4)]\nat[rank] = c.Get_coords(rank)",
		"int at[4];|MPI_Cart_coords(c, 0, 2, &at[2]);":                    "at = [None] * 4\nat = [at[:2] + k_ + at[2 + len(k_):] for k_ in [c.Get_coords(0)]][0]",
		"int r[3] = {1, 2, 3};|MPI_Group_incl(g, 2, &r[1], &h);":          "r = [1, 2, 3]\nh = g.Incl(r[1:][:2])",
		"int r[3] = {1, 2, 3};|MPI_Group_incl(g, 2, r + 1, &h);":          "r = [1, 2, 3]\nh = g.Incl(r[1:][:2])",
		"int r[3] = {1, 2, 3};|MPI_Group_incl(g, 3, r, &h);":              "r = [1, 2, 3]\nh = g.Incl(r[:3])",
		"int one = 1;|MPI_Group_incl(g, 1, &one, &h);":                    "one = 1\nh = g.Incl([one])",
		"int n;|MPI_Comm_size(c, &n);|int half = n / 2;|half = half - 2;": "pass\nn = c.Get_size()\nhalf = n // 2\nhalf = half - 2",
		"int rank = -3;|color = rank / 2;":                                "rank = -3\ncolor = int(rank / 2)",
		"bool odd = rank % 2;|int n = odd + 1;":                           "odd = rank % 2 != 0\nn = int(odd) + 1",
		"double x = 2.5;|int n = 2.5;|x = x * 1e3;":                       "x = 2.5\nn = int(2.5)\nx = x * 1000.0",
		"real :: x|x = 3": "pass\nx = 3",
		"double x = 3;|double y = x / 2;|int z = x / 2;":                                    "x = 3\ny = x / 2\nz = int(x / 2)",
		"MPI_Comm world;|MPI_Comm_dup(MPI_COMM_WORLD, &world);|MPI_Comm_dup(world, &list);": "pass\nworld_ = world.Dup()\nlist = world_.Dup()",
		"MPI_Comm_dup(world, &half);":                                                       "half = world.Dup()",
		"int min = 1, max = 2, type = min, in = 4;":                                         "min = 1\nmax = 2\ntype = min\nin_ = 4",

		"integer :: irow, q|q = 4|irow = rank / q":                                             "pass\nq = 4\nirow = rank // q",
		"integer irow, n|irow = RANK / 4|call MPI_COMM_SPLIT(MPI_COMM_WORLD, IROW, Rank, Row)": "pass\nirow = rank // 4\nrow = world.Split(irow, rank)",
		"integer :: n(4)|call MPI_Cart_shift(c, 0, 1, n(1), n(2), ierr)":                       "n = [None] * 4\nn[0], n[1] = c.Shift(0, 1)\nierr = MPI.SUCCESS",
		"integer :: n(0:3), i|n(0) = 1|n(i) = 2":                                               "n = [None] * 4\nn[0] = 1\nn[i if i >= 0 else len(n)] = 2",
		"integer :: n(4), i|n(i) = 2":                                                          "n = [None] * 4\nn[i - 1 if i >= 1 else len(n)] = 2",
		"integer, dimension(2) :: dims = 0|dims = [2, 3]|dims = 1":                             "dims = [0] * 2\ndims = [2, 3]\ndims = [1] * 2",
		"logical :: wraps(2)|wraps(1) = .true.|flag = wraps(1) .and. rank > 0":                 "wraps = [None] * 2\nwraps[0] = True\nflag = wraps[0] and rank > 0",
		"integer :: m(2, 3)|m(2, 3) = 7":                                                       "m = [[None] * 2 for k_ in range(3)]\nm[2][1] = 7",
		"type(MPI_Comm) :: c(2)|call MPI_Comm_dup(MPI_COMM_WORLD, c(2))":                       "c = [None] * 2\nc[1] = world.Dup()",
	} {
		got, err := inOrder("", strings.Split(text, "|")...)
		switch {
		case err != nil:
			t.Errorf("%s: %v", text, err)
		case got != want:
			t.Errorf("%s\nmeans\n%s\nwant\n%s", text, got, want)
		}
	}
}

// What cannot be an entry of an array is refused where the line is read.
func TestNoSuchEntry(t *testing.T) {
	for text, want := range map[string]string{
		"int a[2];|a[2] = 1;":                         "there is no entry 2: the entries are 0 to 1",
		"int a[2];|a[-1] = 1;":                        "there is no entry -1: the entries are 0 to 1",
		"int a;|a[0] = 1;":                            "a has too many indices: it is declared with 0 dimensions",
		"int a[2];|a[0][1] = 1;":                      "a has too many indices: it is declared with 1 dimensions",
		"integer :: a(2)|a(0) = 1":                    "there is no entry 0: the entries are 1 to 2",
		"integer :: a(-1:1)|a(2) = 1":                 "there is no entry 2: the entries are -1 to 1",
		"integer :: a(2)|a = a + 1":                   "+ of whole arrays is not supported: write it for each entry",
		"int n = 2;|int a[n];|a[-1] = 1;":             "there is no entry -1: the first one is 0",
		"int a[];":                                    "the number of entries of a is missing",
		"int r[2];|MPI_Group_incl(g, 3, r, &h);":      "n is 3, and r has 2 entries",
		"int n[4];|MPI_Cart_shift(c, 0, 1, &n, &m);":  "rank_source is not an array",
		"int at[2];|MPI_Cart_coords(c, 0, 2, at[0]);": "coords is an array",
	} {
		if got, err := inOrder("", strings.Split(text, "|")...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\nmeans %s (%v)\nwant  %s", text, got, err, want)
		}
	}
}
