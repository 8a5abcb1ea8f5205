package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Which of several messages a receive from any source takes is one of several orders. Orders are numbered as the search
// comes to them: order 1 takes the first sender's message everywhere, and each further one takes another message at the
// last receive that has one left. Each order is a run of its own.

// mostOrders is how many orders --orders all tries.
const mostOrders = 1000

// orders is the value of --orders: 0 for none, -1 for all, or the number of one.
type orders int

// allOrders is --orders all.
const allOrders orders = -1

func (o *orders) String() string {
	switch *o {
	case 0:
		return ""
	case allOrders:
		return "all"
	}
	return strconv.Itoa(int(*o))
}

func (o *orders) Type() string { return "all|N" }

func (o *orders) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case text == "all":
		*o = allOrders
	case err != nil || n < 1 || n > mostOrders:
		return fmt.Errorf("all, or the number of an order, 1 to %d", mostOrders)
	default:
		*o = orders(n)
	}
	return nil
}

// sends is the value of --sends.
type sends bool

func (s *sends) String() string {
	if *s {
		return "synchronous"
	}
	return "buffered"
}

func (s *sends) Type() string { return "buffered|synchronous" }

func (s *sends) Set(text string) error {
	if text != "buffered" && text != "synchronous" {
		return errors.New(spell.Choice(text, []string{"buffered", "synchronous"}))
	}
	*s = text == "synchronous"
	return nil
}

// addOrders gives run the flags about what else could happen.
func addOrders(c *cobra.Command, f *worldFlags) {
	c.Flags().Var((*sends)(&f.config.Synchronous), "sends", "make MPI_Send `buffered`, or synchronous: then it waits until its receive has started, and a program that relies on buffering deadlocks")
	c.Flags().Var(&f.orders, "orders", "try `all` orders in which receives from any source can take messages, and show the first order that fails; N runs order N again")
}

// replayOrders runs chunks silently in each order, and then shows the first order that fails, or the order of the
// number that was asked for.
func replayOrders(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	f.config.Orders = []int{}
	for n := 1; ; n++ {
		if f.orders == orders(n) {
			fmt.Fprintf(s.Err, "order %d\n", n)
			return replay(ctx, s, f, chunks)
		}
		choices, end := f.silently(ctx, s, chunks)
		if ctx.Err() != nil {
			return end
		}
		if end != nil && f.orders == allOrders {
			fmt.Fprintf(s.Err, "order %d fails (--orders %d runs it again)\n", n, n)
			for _, c := range choices {
				fmt.Fprintf(s.Err, "order %d: %s\n", n, c)
			}
			return replay(ctx, s, f, chunks)
		}
		next := nextOrder(choices)
		switch {
		case next == nil && f.orders == allOrders:
			fmt.Fprintf(s.Err, "%s tried, which is all: none fails\n", spell.Plural(n, "order"))
			f.config.Orders = []int{}
			return replay(ctx, s, f, chunks)
		case next == nil:
			return fmt.Errorf("--orders %d: the program has %s", f.orders, spell.Plural(n, "order"))
		case n == mostOrders:
			fmt.Fprintf(s.Err, "%d orders tried, of more than these: none fails\n", n)
			f.config.Orders = []int{}
			return replay(ctx, s, f, chunks)
		}
		f.config.Orders = next
	}
}

// silently runs chunks, and returns what could be chosen in that run, and how it ended.
func (f *worldFlags) silently(ctx context.Context, s Streams, chunks []*lang.Chunk) ([]engine.Choice, error) {
	console, err := console.NewConsole(ctx, f.bounded(), io.Discard, io.Discard, f.style(s))
	if err != nil {
		return nil, err
	}
	defer s.leave(console.Session)
	console.AllowFiles, console.Silent = f.files, true
	end := console.Script(ctx, chunks)
	if end == nil && f.strict {
		end = f.judge(io.Discard, f.view(console), nil)
	}
	return console.Session.Choices(), end
}

// nextOrder returns the choices of the order after this one; nil after the last order.
func nextOrder(choices []engine.Choice) []int {
	for i := len(choices) - 1; i >= 0; i-- {
		if choices[i].Taken+1 == len(choices[i].Senders) {
			continue
		}
		next := make([]int, i+1)
		for k := range next {
			next[k] = choices[k].Taken
		}
		next[i]++
		return next
	}
	return nil
}

// mostChoices is how many receives that had several messages to take are told, a line each.
const mostChoices = 3

// tellChoices says where a receive from any source had several messages to take.
func tellChoices(w io.Writer, choices []engine.Choice) {
	for i, c := range choices {
		if i == mostChoices {
			fmt.Fprintf(w, "race: and %d more\n", len(choices)-i)
			return
		}
		fmt.Fprintf(w, "race: %s; --orders all tries all orders\n", c)
	}
}
