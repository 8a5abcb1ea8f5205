package program

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// With a guard, what Starlark has computes the same: expected values are Python 3's, but for
// the quotes of %r.
func TestGuardsChangeNothing(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"n * n":                                                        "9",
		"'ab' * n + n * 'c'":                                           "'abababccc'",
		"[0] * n + (n - 1) * [1, 2]":                                   "[0, 0, 0, 1, 2, 1, 2]",
		"(1, 2) * n":                                                   "(1, 2, 1, 2, 1, 2)",
		"[1] * -n, 'a' * (n - n)":                                      "([], '')",
		"7 % n, 7.5 % n":                                               "(1, 1.5)",
		"'%s|%r|%d' % ('a', 'b', n)":                                   `"a|'b'|3"`,
		"'%s' % [n, 'x']":                                              `"[3, 'x']"`,
		"'%s %s' % ([], {})":                                           "'[] {}'",
		"'%(k)s%%' % {'k': n}":                                         "'3%'",
		"'{1} {0}'.format(n, [n])":                                     "'[3] 3'",
		"'-'.join(['a', 'b']).split('-')":                              "['a', 'b']",
		"list(range(n)) + list((5,))":                                  "[0, 1, 2, 5]",
		"len(list(range(100000)) + [1])":                               "100001",
		"list(range(5000))[-1], tuple(range(5000))[-1]":                "(4999, 4999)",
		"sorted(range(5000), reverse=True)[:2]":                        "[4999, 4998]",
		"sorted(range(5000), key=lambda i: -i)[:2]":                    "[4999, 4998]",
		"max(range(5000)), min(*range(5000)), any(range(9))":           "(4999, 0, True)",
		"zip(range(5000), 'ab'.elems())":                               "[(0, 'a'), (1, 'b')]",
		"len(set(range(5000))), len(dict(zip('a'.elems(), range(1))))": "(5000, 1)",
		"getattr('x', 'join')(['a', 'b'])":                             "'axb'",
		"len(([1] * 5000) * n), (list(range(5000)) * 2)[9999]":         "(15000, 4999)",
		"('ab' * 1000000)[-1] + ('abc' * 500000)[-3:]":                 "'babc'",
		"max(list(range(5000)), list(range(5001)))[-1]":                "5000",
		"min((1,) * 5000, (0,) * 5000)[0]":                             "0",
		"len(dict({i: i for i in range(5000)}))":                       "5000",
		"int('12') + int('ff', 16)":                                    "267",
	} {
		out := mustRun(t, 1, "n = 3", "x = repr(("+expr+"))")
		if got, _ := starlark.AsString(out.ranks[0].Vars.Get("x")); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
	out := mustRun(t, 1, text("x = [1]", "y = x", "x += [2]", "x += (3,)", "d = {'k': [0]}", "d['k'] += x", "s = 'a'", "s += 'b'",
		"s *= 3", "n = 1", "n += n", "n *= n", "def f():", "    v = [1]", "    v += v", "    return v", "print(y, d, s, n, f())"))
	out.prints(t, []string{"0: [1, 2, 3] {'k': [0, 1, 2, 3]} ababab 4 [1, 1]"})
	out = mustRun(t, 1, text("x = [0] * 5000", "x += x", "x.extend(x)", "d = {}", "d.update({i: i for i in range(5000)})", "d.update([(i, 1) for i in range(6000)])",
		"s = set([1])", "s.update(range(5000))", "print(len(x), len(d), len(s), len(s.union(range(6000))))"))
	out.prints(t, []string{"0: 20000 6000 5000 6000"})
}

// What is too large for one value, or more than one step goes through, is refused before it is computed, with the place.
func TestTooLargeValues(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"x = list(range(10000000000))":                              ":1:9: list of 10000000000 elements is too much for one step, which handles 16777216 at most",
		"x = [0] * 100000000000":                                    ":1:9: a list of 100000000000 elements is too much",
		"x = (1, 2) * 100000000000":                                 ":1:12: a tuple of 200000000000 elements",
		"x = 'ab' * 100000000000":                                   ":1:10: a text of 186 GB is too long: at most 256 MB are possible",
		"x = [0] * (1 << 70)":                                       ":1:9: ",
		"x = [1]\nx *= 100000000000":                                ":2:3: a list of 100000000000 elements",
		"d = {1: [0]}\nd[1] *= 100000000000":                        ":2:6: a list of",
		"x = []\nx += range(10000000000)":                           ":2:3: extend of 10000000000",
		"x = [0] * 9000000\nx += x":                                 ":2:3: extend of 18000000 elements",
		"x = []\nx.extend(range(10000000000))":                      ":2:9: extend of 10000000000",
		"x = set(range(10000000000))":                               ":1:8: set of 10000000000",
		"x = {}\nx.update(range(10000000000))":                      ":2:9: the dict or set of 10000000000",
		"x = sorted(range(3000000))":                                ":1:11: sorted of 3000000 elements is too much for one step, which handles 2097152 at most",
		"x = zip(range(10000000000), range(10000000000))":           ":1:8: zip of",
		"x = max(*range(10000000000))":                              ": list of 10000000000",
		"x = max(range(10000000000))":                               ":1:8: max of 10000000000 elements is too much",
		"x = getattr([], 'extend')(range(10000000000))":             ": extend of 10000000000",
		"x = ','.join(range(10000000000))":                          ":1:13: join of 10000000000 elements is too much",
		"s = 'a' * 10000000\nx = ''.join([s] * 100000)":             ":2:12: a text of",
		"s = 'a' * 10000000\nx = s.replace('a', s)":                 ":2:14: a text of",
		"s = 'a' * 10000000\nx = ('%s' * 100000) % ((s,) * 100000)": ": a text of",
		"s = 'a' * 10000000\nx = ('{0}' * 100000).format(s)":        ": a text of",
		"x = 3\nfor i in range(60): x = x * x":                      ":2:27: the product would have more than 8388608 bits",
		"x = int('1' * 2000000)":                                    ":1:8: int: a text of more than 1048576 digits",
		"def f():\n    return [0] * 100000000000\nf()":              ":2:16: a list of",
	} {
		out := runChunks(t, engine.Config{Size: 1}, program)
		got := programError(t, out)
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
		if e, ok := out.status.Failure.Program[0].(*Error); (!ok || !e.Limit) && !strings.Contains(program, "<<") {
			t.Errorf("%s: this is not a limit", program)
		}
	}
}

