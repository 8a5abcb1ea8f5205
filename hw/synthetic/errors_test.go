package synthetic_test

import (
	"errors"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// refused are invalid texts, each with the rest of the text from the mistake on.
var refused = []struct{ text, rest, message string }{
	{"", "", "missing number of PUs"},
	{"machine:4", "", "missing number of PUs"},
	{"foo:2 pu:1", "foo:2 pu:1", "unknown object type"},
	{"pack:2 foo", "foo", "unknown object type"},
	{"pack:2 machine", "machine", "cannot be of type"},
	{"memcache:2 pu:2", "memcache:2 pu:2", "cannot be of type"},
	{"cluster:2 pu:2", "cluster:2 pu:2", "unknown object type"},
	{"pack:2 l6:1 pu:1", "l6:1 pu:1", "unknown object type"},
	{"pack 2 pu:1", " 2 pu:1", "missing ':'"},
	{"pack\r:2 pu:1", "\r:2 pu:1", "missing ':'"}, // a blank is no part of a name
	{"pack\x11:2 pu:1", "\x11:2 pu:1", "missing ':'"},
	{"pack: pu:1", " pu:1", "missing number"},
	{"pack:0 pu:1", "0 pu:1", "0 objects"},
	{"pack:2 numa:2", "numa:2", "the last level"},
	{"2 core:2 pu:2", "core:2 pu:2", "either all levels"},
	{"pu:2 pu:2", "pu:2", "several PU"},
	{"core:2 core:2 pu:1", "core:2 pu:1", "several Core"},
	{"numa:2 [numa] pu:1", "numa:2 [numa] pu:1", "both a level and attached"},
	{"[core] pu:2", "core] pu:2", "only a numa node"},
	{"[numa pu:2", " pu:2", "missing ']'"},
	{"pack:2(memory=1GB pu:2", "(memory=1GB pu:2", "missing ')'"},
	{"pack:2(size=1MB) pu:2", "size=1MB) pu:2", "unknown attribute"},
	{"l3:2(memory=1MB) pu:2", "memory=1MB) pu:2", "unknown attribute"},
	{"l3:2(size=big) pu:2", "big) pu:2", "missing size"},
	{"numa:2(memory=1GB  indexes=1,0) 2", " indexes=1,0) 2", "unknown attribute"},
	{"pu:4(indexes=0,1)", "0,1)", "2 indexes for 4 objects"},
	{"pu:4(indexes=0,1,1,2)", "0,1,1,2)", "given twice"},
	{"pu:2(indexes=0,99999999)", "99999999)", "want an index"},
	{"pu:4(indexes=2*)", "2*)", "STEP*NUMBER"},
	{"pu:4(indexes=2*0:1*2)", "2*0:1*2)", "must not be 0"},
	{"pu:4(indexes=2*3)", "2*3)", "number 3 objects, not 4"},
	{"pack:2 pu:2(indexes=pack:pack)", "pack)", "same level twice"},
	{"pack:2 pu:2(indexes=core)", "core)", "no level"},
	{"pack:2(indexes=core) core:2 pu:1", "core) core:2 pu:1", "inside the one"},
	{"pu:2097153", "2097153", "more than 2097152 PUs"},
	{"rack:512 machine:1024 pu:5", "5", "more than 2097152 PUs"},
	{"core:2097152 l1:1 l2:1 l3:1 l4:1 pu:1", "1 pu:1", "objects in all"},
	{"rack:0 machine:2 pu:5", "0 machine:2 pu:5", "0 objects"},
	{"rack:2 rack:2 machine:2 pu:5", "rack:2 machine:2 pu:5", "several rack"},
	{"core:524288 pu:2(indexes=2*524288:1*2)", "2*524288:1*2)", "too widely"},
	{"pack:2 machine:2 pu:1", "pack:2 machine:2 pu:1", "pack is a level inside a machine"},
	{"rack:2 no:2 machine:2 pu:1", "no:2 machine:2 pu:1", "no is a level inside a machine"},
	{"os:2 machine:2 pu:1", "os:2 machine:2 pu:1", "os is a level inside a machine"},
	{"rack machine:2 pu:1", " machine:2 pu:1", "missing ':'"},
	{"2 machine:2 pu:1", "2 machine:2 pu:1", "missing name"},
	{"rack:2(name=a) machine:2 pu:1", "(name=a) machine:2 pu:1", "cannot have attributes"},
	{"rack:2 [numa] machine:2 pu:1", "[numa] machine:2 pu:1", "cannot have numa nodes"},
	{"rack:2 {machine:1 pu:1 ; blade:2}", "}", "missing machine:N"},
	{"rack:2 {machine:1 pu:1 ; core:2}", "core:2}", "core is a level inside a machine"},
	{"machine:2 machine:2 pu:1", "machine:2 pu:1", "several machine levels"},
	{"{machine:1 pu:1; machine:1}", "machine:1}", "missing number of PUs"},
	{"machine:2(name=a) pu:1", "a) pu:1", "1 names for 2 machines"},
	{"machine:2(name=b,b) pu:1", "b) pu:1", "b is given twice"},
	{"machine:2(name=a[1-) pu:1", "[1-) pu:1", "missing ']'"},
	{"{machine:2(name=node2,x) pu:1 ; machine:1 pu:1}", "node2,x) pu:1 ; machine:1 pu:1}", "node2 is the default name"},
	{"{machine:1(name=x) pu:1 ; machine:1(name=x) pu:2}", "x) pu:2}", "x is given twice"},
	{"rack:2 machine:1 group:2(subtype=rack) pu:1", "group:2(subtype=rack) pu:1", "above the machines"},
	{"pack:2 {core:1 ; core:2", "{core:1 ; core:2", "missing '}'"},
	{"pack:2 {core:1 ; }", "}", "missing level"},
	{"pack:2 {}", "}", "missing level"},
	{"pack:2 {{core:1}}", "{core:1}}", "braces must follow a level"},
	{"pack:2 {core:1} core:2", "core:2", "can follow braces"},
	{"pack:2 {core:1} [numa]", "[numa]", "can follow braces"},
	{"pack:2 {[numa] core:1}", "[numa] core:1}", "behind the level"},
	{"core:2 } ", "} ", "there is no open brace"},
	{"core:2 ; core:3", "; core:3", "there is no open brace"},
	{"{core:1 ; pack:1}", "pack:1}", "the last level"},
	{"pu:2 {core:1}", "core:1}", "several PU"},
	{"pack:2 {core:1 restrict=0}", "restrict=0}", "at the end of a whole machine"},
	{"{machine:1 core:1 ; machine:1 core:2} restrict=0", "restrict=0", "at the end of a whole machine"},
	{"core:4 restrict=", "", "missing list"},
	{"core:4 restrict=0-", "0-", "not an index"},
	{"core:4 restrict=0,4", "0,4", "PUs 4 do not exist here: the machine has 0-3"},
	{"core:4 restrict=0 restrict=1", "restrict=1", "given twice"},
	{"core:4 restrict=0-1 offline=2", "2", "PUs 2 do not exist here: the machine has 0-1"},
	{"core:4 disallow=0-3", "0-3", "no PU is left"},
	{"core:4 restrict=0 pu:2", "pu:2", "can follow"},
	{"core:4 restrict=" + strings.Repeat("0,", 2048) + "1", strings.Repeat("0,", 2048) + "1", "4096 characters"},
	{"pack:2 {2 core:1 ; core:2}", "2 core:1 ; core:2}", "need a type"},
	{"2 {core:1 ; core:2}", "2 {core:1 ; core:2}", "need a type"},
	{"{pu:2(indexes=0,1); core:1 pu:2(indexes=1,2)}", "1,2)}", "index 1 is given twice"},
	{"{core:1 ; core:2}(indexes=0,1)", "0,1)", "2 indexes for 3 objects"},
	{"{core:1 ; core:1}(indexes=1,1)", "1,1)", "index 1 is given twice"},
	{"rack:2 raCk:2 machine:1 pu:1", "raCk:2 machine:1 pu:1", "several rack levels"},
	{"{core:1 ; core:2}(indexes=3-1)", "3-1)", "range"},
	{"{core:1 ; pu:1(indexes=4)}(indexes=0,1)", "0,1)", "inside the braces"},
	{"pack:1 {core:1 {pu:1;pu:2}(indexes=0,1,2)}", "(indexes=0,1,2)}", "only the outermost"},
	{"{core:1 ; core:2}(indexes=core)", "core)", "no level"},
	{"{core:1 ; core:2}(size=3)", "size=3)", "of braces"},
	{"pack:1(kind=A) core:1(kind=B) pu:1", "B) pu:1", "from a level above"},
	{"pack:1(efficiency=1) core:1", "1) core:1", "needs a kind="},
	{"{core:1(kind=A efficiency=1);core:1(kind=B)}", "B)}", "needs an efficiency="},
	{"{core:1(kind=A efficiency=1);core:1(kind=B efficiency=1)}", "1)}", "two kinds have efficiency 1"},
	{"core:1(kind=3)", "3)", "want a kind"},
	{"core:1(efficiency=x)", "x)", "want an efficiency"},
	{"group:2(subtype=) core:1", ") core:1", "want a subtype"},
	{"l3:2(subtype=x) core:1", "subtype=x) core:1", "unknown attribute of a cache"},
	{"numa:1(kind=x) core:1", "kind=x) core:1", "unknown attribute of a numa node"},
	{"{core:2097152 ; core:1}", "1}", "more than 2097152 PUs"},
	{"{machine:2 core:1000000 [numa]; machine:1 pu:40000 [numa] [numa] [numa]}", "numa]}", "more than 2097152 numa"},
	{"core:4(indexes=" + strings.Repeat("1*1:", 200) + "1*1)", strings.Repeat("1*1:", 200) + "1*1)", "at most 128 loops"},
	{strings.Repeat("core:1 {", 2000), strings.Repeat("core:1 {", 1873), "too many levels"},
	{"machine:1000000 core:1000000", "1000000", "more than 2097152 PUs"},
	{"cpu:99999999999999999999 pu:1", "cpu:99999999999999999999 pu:1", "unknown object type"},
	{strings.Repeat("x ", 1<<16) + "y", "y", "more than 131072 characters"},
	{strings.Repeat("group:1 ", 128) + "pu:1", "group:1 pu:1", "too many levels"},
}

// An invalid description is refused, and the error has the place of the mistake.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range refused {
		_, _, err := synthetic.Parse(c.text)
		var e *synthetic.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", c.text, err)
			continue
		}
		if rest := c.text[e.Offset:]; rest != c.rest || !strings.Contains(e.Message, c.message) {
			t.Errorf("%q: %q at %q, want %q at %q", c.text, e.Message, rest, c.message, c.rest)
		}
	}
}
