package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// conformanceDir holds a small program for each rule of the standard, by constructor or topic.
var conformanceDir = filepath.Join("..", "testdata", "conformance")

// rule is one of these programs. Its first line names the call, the rule and the section.
type rule struct {
	name  string // "split/ties-in-key-go-by-old-rank.py"
	file  string
	call  string // "MPI_Comm_split"
	ranks string // of the -n of its "# commsplit:" line
	ends  *stories.Ending
}

var (
	ruleTitle = regexp.MustCompile(`^# (MPI_\w+): \S.* \[(MPI-\d\.\d §\d[\d.]*|proposal of 2019)\]\n`)
	ruleRanks = regexp.MustCompile(`(?m)^# commsplit: -n (\d+) --topo `)
	rulesMet  = regexp.MustCompile(`(?m)^(\d+) expectations? passed$`)
)

// rules reads the programs, in order of their names.
func rules(t *testing.T) []rule {
	t.Helper()
	var list []rule
	err := filepath.WalkDir(conformanceDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".py" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		list = append(list, readRule(t, path, string(data)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readRule(t *testing.T, path, text string) rule {
	t.Helper()
	name, err := filepath.Rel(conformanceDir, path)
	if err != nil {
		t.Fatal(err)
	}
	r := rule{name: filepath.ToSlash(name), file: path}
	if m := ruleTitle.FindStringSubmatch(text); m != nil {
		r.call = m[1]
	} else {
		t.Errorf("%s: the first line must be \"# MPI_Call: the rule [MPI-5.0 §7.4.2]\"", r.name)
	}
	if m := ruleRanks.FindStringSubmatch(text); m != nil {
		r.ranks = m[1]
	} else {
		t.Errorf("%s: the second line must be \"# commsplit: -n N --topo SPEC\"", r.name)
	}
	r.ends = stories.NewScript(r.name, text).Ends
	return r
}

// Every rule of the standard's text holds: its program meets its expectations, of which there is at
// least one, or ends as the rule about erroneous programs says.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, r := range rules(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			got := run(t, "", "run", r.file)
			want := stories.Ending{}
			if r.ends != nil {
				want = *r.ends
			}
			switch {
			case int(got.code) != want.Code:
				t.Errorf("code %d, want %d\n%s%s", got.code, want.Code, got.out, got.err)
			case !strings.Contains(got.err, want.Says):
				t.Errorf("standard error does not say %q:\n%s", want.Says, got.err)
			case r.ends == nil && !rulesMet.MatchString(got.out):
				t.Errorf("no expectation:\n%s", got.out)
			}
		})
	}
}

// check tells that they all end as they should.
func TestConformanceChecked(t *testing.T) {
	t.Parallel()
	if got := run(t, "", "check", conformanceDir); got.code != cmd.OK {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}

// The programs cover every constructor and topic, and every call but those that move data.
func TestConformanceCovers(t *testing.T) {
	t.Parallel()
	topics := map[string]bool{}
	calls := map[string]bool{}
	for _, r := range rules(t) {
		topic, _, _ := strings.Cut(r.name, "/")
		topics[topic], calls[r.call] = true, true
	}
	for _, topic := range []string{
		"dup", "dup_with_info", "idup", "idup_with_info", "create", "create_group", "create_from_group", "split",
		"split_type", "intercomm_create", "intercomm_create_from_groups", "merge", "groups", "sessions", "attributes",
		"topologies", "errhandler", "info", "names", "lifetime", "environment", "std",
	} {
		if !topics[topic] {
			t.Errorf("no program is about %s", topic)
		}
	}
	for _, c := range engine.Calls() {
		if name := c.String(); !calls[name] && !movesData(c) && !(c.Neighborly() && c != c.Plain()) && c != engine.CallBind { // which is none of MPI
			t.Errorf("no program is about %s", name)
		}
	}
}

// movesData tells the calls of chapters 3 and 6, which only serve to check results.
func movesData(c engine.Call) bool {
	chapters := []string{"MPI-5.0 §3.2", "MPI-5.0 §3.7", "MPI-5.0 §3.8", "MPI-5.0 §6."}
	return slices.ContainsFunc(chapters, func(prefix string) bool { return strings.HasPrefix(c.Rule(), prefix) })
}
