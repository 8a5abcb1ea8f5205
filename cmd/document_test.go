package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// result is how a command line ended.
type result struct {
	code     cmd.Code
	out, err string
}

// run runs a command line without a terminal and an environment.
func run(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	s := cmd.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
	code := cmd.Run(t.Context(), s, args)
	return result{code, out.String(), errs.String()}
}

// document is the JSON of a run, as the documentation of the format has it.
type document struct {
	Version       int
	World         worldDoc
	Ranks         []rankDoc
	Communicators []commDoc
	Variables     map[string][]any
	Output        []outputDoc
	Expectations  expectationsDoc
	Errors        []errorDoc
	Deadlock      *deadlockDoc
	Trace         []stepDoc
	Unfinished    []unfinishedDoc
	Stopped       []stopDoc
}

type worldDoc struct {
	Size     int
	Topology string
	MapBy    string `json:"map_by"`
	BindTo   string `json:"bind_to"`
	Std      string
	Psets    map[string][]int
}

type rankDoc struct {
	Rank   int
	Host   string
	Cpuset string
	HWInfo map[string]string `json:"hw_info"`
}

type commDoc struct {
	ID          int
	Context     int
	Name        string
	Kind        string
	Op          *string
	Parent      *int
	Parent2     int `json:"remote_parent"`
	Group       []int
	RemoteGroup []int `json:"remote_group"`
	Resource    *string
	Pset        *string
	Freed       bool
	Where       string
}

type stopDoc struct {
	Where   string
	Ranks   *string
	Message string
}

type outputDoc struct{ Ranks, Text string }

type expectationsDoc struct {
	Passed, Failed int
	Failures       []failureDoc
}

type failureDoc struct{ Where, Ranks, Message string }

type errorDoc struct {
	Class, Call string
	Comm        *int
	Ranks       string
	Where       string
	Message     string
	Rule        string
}

type unfinishedDoc struct {
	What, Ranks, Call, Where, Message string
}

type deadlockDoc struct {
	Waiting []waitDoc
	Message string
	Knots   []knotDoc
}

type knotDoc struct {
	Ranks     string
	Comm      *int
	Message   string
	Rule, Fix string
}

type waitDoc struct {
	Ranks, Call string
	Comm        *int
	Where       string
}

type stepDoc struct {
	Step  int
	Call  string
	Comm  *int
	Comm2 int `json:"remote_comm"`
	Ranks string
	Args  map[string][]any
	Made  []int
	Where string
}

// decode reads a document in which every field is known and nothing follows.
func decode(t *testing.T, text string) *document {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var doc document
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if d.More() {
		t.Fatalf("something follows the document:\n%s", text)
	}
	return &doc
}

func ptr[T any](v T) *T { return &v }

// line returns the place of the nth line that is given with -c: such lines count as if they stood in one
// file.
func line(n int) string { return fmt.Sprintf("<command>:%d", n) }

// export runs a script silently: what the script's lines draw is for the page, not for the terminal.
func TestExportSaysNothing(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"html", "svg", "csv"} {
		r := run(t, "", "export", "lesson-01-color-and-key", "--to", to)
		if r.code != cmd.OK || r.err != "" {
			t.Errorf("%s: code %d, and says %q", to, r.code, r.err)
		}
		if drawn := strings.Contains(r.out, "world rank 2 is rank 1 of 3 in team#3"); drawn != (to == "html") {
			t.Errorf("%s has what .explain tells: %t", to, drawn)
		}
	}
}

// An exported page is small enough to be sent: the program, the style sheet and 21 calls take less than 160 kB.
func TestExportedPageIsSmall(t *testing.T) {
	t.Parallel()
	r := run(t, "", "export", "example-7.5", "--to", "html")
	if n := len(r.out); r.code != cmd.OK || n < 50_000 || n >= 160_000 {
		t.Errorf("code %d, and the page has %d bytes", r.code, n)
	}
}
