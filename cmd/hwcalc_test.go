package cmd_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// The command line of hw calc: formats, numbers of objects, and what does not go together.
func TestHWCalc(t *testing.T) {
	t.Parallel()
	const machine = "pack:2 core:2 pu:2(indexes=2*4:4*1)"
	for _, c := range []struct {
		args, out string
	}{
		{"core:1", "1,5"}, {"--format hex core:1", "0x00000022"}, {"--format taskset core:1", "0x22"}, {"all ~all", ""},
		{"--number-of core package:1", "2"}, {"--intersect pu core:1", "2,3"}, {"--intersect pu --physical core:1", "1,5"},
		{"--physical pu:4", "4"}, {"pu:4", "2"},
	} {
		r := run(t, "", append([]string{"hw", "calc", "--topo", machine}, strings.Fields(c.args)...)...)
		if r.code != cmd.OK || r.out != c.out+"\n" {
			t.Errorf("%s: code %d, %q %s; want %q", c.args, r.code, r.out, r.err, c.out)
		}
	}
	for args, want := range map[string]string{
		"": "takes places such as", "core:7": "there is no core:7", "--number-of core --intersect pu all": "choose one",
		"--number-of cores all": "did you mean core?", "--intersect l3 all": "the machine has no l3", "--near gpu0": "--near gpu0: there is no device",
		"--intersect machine --physical all --format octal": "list, hex or taskset",
	} {
		r := run(t, "", append([]string{"hw", "calc", "--topo", machine}, strings.Fields(args)...)...)
		if r.code != cmd.Usage || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s; want %q", args, r.code, r.err, want)
		}
	}
	if r := run(t, "", "hw", "calc", "--topo", "machine:2 core:2", "core:0"); r.code != cmd.Usage || !strings.Contains(r.err, "--host node0") {
		t.Errorf("two machines: code %d, %s", r.code, r.err)
	}
	if r := run(t, "", "hw", "calc", "--topo", "machine:2 core:2", "--host", "node1", "core:0"); r.out != "0\n" {
		t.Errorf("the second of two machines: %q %s", r.out, r.err)
	}
}
