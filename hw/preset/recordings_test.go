package preset

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"github.com/google/go-cmp/cmp"
)

// objects lists the objects of a type: PUs, size, and the os index where os indexes count.
func objects(top *hw.Topology, typ hw.Type, memory bool) []string {
	var r []string
	for _, o := range top.Objects(typ) {
		if typ == hw.Group && o.Subtype == "" {
			continue
		}
		line := fmt.Sprintf("%s(%s) %s", o.Type, o.Subtype, o.CPUSet)
		if typ == hw.Core || typ == hw.Package && o.OSIndex != hw.Unknown {
			line += fmt.Sprintf(" P#%d", o.OSIndex)
		}
		if typ.IsCache() || typ == hw.NUMANode && memory {
			line += fmt.Sprintf(" %d bytes", o.Bytes)
		}
		r = append(r, line)
	}
	slices.Sort(r)
	return r
}

// The presets of recorded machines are equal to the recordings, type by type. Where a recording
// cannot decide, the comparison is left out: an EPYC in another NUMA mode, a KNL in another
// cluster mode, the meaningless core numbers of IBM z.
func TestLikeRecordings(t *testing.T) {
	t.Parallel()
	caches := []hw.Type{hw.L3Cache, hw.L2Cache, hw.L1Cache}
	all := append([]hw.Type{
		hw.Group, hw.NUMANode, hw.Package, hw.Die, hw.L3iCache, hw.L2iCache, hw.L1iCache, hw.Core, hw.PU,
	}, caches...)
	for _, c := range []struct {
		preset, file string
		memory       bool
		types        []hw.Type
	}{
		{"figure-7.3", "xml/figure-7.3.xml", true, all},
		{"laptop-hybrid", "xml/Intel-RaptorLake-Corei7-1370P.xml", true, all},
		{"laptop-arrowlake", "xml/Intel-ArrowLake-CoreUltra5-225U.xml", true, all},
		{"epyc-9654-nps4", "xml/AMD-19h-Zen4-2xEpyc-9654.xml", false, append([]hw.Type{hw.Package, hw.PU}, caches...)},
		{"knl-snc4-flat", "xml/Intel-KnightsLanding-XeonPhi-7210.xml", false,
			append([]hw.Type{hw.Package, hw.L1iCache, hw.PU}, caches...)},
		{"kunpeng-920", "sysfs/128arm-2pa2n8cluster4co.xml", false,
			append([]hw.Type{hw.Group, hw.NUMANode, hw.Package, hw.Core, hw.PU, hw.L1iCache}, caches...)},
		{"ibm-z-drawers", "sysfs/20s390-2g6s4c.xml", true, []hw.Type{hw.Group, hw.NUMANode, hw.PU}},
	} {
		t.Run(c.preset, func(t *testing.T) {
			t.Parallel()
			recorded, err := hwlocxml.Read(bytes.NewReader(recording(t, c.file)))
			if err != nil {
				t.Fatal(err)
			}
			top, _ := Lookup(c.preset)
			for _, typ := range c.types {
				diff := cmp.Diff(objects(recorded, typ, c.memory), objects(top, typ, c.memory))
				if diff != "" {
					t.Errorf("%s: -recorded +preset:\n%s", typ, diff)
				}
			}
		})
	}
}

// The hybrid machines have the kinds of cores of their recordings.
func TestKindsLikeRecordings(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"laptop-hybrid":    "xml/Intel-RaptorLake-Corei7-1370P.xml",
		"laptop-arrowlake": "xml/Intel-ArrowLake-CoreUltra5-225U.xml",
	} {
		var doc struct {
			Kinds []struct {
				CPUSet string `xml:"cpuset,attr"`
				Rank   int    `xml:"forced_efficiency,attr"`
				Infos  []struct {
					Name  string `xml:"name,attr"`
					Value string `xml:"value,attr"`
				} `xml:"info"`
			} `xml:"cpukind"`
		}
		if err := xml.Unmarshal(recording(t, file), &doc); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, k := range doc.Kinds {
			bits, err := strconv.ParseUint(strings.TrimPrefix(k.CPUSet, "0x"), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("%d 0x%08x %s %s", k.Rank, bits, k.Infos[0].Name, k.Infos[0].Value))
		}
		top, _ := Lookup(name)
		for _, k := range top.Hosts[0].Details.Kinds {
			got = append(got, fmt.Sprintf("%d %s %s %s", k.Efficiency, mask(k.CPUSet), k.Infos[0].Name, k.Infos[0].Value))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -recorded +preset:\n%s", name, diff)
		}
	}
}
