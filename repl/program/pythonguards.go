package program

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// What Python has and Starlark lacks: constructs, which trees of package python call as functions; functions; methods.

// operators are the binary operators by their text.
var operators = map[string]syntax.Token{"+": syntax.PLUS, "-": syntax.MINUS, "*": syntax.STAR, "/": syntax.SLASH, "//": syntax.SLASHSLASH,
	"%": syntax.PERCENT, "&": syntax.AMP, "|": syntax.PIPE, "^": syntax.CIRCUMFLEX, "<<": syntax.LTLT, ">>": syntax.GTGT, "**": syntax.STARSTAR,
	"<": syntax.LT, "<=": syntax.LE, ">": syntax.GT, ">=": syntax.GE, "==": syntax.EQL, "!=": syntax.NEQ}

var pythonGuards = map[string]method{
	python.Index:  func(c *call) (starlark.Value, error) { return entry(c.pos[0], c.pos[1]) },
	python.Chain:  guardChain,
	python.Delete: guardDelete,
	python.Module: guardModule,
	python.Assign: func(c *call) (starlark.Value, error) {
		return starlark.None, setEntry(c.pos[0], c.pos[1], c.pos[2])
	},
	python.Slice: func(c *call) (starlark.Value, error) {
		return &slice{low: c.pos[0], high: c.pos[1], step: c.pos[2]}, nil
	},
	python.Augment: func(c *call) (starlark.Value, error) {
		return c.r.augmented(c.thread, c.pos[0], string(c.pos[1].(starlark.String)), c.pos[2])
	},
	python.AugmentAt: func(c *call) (starlark.Value, error) {
		x, err := entry(c.pos[0], c.pos[1])
		if err != nil {
			return nil, err
		}
		v, err := c.r.augmented(c.thread, x, string(c.pos[2].(starlark.String)), c.pos[3])
		if b, ok := x.(*Buffer); err != nil || ok && v == b {
			return starlark.None, err
		}
		return starlark.None, setEntry(c.pos[0], c.pos[1], v)
	},
	python.Text: func(c *call) (starlark.Value, error) {
		var b strings.Builder
		for _, a := range c.pos {
			b.WriteString(string(a.(starlark.String)))
		}
		return starlark.String(b.String()), c.r.roomForText(uint64(b.Len()))
	},
	python.Format: func(c *call) (starlark.Value, error) {
		v, err := c.r.converted(c.pos[0], string(c.pos[1].(starlark.String)))
		if err != nil {
			return nil, err
		}
		text, err := c.r.formatted(v, string(c.pos[2].(starlark.String)))
		return starlark.String(text), err
	},
}

// power computes x ** y.
func power(x, y starlark.Value) (starlark.Value, error) {
	x, y = plain(x), plain(y)
	if b := eitherBuffer(x, y); b != nil {
		return elementwise(syntax.STARSTAR, x, y)
	}
	n, xi := x.(starlark.Int)
	m, yi := y.(starlark.Int)
	if xi && yi && m.Sign() >= 0 {
		e, ok := m.Int64()
		base := n.BigInt()
		if !ok && base.BitLen() > 1 || base.BitLen() > 1 && int64(base.BitLen())*e > mostBits {
			return nil, &Limit{fmt.Sprintf("the power would have more than %d bits, the most that an integer can have", mostBits)}
		}
		return starlark.MakeBigInt(new(big.Int).Exp(base, m.BigInt(), nil)), nil
	}
	a, ok1 := starlark.AsFloat(x)
	b, ok2 := starlark.AsFloat(y)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("unknown binary op: %s ** %s", x.Type(), y.Type())
	}
	if a == 0 && b < 0 {
		return nil, fmt.Errorf("0.0 cannot be raised to a negative power: division by zero")
	}
	f := math.Pow(a, b)
	if math.IsNaN(f) && !math.IsNaN(a) && !math.IsNaN(b) {
		return nil, fmt.Errorf("complex numbers are not supported: a negative number has no power %s", floatText(b))
	}
	return starlark.Float(f), nil
}

// comparison compares two values as Python does, for which True is 1.
func comparison(op syntax.Token, x, y starlark.Value) (bool, error) {
	if op == syntax.EQL || op == syntax.NEQ {
		same, err := equal(x, y, starlark.CompareLimit)
		return same == (op == syntax.EQL), err
	}
	return starlark.Compare(op, plain(x), plain(y))
}

