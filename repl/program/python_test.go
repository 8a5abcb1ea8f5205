package program

import "testing"

// Python's own language, with what Python 3.11 prints.
func TestPython(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"x = 7\nprint(f'{x} {x:03d} {x!r:>4} {x / 2:.2f} {{}} {\"a\" + \"b\"}')":                   "7 007    7 3.50 {} ab",
		"w = 6\nprint(f'{3.14159:{w}.2f}|{\"a\":<3}|{\"b\":^3}|{1234567:,}|{255:#x}')":             "  3.14|a  | b |1,234,567|0xff",
		"y = 2\nprint(f'{y=}', 2 ** 10, -2 ** 2, 2 ** -1, 2 ** 3 ** 2)":                            "y=2 1024 -4 0.5 512",
		"print('%5.2f|%-4d|%04d|%s|%e|%g' % (3.14159, 7, 42, 'a', 12345.678, 0.0001))":             " 3.14|7   |0042|a|1.234568e+04|0.0001",
		"print('{0:2}|{1:>5}|{name:.1f}'.format(1, 'ab', name=2.25))":                              " 1|   ab|2.2",
		"print('{:>{}}|{:{w}}'.format('a', 5, 7, w=3))":                                            "    a|  7",
		"a = b = 3\na += 1\nprint(a, b, 1 < b < 4, 1 < b < 3, b is None)":                          "4 3 True False False",
		"try:\n    x = [1][3]\nexcept IndexError:\n    x = 'no'\nfinally:\n    y = 2\nprint(x, y)": "no 2",
		"def f():\n    for i in range(5):\n        try:\n            if i == 1:\n                continue\n            if i == 3:\n                return i\n        finally:\n            x = i\n    return -1\nprint(f())": "3",
		"def f(n):\n    total = 0\n    try:\n        total = 10 // n\n    except ZeroDivisionError as e:\n        total = -1\n    else:\n        total += 1\n    return total\nprint(f(0), f(5))":                            "-1 3",
		"try:\n    raise ValueError('bad', 3)\nexcept (KeyError, ValueError) as e:\n    print(e.args, e)":                                                                                                                    "('bad', 3) ('bad', 3)",
		"try:\n    MPI.COMM_WORLD.Split(-5)\nexcept MPI.Exception as e:\n    print(e.Get_error_class() == MPI.ERR_ARG)":                                                                                                      "True",
		"import math, sys\nfrom math import sqrt as root\nprint(root(9.0), math.floor(2.7), len(sys.argv))":                                                                                                                  "3.0 2 1",
		"def f():\n    global n\n    n = 5\nn = 1\nf()\nprint(n, end='!')\nprint('x', sep='')":                                                                                                                               "5!x",
		"print({1, 2}, sum(x for x in range(4)), 'a' 'b', 1_000, [3, 1][::-1])":                                                                                                                                              "{1, 2} 6 ab 1000 [1, 3]",
		"x = [3, 1, 2]\nx.sort()\nx[1:2] = [9, 9]\ndel x[0]\nprint(x, round(2.5), round(2.675, 2), isinstance(1, int))":                                                                                                      "[9, 9, 3] 2 2.67 True",
		"c = MPI.COMM_WORLD.rank > 0\nprint(c == 0, c != 0, 1.0 == True, c < 1, 0 <= c <= 1, (1 > 5) == 0)":                                                                                                                  "True False True True True True",
		"print([1, 0] == [True, False], (1, [2]) != (True, [2]), [1] == (True,), 3 not in [1, 2], None is not None)":                                                                                                         "True False False True False",
		"print(*[1, 2], sep='-', end=' ')\nprint(list(zip([1, 2], 'ab')), list(enumerate('ab')))":                                                                                                                            "1-2 [(1, 'a'), (2, 'b')] [(0, 'a'), (1, 'b')]",
		"try:\n    import nosuch.part\nexcept ModuleNotFoundError as e:\n    print(e)":                                                                                                                                       "there is no module nosuch here",
		"a, n = [0] * 3, 2\na[0] = a[1] = n\na[n] = n = 1\na[0] = b = a[2] + n\nprint(a, b, n)":                                                                                                                              "[2, 2, 1] 2 1",
		"p = (1, 2)\np, q = r = p\nprint(p, q, r)":                                                                                                                                                                           "1 2 (1, 2)",
		"if __name__ == '__main__':\n    assert 1 < 2, 'no'\n    print('main')":                                                                                                                                              "main",
	} {
		out := mustRun(t, 1, code)
		out.prints(t, []string{"0: " + want})
	}
}

