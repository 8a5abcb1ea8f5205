package cmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"commsplit/render"
	"commsplit/repl"
)

// verdict is how a script that was run silently ended.
type verdict struct {
	points []render.Point // its expectations
	end    error
	ends   *repl.Ending // how it says that it ends; nil: well
}

func silently(ctx context.Context, s Streams, name string, b bounds) (v verdict) {
	v.end = b.within(ctx, func(ctx context.Context) error {
		script, err := repl.FindScript(ctx, name, nil)
		if err != nil {
			return err
		}
		v.ends = script.Ends
		f := newWorldFlags()
		f.bounds = b
		console, err := unshown(ctx, s, f, script)
		if console != nil {
			defer console.Session.Close()
			v.points = console.Session.View().Expectations.Points
		}
		return err
	})
	return v
}

// asMeant reports whether the script went wrong as it says.
func (v verdict) asMeant() bool {
	if v.ends == nil || int(codeOf(v.end)) != v.ends.Code {
		return false
	}
	var said bytes.Buffer
	tell(Streams{Err: &said}, v.end, codeOf(v.end))
	return strings.Contains(said.String(), v.ends.Says)
}

// nothing reports whether the script says nowhere what should come.
func (v verdict) nothing() bool { return len(v.points) == 0 && v.ends == nil }

// failings tells where the script did not do what it should, and what came.
func (v verdict) failings() [][2]string {
	var list [][2]string
	for _, p := range v.points {
		if p.Failure != nil {
			list = append(list, [2]string{p.Where, p.Failure.Message})
		}
	}
	if v.asMeant() {
		return list
	}
	if v.ends != nil {
		list = append(list, [2]string{"ends", fmt.Sprintf("expected exit code %d and %q, found %d", v.ends.Code, v.ends.Says, codeOf(v.end))})
	}
	if unmet := (*repl.Unmet)(nil); v.end != nil && !errors.As(v.end, &unmet) {
		list = append(list, [2]string{"error", v.end.Error()})
	}
	return list
}

// met is "3 expectations", or "2 of 3 expectations met", and that it ended as it says.
func (v verdict) met() string {
	met, all := 0, len(v.points)
	for _, p := range v.points {
		if p.Failure == nil {
			met++
		}
	}
	var said []string
	switch {
	case met < all:
		said = append(said, fmt.Sprintf("%d of %s met", met, render.Plural(all, "expectation")))
	case all > 0:
		said = append(said, render.Plural(all, "expectation"))
	}
	if v.asMeant() {
		said = append(said, fmt.Sprintf("ends with %d as it says", v.ends.Code))
	}
	return cmp.Or(strings.Join(said, ", "), "no expectations")
}

// mostFailings is how many of a script's failings are told.
const mostFailings = 3

func tellFailings(w io.Writer, list [][2]string, width int) {
	const indent = "        "
	for i, d := range list {
		if i == mostFailings {
			fmt.Fprintf(w, "%sand %d more\n", indent, len(list)-i)
			return
		}
		fmt.Fprintln(w, repl.Wrap(d[0]+": "+d[1], width, indent))
	}
}