// equal reports whether two values are equal in Python, where True is 1 also inside lists and tuples.
func equal(x, y starlark.Value, depth int) (bool, error) {
	p, isList := x.(starlark.Indexable)
	q, both := y.(starlark.Indexable)
	if !isList || !both || x.Type() != y.Type() || x.Type() != "list" && x.Type() != "tuple" || depth == 0 {
		return starlark.EqualDepth(plain(x), plain(y), depth)
	}
	same, err := p.Len() == q.Len(), error(nil)
	for i := 0; same && err == nil && i < p.Len(); i++ {
		same, err = equal(p.Index(i), q.Index(i), depth-1)
	}
	return same, err
}

// guardChain computes x < y <= z, and a comparison of two values that may be arrays.
func guardChain(c *call) (starlark.Value, error) {
	var result starlark.Value = starlark.True
	for i := 0; i+2 < len(c.pos); i += 2 {
		x, op, y := c.pos[i], operators[string(c.pos[i+1].(starlark.String))], c.pos[i+2]
		if eitherBuffer(x, y) != nil && x != starlark.None && y != starlark.None {
			b, err := elementwise(op, x, y)
			if err != nil || len(c.pos) == 3 {
				return b, err
			}
			result = b
		} else {
			ok, err := comparison(op, x, y)
			if err != nil {
				return nil, err
			}
			result = starlark.Bool(ok)
		}
		if !result.Truth() {
			return starlark.False, nil
		}
	}
	return result, nil
}

// slice is a subscript with a colon.
type slice struct {
	starlark.NoneType
	low, high, step starlark.Value
}

// Type returns the name of the type in Python.
func (s *slice) Type() string { return "slice" }

// bounds returns the first element of a slice of n elements, the number of its elements, and their distance.
func (s *slice) bounds(n int) (first, count, step int, err error) {
	step = 1
	if s.step != starlark.None {
		if step, err = asInt(s.step); err != nil {
			return 0, 0, 0, fmt.Errorf("a slice's step %w", err)
		}
		if step == 0 {
			return 0, 0, 0, fmt.Errorf("a slice's step must not be 0")
		}
	}
	at := func(v starlark.Value, dflt, least, most int) int {
		if v == starlark.None {
			return dflt
		}
		k, wrong := asInt(v)
		if wrong != nil {
			err = fmt.Errorf("a slice's bound %w", wrong)
		}
		if k < 0 {
			k += n
		}
		return max(least, min(k, most))
	}
	if step > 0 {
		low, high := at(s.low, 0, 0, n), at(s.high, n, 0, n)
		return low, max(0, (high-low+step-1)/step), step, err
	}
	low, high := at(s.low, n-1, -1, n-1), at(s.high, -1, -1, n-1)
	return low, max(0, (low-high-step-1)/-step), step, err
}

// entry returns x[key].
func entry(x, key starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case *Buffer:
		return x.entry(key)
	case starlark.Mapping:
		v, ok, err := x.Get(key)
		if err == nil && !ok {
			err = fmt.Errorf("key %v not in dict", key)
		}
		return v, err
	case starlark.Indexable:
		if s, ok := key.(*slice); ok {
			first, count, step, err := s.bounds(x.Len())
			if err != nil {
				return nil, err
			}
			return x.(starlark.Sliceable).Slice(first, first+count*step, step), nil
		}
		i, err := indexOf(key, x.Len(), x.Type())
		if err != nil {
			return nil, err
		}
		return x.Index(i), nil
	}
	return nil, fmt.Errorf("unhandled index operation %s[%s]", x.Type(), key.Type())
}

// indexOf converts a key to an index of n elements. A negative key counts from the end.
func indexOf(key starlark.Value, n int, of string) (int, error) {
	i, err := asInt(key)
	if err != nil {
		return 0, fmt.Errorf("an index of %s %w", of, err)
	}
	k := i
	if k < 0 {
		k += n
	}
	if k < 0 || k >= n {
		return 0, fmt.Errorf("%s index %d out of range [%d:%d]", of, i, -n, n-1)
	}
	return k, nil
}

// setEntry carries out x[key] = v.
func setEntry(x, key, v starlark.Value) error {
	switch x := x.(type) {
	case *Buffer:
		return x.setEntry(key, v)
	case starlark.HasSetKey:
		return x.SetKey(key, v)
	case *starlark.List:
		if s, ok := key.(*slice); ok {
			return setSlice(x, s, v)
		}
	}
	if h, ok := x.(starlark.HasSetIndex); ok {
		i, err := indexOf(key, h.Len(), x.Type())
		if err != nil {
			return err
		}
		return h.SetIndex(i, v)
	}
	return fmt.Errorf("%s value does not support item assignment", x.Type())
}