// What would take more than the session may have is refused before it is computed.
func TestTooMuchMemory(t *testing.T) {
	for _, c := range []struct {
		program, want string
	}{
		{"x = [0] * 8000000", ":1:9: a list of 8000000 elements would take 122 MB, and the session may have 64 MB in all: so they say"},
		{"x = dict(zip(range(1000000), range(1000000)))", "zip of 2000000 elements would take 137 MB"},
		{"x = 'a' * 100000000", ":1:9: a text of 95 MB would take 95 MB, and the session may have 64 MB in all"},
	} {
		all := NewRanks(&Memory{Most: 64 << 20, Why: "so they say"})
		if got := programError(t, runIn(t, all, engine.Config{Size: 1}, c.program)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.program, got, c.want)
		}
	}
	all := NewRanks(&Memory{Most: inUse() + 64<<20})
	want := "a list of 2000000 elements would take 31 MB beside what the session has already"
	if got := programError(t, runIn(t, all, engine.Config{Size: 1}, "x = [1]\nfor i in range(5): x.append([0] * 2000000)")); !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// The text of a value can be longer than any memory where the value itself is small: 2 to the power of 60
// zeros are in sixty lists. Nothing else takes memory meanwhile.
func TestTooLongText(t *testing.T) {
	all := NewRanks(&Memory{Most: inUse() + 16<<20})
	got := programError(t, runIn(t, all, engine.Config{Size: 1}, "x = [0]\nfor i in range(60): x = [x, x]\nprint(x)\n"))
	if want := ":3:6: the text of this value would take"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// What takes much at once is a list that grows and takes twice as much the next time: the session is told before that.
// The stacks of the ranks of a large world come at once, too, and are all that there will be.
func TestGrowth(t *testing.T) {
	t.Parallel()
	const unit = 300 << 20
	for what, c := range map[string]struct{ objects, next uint64 }{
		"a list grows by two units, and would by four": {3 * unit, 4 * unit},
		"what is small comes and goes":                 {unit + unit/10, 0},
		"garbage was collected":                        {unit / 2, 0},
	} {
		m := &Memory{Most: 6 * unit}
		m.objects = unit
		if got := m.growth(c.objects); got != c.next {
			t.Errorf("%s: %s, want %s", what, Bytes(got), Bytes(c.next))
		}
	}
}

// A program that was cancelled ends with the step that Starlark computes.
func TestStopAfterAStep(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"list(range(100000))", "[0] * 100000", "'a' * 3000000", "max(range(10000000))",
		"sorted([1, 2] * 5000)", "sorted(range(5000), key=lambda i: i)", "[1].extend(range(10000000))"} {
		w, err := engine.New(engine.Config{Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got error
		code, err := Compile("t.py", "x = "+expr+"\nx = 1", 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Submit(engine.AllRanks(1), func(p *engine.Process) error {
			r := newRank(p)
			r.Cancel("interrupted")
			got = r.Run(code)
			return nil
		})
		w.Wait()
		if w.Close(); got == nil || !strings.HasSuffix(got.Error(), errStopped.Error()) {
			t.Errorf("%s: %v", expr, got)
		}
	}
}

// Lists and dicts that contain themselves are written as Python 3 writes them, and one that is nested deeper
// than calls can be is written, too.
func TestShowCycles(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 1, text(
		"x = [1]", "x.append(x)", "d = {'a': x}", "d['d'] = d", "x2 = [x, x]",
		"print(x, str(x), repr((x,)), d, '%s %r' % (x, x), '{}'.format(d), x2)",
		"deep = []", "for i in range(300000):", "    deep = [deep]", "print(len(str(deep)), len('%s' % deep), len('%s' % (deep,)))",
		"wide = [[1]] * 3", "print(wide)"))
	out.prints(t, []string{
		"0: [1, [...]] [1, [...]] ([1, [...]],) {'a': [1, [...]], 'd': {...}} [1, [...]] [1, [...]] {'a': [1, [...]], 'd': {...}} [[1, [...]], [1, [...]]]",
		"0: 600002 600002 600002", "0: [[1], [1], [1]]"})
	out = mustRun(t, 1, "x = [1]\nx.append(x)\nexpect(False, x)")
	if got := out.ranks[0].Checks[0].Message; got != "[1, [...]]" {
		t.Errorf("the message is %s", got)
	}
}
