package program

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// Check is one expectation that one rank met.
type Check struct {
	Where           engine.Site
	Occurrence      int // how often the rank has come to Where, from 1
	OK              bool
	Message         string // what is expected, in words
	Expected, Found string // on this rank; empty when OK
	Call            string // "expect_parts", "ask" ...
	Literal         string // of a failed ask or expect_error: what came, as a program writes it; "" when it cannot
	held            *part  // of expect_parts
	now             engine.Moment
	late            *engine.Moment // where it is instead, once the world is quiet
}

// At is where in the order of what happened the rank checked it. The world must be quiet.
func (k Check) At() engine.Moment {
	if k.late != nil {
		return *k.late
	}
	return k.now
}

// Held is what an expect_parts found: the world ranks of a communicator and of its remote group, nil for
// COMM_NULL.
func (k Check) Held() (group, remote []int32) {
	if k.held == nil {
		return nil, nil
	}
	return k.held.group, k.held.remote
}

// check notes the outcome of an expectation. A failed one does not end the program.
func (c *call) check(ok bool, message, expected, found string) *Check {
	r := c.r
	if r.count == nil {
		r.count = map[engine.Site]int{}
	}
	k := Check{Where: r.position(), OK: ok, Message: message, Call: c.fn.name}
	k.now, k.late = r.P.Moment()
	r.count[k.Where]++
	k.Occurrence = r.count[k.Where]
	if !ok {
		k.Expected, k.Found = expected, found
	}
	r.checks = append(r.checks, k)
	return &r.checks[len(r.checks)-1]
}

func expect(c *call) (starlark.Value, error) {
	message := Text(c.args[1])
	if message == "" {
		message = "a true value"
	}
	c.checkTrue(c.args[0], message)
	return starlark.None, nil
}

func ask(c *call) (starlark.Value, error) {
	question, err := c.text(0)
	if err != nil {
		return nil, err
	}
	c.r.tell(question)
	value, answer := c.args[1], c.args[2]
	if answer == starlark.None {
		c.checkTrue(value, question)
		return starlark.None, nil
	}
	same, err := starlark.Equal(value, answer)
	if err != nil {
		return nil, err
	}
	if k := c.check(same, question, describe(answer), describe(value)); !same {
		k.Literal = literal(value)
	}
	return starlark.None, nil
}

func (c *call) checkTrue(cond starlark.Value, message string) {
	ok := bool(cond.Truth())
	found := ""
	if !ok {
		found = describe(cond)
	}
	c.check(ok, message, "a true value", found)
}

// expectError calls a function that must fail. It catches MPI errors of any class, unless they end
// the world anyway; a mistake that is not MPI's passes.
func expectError(c *call) (starlark.Value, error) {
	if len(c.pos) < 2 {
		return nil, errors.New("expect_error takes an error class, a function and its arguments: expect_error(MPI.ERR_ARG, comm.Split, -1)")
	}
	want, err := asClass(c.pos[0])
	if err != nil {
		return nil, fmt.Errorf("expect_error: cls %w", err)
	}
	if _, ok := c.pos[1].(starlark.Callable); !ok {
		return nil, fmt.Errorf("expect_error: fn must be a function, not %s; to call comm.Split(-1) write expect_error(MPI.ERR_ARG, comm.Split, -1)", describe(c.pos[1]))
	}
	c.r.Caught = nil
	_, err = starlark.Call(c.thread, c.pos[1], c.pos[2:], c.kw)
	found := "no error"
	if err != nil {
		e, err := c.caught(err)
		if err != nil {
			return nil, err
		}
		c.r.Caught = e
		found = e.Class.String()
	}
	if k := c.check(found == want.String(), "the call must fail", want.String(), found); !k.OK && err != nil {
		k.Literal = strings.Replace(found, "MPI_", "MPI.", 1)
	}
	return starlark.None, nil
}

// caught is the MPI error in err, or err itself when it cannot be caught.
func (c *call) caught(err error) (*engine.Error, error) {
	var eval *starlark.EvalError
	var e *engine.Error
	if !errors.As(err, &eval) || !errors.As(err, &e) {
		return nil, err
	}
	if len(e.Ranks) == 0 {
		if signed, ok := c.r.failure(err).(*engine.Error); ok {
			e = signed
		}
	}
	if e.Fatal {
		return nil, err
	}
	return e, nil
}