// setSlice carries out list[low:high] = v.
func setSlice(x *starlark.List, s *slice, v starlark.Value) error {
	first, count, step, err := s.bounds(x.Len())
	if err != nil {
		return err
	}
	seq, ok := v.(starlark.Iterable)
	if !ok || step != 1 {
		return fmt.Errorf("only a slice with step 1 can be assigned, and only a list")
	}
	list := slices.Collect(starlark.Elements(x))
	list = slices.Replace(list, first, first+count, slices.Collect(starlark.Elements(seq))...)
	if err := x.Clear(); err != nil {
		return err
	}
	for _, e := range list {
		if err := x.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// augmented computes what x op= y assigns to x.
func (r *Rank) augmented(t *starlark.Thread, x starlark.Value, op string, y starlark.Value) (starlark.Value, error) {
	if list, ok := x.(*starlark.List); ok && op == "+" && !isA[*Buffer](y) {
		return r.grow(t, list, y)
	}
	v, err := r.operate(operators[op], x, y)
	if b, ok := x.(*Buffer); ok && err == nil {
		return b, b.assignSame(v)
	}
	return v, err
}

// guardDelete carries out del x[key].
func guardDelete(c *call) (starlark.Value, error) {
	x, key := c.pos[0], c.pos[1]
	if s, ok := key.(*slice); ok {
		if list, ok := x.(*starlark.List); ok {
			return starlark.None, setSlice(list, s, starlark.Tuple{})
		}
	}
	pop, err := attributeOf(x, "pop")
	if pop == nil || err != nil {
		return nil, fmt.Errorf("%s has no entries to delete", x.Type())
	}
	_, err = starlark.Call(c.thread, pop, starlark.Tuple{key}, nil)
	return starlark.None, err
}

// pythonFunctions are functions of Python that Starlark lacks, by their signatures.
var pythonFunctions = map[string]method{
	"exit(*args)": exit,
	"quit(*args)": exit,
	"sum(iterable, start=0)": func(c *call) (starlark.Value, error) {
		list, err := c.elements(0, "a list")
		total := c.args[1]
		for _, v := range list {
			if err == nil {
				total, err = starlark.Binary(syntax.PLUS, plain(total), plain(v))
			}
		}
		return total, err
	},
	"round(number, ndigits=None)": func(c *call) (starlark.Value, error) {
		if n, ok := plain(c.args[0]).(starlark.Int); ok {
			return n, nil
		}
		f, ok := c.args[0].(starlark.Float)
		if !ok {
			return nil, c.wrong(0, "a number")
		}
		if c.args[1] == starlark.None {
			return starlark.NumberToInt(starlark.Float(math.RoundToEven(float64(f))))
		}
		n, err := c.int(1)
		return starlark.Float(roundTo(float64(f), n)), err
	},
	"pow(base, exp)": func(c *call) (starlark.Value, error) { return power(c.args[0], c.args[1]) },
	"divmod(x, y)": func(c *call) (starlark.Value, error) {
		q, err := starlark.Binary(syntax.SLASHSLASH, c.args[0], c.args[1])
		if err != nil {
			return nil, err
		}
		m, err := starlark.Binary(syntax.PERCENT, c.args[0], c.args[1])
		return starlark.Tuple{q, m}, err
	},
	`format(value, format_spec="")`: func(c *call) (starlark.Value, error) {
		spec, err := c.text(1)
		if err != nil {
			return nil, err
		}
		text, err := c.r.formatted(c.args[0], spec)
		return starlark.String(text), err
	},
	"map(function, iterable)": func(c *call) (starlark.Value, error) {
		return c.applied(func(_, result starlark.Value) (starlark.Value, bool) { return result, true })
	},
	"filter(function, iterable)": func(c *call) (starlark.Value, error) {
		return c.applied(func(v, result starlark.Value) (starlark.Value, bool) { return v, bool(result.Truth()) })
	},
	"isinstance(object, class)": func(c *call) (starlark.Value, error) {
		ok, err := isInstance(c.args[0], c.args[1])
		return starlark.Bool(ok), err
	},
}

// applied calls the function that is the first argument with each element of the second argument. take decides, from
// the element and the result, what is listed.
func (c *call) applied(take func(v, result starlark.Value) (starlark.Value, bool)) (starlark.Value, error) {
	all, err := c.elements(1, "a list")
	if err != nil {
		return nil, err
	}
	var list []starlark.Value
	for _, v := range all {
		result, err := starlark.Call(c.thread, c.args[0], starlark.Tuple{v}, nil)
		if err != nil {
			return nil, err
		}
		if e, ok := take(v, result); ok {
			list = append(list, e)
		}
	}
	return starlark.NewList(list), nil
}

// roundTo rounds to n digits behind the point; of two nearest numbers it takes the even one.
func roundTo(f float64, n int) float64 {
	if math.IsInf(f, 0) || math.IsNaN(f) || n > 22 {
		return f
	}
	if n >= 0 {
		v, _ := new(big.Float).SetString(fmt.Sprintf("%.*f", n, f))
		g, _ := v.Float64()
		return g
	}
	p := math.Pow(10, float64(-n))
	return math.RoundToEven(f/p) * p
}

// isInstance reports whether a value is of a type, or of one of a tuple of types.
func isInstance(v, of starlark.Value) (bool, error) {
	if list, ok := of.(starlark.Tuple); ok {
		for _, e := range list {
			if is, err := isInstance(v, e); is || err != nil {
				return is, err
			}
		}
		return false, nil
	}
	if e, ok := v.(*exception); ok {
		return e.isA(of)
	}
	if m, ok := of.(*module); ok && m.class.is != nil {
		return m.class.is(v), nil
	}
	if f, ok := of.(starlark.Callable); ok {
		name, was := f.Name(), v.Type()
		switch was {
		case "string":
			was = "str"
		case "numpy.ndarray":
			was = "ndarray"
		case "bool":
			return name == "bool" || name == "int", nil
		}
		return name == was, nil
	}
	return false, fmt.Errorf("isinstance: the second value must be a type, not %s", describe(of))
}

// exit carries out exit(code): the program ends on this rank.
func exit(c *call) (starlark.Value, error) {
	return nil, &exception{class: "SystemExit", args: c.pos}
}

// pythonMethods are the methods of Python's lists, dicts and texts that Starlark lacks. The result is nil for a value
// that has no such method.
var pythonMethods = map[string]func(x starlark.Value) starlark.Value{
	"sort": ofList("sort", func(c *call, list *starlark.List) (starlark.Value, error) {
		return starlark.Call(c.thread, starlark.Universe["sorted"], append(starlark.Tuple{list}, c.pos...), c.kw)
	}),
	"reverse": ofList("reverse", func(_ *call, list *starlark.List) (starlark.Value, error) {
		all := slices.Collect(starlark.Elements(list))
		slices.Reverse(all)
		return starlark.Tuple(all), nil
	}),
	"copy": func(x starlark.Value) starlark.Value {
		switch x.(type) {
		case *starlark.List, *starlark.Dict, *starlark.Set:
			return pythonFunction("copy", "", func(c *call) (starlark.Value, error) {
				return starlark.Call(c.thread, starlark.Universe[x.Type()], starlark.Tuple{x}, nil)
			})
		}
		return nil
	},
	"ljust":  adjusting("ljust", '<', ' '),
	"rjust":  adjusting("rjust", '>', ' '),
	"center": adjusting("center", '^', ' '),
	"zfill":  adjusting("zfill", '=', '0'),
}

// ofList makes a method that replaces the elements of a list.
func ofList(name string, run func(*call, *starlark.List) (starlark.Value, error)) func(starlark.Value) starlark.Value {
	return func(x starlark.Value) starlark.Value {
		list, ok := x.(*starlark.List)
		if !ok {
			return nil
		}
		return pythonFunction(name, "*args", func(c *call) (starlark.Value, error) {
			now, err := run(c, list)
			if err != nil {
				return nil, err
			}
			return starlark.None, setSlice(list, &slice{low: starlark.None, high: starlark.None, step: starlark.None}, now)
		})
	}
}

// adjusting makes a method that pads a text to a width.
func adjusting(name string, align byte, fill rune) func(starlark.Value) starlark.Value {
	return func(x starlark.Value) starlark.Value {
		s, ok := x.(starlark.String)
		if !ok {
			return nil
		}
		return pythonFunction(name, "width, fillchar=None", func(c *call) (starlark.Value, error) {
			width, err := c.int(0)
			if err == nil {
				err = c.r.roomForText(uint64(max(width, 0)))
			}
			if err != nil {
				return nil, err
			}
			f := spec{fill: fill, align: align, width: width}
			if own, ok := starlark.AsString(c.args[1]); ok && len([]rune(own)) == 1 {
				f.fill = []rune(own)[0]
			}
			sign, text := "", string(s)
			if align == '=' && (strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+")) {
				sign, text = text[:1], text[1:]
			}
			return starlark.String(f.pad(sign, text, align)), nil
		})
	}
}
