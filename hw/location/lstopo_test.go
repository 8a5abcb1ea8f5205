package location_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/location"
)

// hwloc-calc gives the same PUs for places by chance, counts as many objects in them, and lists the same.
func TestLstopoCalculatesTheSame(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lstopo-no-graphics", "lstopo")
	program := judge.Ask(t, "hwloc-calc")
	random := rand.New(rand.NewPCG(7, 1))
	for i, spec := range []string{square, "frontier", "dgx-a100", "epyc-9654-nps4", "laptop-hybrid", "pack:1 {l3:1 core:4 pu:2 ; core:2}"} {
		p := places(t, spec, false)
		file := filepath.Join(t.TempDir(), strconv.Itoa(i)+".xml")
		var b bytes.Buffer
		if err := hwlocxml.Write(&b, p.Machine); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		ask := func(args ...string) string {
			out, err := exec.Command(program, append([]string{"-i", file}, args...)...).Output()
			if err != nil {
				t.Errorf("%s: hwloc-calc %q: %v", spec, args, err)
			}
			return strings.TrimSpace(string(out))
		}
		for range 12 {
			list := someplaces(random, p)
			set, err := p.Find(list)
			if err != nil {
				t.Errorf("%s: %q: %v", spec, list, err)
			}
			if got := ask(list...); got != set.Hex() {
				t.Errorf("%s: %q: %s, hwloc-calc says %s", spec, list, set.Hex(), got)
			}
			if got := ask(append([]string{"--taskset"}, list...)...); got != set.Taskset() {
				t.Errorf("%s: %q: %s, hwloc-calc --taskset says %s", spec, list, set.Taskset(), got)
			}
			agreeOnObjects(t, p, set.Hex(), ask)
		}
	}
}

// agreeOnObjects compares the objects of each type that have some of the PUs with hwloc-calc's.
func agreeOnObjects(t *testing.T, p *location.Places, set string, ask func(...string) string) {
	t.Helper()
	pus, err := p.One(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []string{"core", "numa", "package"} {
		list, err := p.Meeting(typ, pus)
		if err != nil {
			t.Fatal(err)
		}
		for _, physical := range []bool{false, true} {
			var numbers []string
			q := location.Places{Machine: p.Machine, Physical: physical}
			for _, o := range list {
				n, err := q.Number(o)
				if err != nil {
					t.Fatal(err)
				}
				numbers = append(numbers, strconv.Itoa(n))
			}
			args := []string{"-I", typ, set}
			if physical {
				args = append([]string{"-p"}, args...)
			}
			if got := ask(args...); got != strings.Join(numbers, ",") {
				t.Errorf("%s: %q: %s, hwloc-calc says %s", p.Machine.Name, args, strings.Join(numbers, ","), got)
			}
		}
		if got := ask("-N", typ, set); got != strconv.Itoa(len(list)) {
			t.Errorf("%s: -N %s %s: %d, hwloc-calc says %s", p.Machine.Name, typ, set, len(list), got)
		}
	}
}

// someplaces are one to three places that the machine has.
func someplaces(random *rand.Rand, p *location.Places) (list []string) {
	for i := range 1 + random.IntN(3) {
		operator := []string{"", "", "~", "x", "^"}[random.IntN(5)]
		if i == 0 {
			operator = ""
		}
		outer := fmt.Sprintf("package:%d", random.IntN(len(p.Machine.Objects(hw.Package))))
		cores, err := p.Row("core")
		if err != nil {
			panic(err) // all have some
		}
		n := random.IntN(len(cores))
		list = append(list, operator+[]string{
			"core:" + strconv.Itoa(n), "core:0-" + strconv.Itoa(n), "core:" + strconv.Itoa(n) + "-", "core:odd", outer + ".core:even", outer,
			outer + ".pu:0-1", "core:" + strconv.Itoa(n) + ":2", "numa:0", "all", "0x5",
		}[random.IntN(11)])
	}
	return list
}
