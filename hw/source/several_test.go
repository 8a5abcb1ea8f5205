package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// hosts describes the levels above the machines, and the name and PUs of each machine.
func hosts(top *hw.Topology) string {
	var parts []string
	var visit func(o *hw.Object) string
	visit = func(o *hw.Object) string {
		if o.Type == hw.Machine {
			return o.Name + "=" + o.CPUSet.String()
		}
		var below []string
		for _, c := range o.Children {
			below = append(below, visit(c))
		}
		return o.Subtype + "{" + strings.Join(below, " ") + "}"
	}
	parts = append(parts, visit(top.Root))
	return strings.Join(parts, " ")
}

const hostCore = `<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1">HOST` +
	`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>` +
	`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/></object></topology>`

// Parts are joined by '+', '*' copies a part, NAMES= names its machines; '+' and '*' in brackets
// and in the names of existing files have no such meaning.
func TestSeveral(t *testing.T) {
	dir := t.TempDir()
	for name, host := range map[string]string{
		"a.xml": "hal", "a+b.xml": "", "c.xml": "eve", "a.xml+c.xml": "both", "x=c.xml": "", "n.xml": "node1",
	} {
		info := ""
		if host != "" {
			info = `<info name="HostName" value="` + host + `"/>`
		}
		text := strings.Replace(hostCore, "HOST", info, 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for text, want := range map[string]string{
		"core:2":                            "node0=0-1",
		"core:2*1":                          "node0=0-1",
		"core:2 * 2":                        "Cluster{node0=0-1 node1=0-1}",
		"core:2 + core:1":                   "Cluster{node0=0-1 node1=0}",
		"figure-7.3*2+core:1":               "Cluster{node0=0-11 node1=0-11 node2=0}",
		"core:2 pu:2(indexes=2*2:1*2)":      "node0=0-3",
		"core:2 pu:2(indexes=2*2:1*2)*2":    "Cluster{node0=0-3 node1=0-3}",
		"cn[01-03]=core:1":                  "Cluster{cn01=0 cn02=0 cn03=0}",
		"a,b=core:1*2+core:2":               "Cluster{a=0 b=0 node2=0-1}",
		"me=core:1":                         "me=0",
		"rack:1 machine:2 core:1+core:2":    "Cluster{Rack{node0=0 node1=0} node2=0-1}",
		"machine:2 core:1+core:2":           "Cluster{node0=0 node1=0 node2=0-1}",
		"rack:2 machine:1 core:1*2":         "Cluster{Rack{node0=0} Rack{node1=0} Rack{node2=0} Rack{node3=0}}",
		"h[1-4]=machine:2 core:1":           "Cluster{h1=0 h2=0 h3=0 h4=0}",
		"cluster:2 machine:1 core:1+core:2": "System{Cluster{node0=0} Cluster{node1=0} node2=0-1}",
		"machine:2(name=u,v) core:1+core:1": "Cluster{u=0 v=0 node2=0}",
		"core:4 restrict=0-1+core:1":        "Cluster{node0=0-1 node1=0}",
		"group:1(subtype=Cluster) core:2*2": "System{node0=0-1 node1=0-1}",
		"a.xml+core:1":                      "Cluster{hal=0 node1=0}",
		"a.xml*2":                           "Cluster{node0=0 node1=0}",
		"z=a.xml+a.xml":                     "Cluster{z=0 hal=0}",
		"a+b.xml":                           "node0=0",
		"a+b.xml*2+a.xml":                   "Cluster{node0=0 node1=0 hal=0}",
		"core:1+a+b.xml":                    "Cluster{node0=0 node1=0}",
		"c.xml*3":                           "Cluster{node0=0 node1=0 node2=0}",
		"a.xml+c.xml":                       "both=0",
		"a.xml*1+c.xml":                     "Cluster{hal=0 eve=0}",
		"p,q=a+b.xml*2+a.xml":               "Cluster{p=0 q=0 hal=0}",
		"p=a+b.xml+core:1":                  "Cluster{p=0 node1=0}",
		"x=c.xml":                           "node0=0",
		"y=c.xml":                           "y=0",
	} {
		top, err := Load(context.Background(), text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := hosts(top); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	_, err := Load(context.Background(), "core:1+n.xml+core:1*2")
	if err != nil {
		t.Error(err)
	}
	if _, err = Load(context.Background(), "n.xml+core:1"); err == nil || !strings.Contains(err.Error(), "two machines are called node1") {
		t.Errorf("two machines of one name: %v", err)
	}
}

// An error names the part with the mistake; a part outside that cannot be read is an error of
// input.
func TestSeveralErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		outside    bool
	}{
		{"core:1*0", "want a number of machines of 1 to", false},
		{"core:1*x", "want a number of machines of 1 to", false},
		{"core:1*9999999", "want a number of machines of 1 to", false},
		{"core:8*2097152", "more than 2097152 PUs", false},
		{"l5:1 l4:1 l3:1 l2:1 l1:1 core:1*2097152", "more than 8388608 objects", false},
		{"core:8*150000+core:8*150000", "more than 2097152 PUs", false},
		{"core:1++core:1", "a machine is missing", false},
		{"+", "a machine is missing", false},
		{"a=", "a machine is missing", false},
		{"cn[1-3]=core:1*2", "3 names for 2 machines", false},
		{"cn[1-3]=machine:2 core:1", "3 names for 2 machines", false},
		{"a,b=this*3", "2 names for 3 machines", false},
		{"cn[1-=core:1", "missing ']'", false},
		{"a=core:1+a=core:1", "two machines are called a", false},
		{"machine:2(name=u,v) core:1*2", "two machines are called u", false},
		{"core:1+fronteir*2", "did you mean frontier?", false},
		{"core:1+nope.xml", `hardware "nope.xml": there is no such file`, true},
		{"fsroot:/not/there*2+core:1", "fsroot:/not/there: no such file", true},
		{"rack:2 machine:1 core:1+figure-7.3", "Rack", false},
		{strings.Repeat("core:1+", 2000) + "core:1", "more than 1024", false},
	} {
		_, err := Load(context.Background(), c.text)
		var gone *Unavailable
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &gone) != c.outside {
			t.Errorf("%q:\n got %v\nwant %s, outside %v", c.text, err, c.want, c.outside)
		}
	}
	var e *synthetic.Error
	for text, offset := range map[string]int{"frontier+pack:2 foo:2": 7, "core:1+pu:2(indexes=0+1)": 13} {
		if _, err := Load(context.Background(), text); !errors.As(err, &e) || e.Offset != offset {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

// Equal machines share their sets, which are large.
func TestCopiesShareSets(t *testing.T) {
	one := testing.AllocsPerRun(1, func() { load(t, "frontier") })
	many := testing.AllocsPerRun(1, func() { load(t, "frontier*100") })
	if many > one+100*100 { // a machine has 340 objects with a set each
		t.Errorf("%v allocations for one machine, %v for a hundred", one, many)
	}
}

func load(t *testing.T, text string) *hw.Topology {
	top, err := Load(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// Many machines take long to assemble: when the context ends, Load ends with the cause.
func TestSeveralInterrupted(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, end := context.WithCancelCause(t.Context())
	end(cause)
	if _, err := Load(ctx, "pack:2 core:4*1000"); !errors.Is(err, cause) {
		t.Errorf("Load gives %v, want %v", err, cause)
	}
}