// Arrays, with what numpy 1.24 prints.
func TestArrays(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"import numpy as np\na = np.ndarray((2, 3), dtype=int)\nprint(a.shape, a.dtype, isinstance(a, np.ndarray), isinstance([], np.ndarray))":                             "(2, 3) int64 True False",
		"print(np.arange(8) / 10., np.zeros(2, int), np.ones(2, dtype='i'))":                                                                                                "[0.  0.1 0.2 0.3 0.4 0.5 0.6 0.7] [0 0] [1 1]",
		"a = np.arange(6)\nb = a[1:4]\nb[:] = 9\nb += 1\nprint(a, b.sum(), len(b), a.shape, a[-1])":                                                                         "[ 0 10 10 10  4  5] 30 3 (6,) 5",
		"a = np.zeros((2, 3))\na[1, :] = 2\na[:, 0] += 1\nprint(a.tolist(), a.size, a.ndim)":                                                                                "[[1.0, 0.0, 0.0], [3.0, 2.0, 2.0]] 6 2",
		"print(np.array([1, 2.5]), np.linspace(0, 1, 5), np.array([1e10, 1.0]))":                                                                                            "[1.  2.5] [0.   0.25 0.5  0.75 1.  ] [1.e+10 1.e+00]",
		"a = np.arange(4, dtype=np.int8)\nprint(a * 100, a.dtype, (a > 1).any(), a[a > 1], 7 // np.array([2, -2]))":                                                         "[  0 100 -56  44] int8 True [2 3] [ 3 -4]",
		"print('%#.0f' % 2, '%#.0e' % 2, '%#o' % 8, f'{2.0:#.0f}', '%.0d' % 0)":                                                                                             "2. 2.e+00 0o10 2. 0",
		"a = np.zeros(4)\na[...] = 3\nprint(a[...], np.zeros_like(a, shape=2), np.vdot(a, a), np.random.randint(0, 9, 3, dtype='i').dtype, np.random.normal(size=3).shape)": "[3. 3. 3. 3.] [0. 0.] 36.0 int32 (3,)",
		"a = np.full((2, 3), 2, order='F')\na[1] = 5\nb = np.array(7)\nnp.add(a, 1, a)\nprint(a.tolist(), bool(b), -np.zeros(1))":                                           "[[3, 3, 3], [6, 6, 6]] True [-0.]",
		"a = np.zeros((2, 3))\na.T.flat = range(6)\nt = a.tolist()\na.flat = np.arange(6)\nt += a[1].tolist()\na.flat = 7\nprint(t, a[0])":                                  "[[0.0, 2.0, 4.0], [1.0, 3.0, 5.0], 3.0, 4.0, 5.0] [7. 7. 7.]",
		"print(np.arange(1001).sum(), np.array_equal([1, 2], np.array([1, 2])), np.full(2, 7.0).mean())":                                                                    "500500 True 7.0",
	} {
		out := mustRun(t, 1, "import numpy as np\n"+code)
		out.prints(t, []string{"0: " + want})
	}
}

// The calls in capitals move the elements of arrays (§3.2, §6): worked by hand for 3 ranks, rank r passing [r, 10r].
func TestBufferCalls(t *testing.T) {
	t.Parallel()
	const begin = "import numpy as np\nc = MPI.COMM_WORLD\nr = c.rank\na = np.array([r, 10 * r], dtype='i')\n"
	for code, want := range map[string]string{
		"b = np.zeros(6, 'i')\nc.Gather(a, b, root=1)":                                                                                  "[0, 0, 1, 10, 2, 20]",
		"b = np.zeros(6, 'i')\nc.Allgather([a, MPI.INT], b)":                                                                            "[0, 0, 1, 10, 2, 20]",
		"b = a.copy()\nc.Bcast(b, root=2)":                                                                                              "[2, 20]",
		"b = np.zeros(2, 'i')\nc.Allreduce(a, b, op=MPI.MAX)":                                                                           "[2, 20]",
		"b = a.copy()\nc.Allreduce(MPI.IN_PLACE, b)":                                                                                    "[3, 30]",
		"b = np.zeros(2, 'i')\nc.Scan(a, b)":                                                                                            "[1, 10]",
		"b = np.zeros(2, 'i')\nq = c.Iallreduce(a, b)\nq.Wait()":                                                                        "[3, 30]",
		"b = np.zeros(2, 'i')\nq = c.Ireduce(a, b, op=MPI.SUM, root=1)\nq.Wait()":                                                       "[3, 30]",
		"b = np.zeros(6, 'i')\nq = c.Igather(a, b, root=1)\nq.Wait()":                                                                   "[0, 0, 1, 10, 2, 20]",
		"b = a.copy()\nq = c.Ibcast(b, root=0)\nq.Wait()":                                                                               "[0, 0]",
		"b = np.zeros(1, 'i')\nc.Reduce_scatter_block(np.arange(3, dtype='i') + r, b)":                                                  "[6]",
		"b = np.zeros(3, 'i')\nc.Alltoall(np.arange(3, dtype='i') + 10 * r, b)":                                                         "[1, 11, 21]",
		"b = np.zeros(4, 'i')\nc.Gatherv([a, r], [b, (0, 1, 2), (0, 0, 1)], root=1)":                                                    "[1, 2, 20, 0]",
		"b = np.zeros(1, 'i')\nc.Scatter(np.array([5, 6, 7], 'i') if r == 1 else None, b, root=1)":                                      "[6]",
		"g = c.Create_cart([3])\nb = np.full(4, -1, 'i')\ng.Neighbor_allgather(a, b)":                                                   "[0, 0, 2, 20]",
		"g = c.Create_cart([3])\nb = np.full(4, -1, 'i')\nMPI.Topocomm.Neighbor_allgather(g, a, b)":                                     "[0, 0, 2, 20]",
		"g = c.Create_cart([3])\nb = np.zeros(2, 'i')\ng.Ineighbor_alltoall(a, b).Wait()":                                               "[0, 2]",
		"g = c.Create_cart([3])\nb = np.zeros(2, 'i')\nq = g.Neighbor_alltoallv_init(a, [b, (1, 1), (1, 0)])\nq.Start()\nq.Wait()":      "[2, 0]",
		"f = np.zeros((2, 2), 'i', order='F')\nf[0, 1] = r\nf[1, 0] = 5\nb = np.zeros(4, 'i')\nc.Allreduce(np.ascontiguousarray(f), b)": "[0, 3, 15, 0]",
		"b = np.zeros(2, 'i')\nc.Sendrecv(a, (r + 1) % 3, 0, b, (r - 1) % 3)":                                                           "[0, 0]",
		// A number counts the elements of each process; Fortran's order (here of columns [1, 10], [1, 10]) is the order on the way.
		"b = np.full(7, -1, 'i')\nc.Allgather([a, 1, MPI.INT], [b, 1, MPI.INT])":                              "[0, 1, 2, -1, -1, -1, -1]",
		"b = np.full(3, -1, 'i')\nc.Alltoall([np.arange(6, dtype='i') + 10 * r, 1], [b, 1])":                  "[1, 11, 21]",
		"b = np.full(3, -1, 'i')\nc.Scatter([np.arange(9, dtype='i'), 2] if r == 0 else None, [b, 2])":        "[2, 3, -1]",
		"b = np.full(7, -1, 'i')\nb[2:4] = a\nc.Allgather(MPI.IN_PLACE, [b, 2])":                              "[-1, -1, 1, 10, -1, -1, -1]",
		"f = np.zeros((2, 2), 'i', order='F')\nf[:, 0] = f[:, 1] = a\nb = np.zeros(4, 'i')\nc.Scan(f + 0, b)": "[1, 10, 1, 10]",
		"b = np.zeros((2, 2), 'i')\ntry:\n    c.Irecv([b[:, 1], 1], 0)\nexcept Exception:\n    b[:] = 9":      "[[9, 9], [9, 9]]",
		"f = np.full((2, 2), r, 'i', order='F')\nc.Bcast(f[:, 1], root=2)\nb = f":                             "[[1, 2], [1, 2]]",
	} {
		out := mustRun(t, 3, begin+code+"\nif r == 1:\n    print(b.tolist())")
		out.prints(t, []string{"1: " + want})
	}
}

// A message with more elements than the buffer is MPI_ERR_TRUNCATE (§3.2.4), other types are MPI_ERR_TYPE (§3.3.1), and a
// buffered send without a buffer is MPI_ERR_BUFFER (§3.6).
func TestBufferErrors(t *testing.T) {
	t.Parallel()
	const begin = "import numpy as np\nc = MPI.COMM_WORLD\n"
	for _, code := range []string{
		"c.Isend(np.zeros(3), 0)\nexpect_error(MPI.ERR_TRUNCATE, c.Recv, np.zeros(2), 0)",
		"c.Isend(np.zeros(2), 0)\nexpect_error(MPI.ERR_TYPE, c.Recv, np.zeros(2, 'i'), 0)",
		"expect_error(MPI.ERR_BUFFER, c.bsend, 1, 0)",
	} {
		out := mustRun(t, 1, begin+code)
		for _, k := range out.ranks[0].Checks {
			if !k.OK {
				t.Errorf("%s: found %s", code, k.Found)
			}
		}
	}
}
