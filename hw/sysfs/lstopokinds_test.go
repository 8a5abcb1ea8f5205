package sysfs_test

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"commsplit/hw"
)

// lstopoKind is a kind of cores in lstopo's XML.
type lstopoKind struct {
	CPUSet string `xml:"cpuset,attr"`
	Infos  []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"info"`
}

// kindsOfLstopo lists the kinds without the PUs that are not there; lstopo
// keeps them.
func kindsOfLstopo(t *testing.T, folder string, kinds []lstopoKind, pus hw.Set) []string {
	var lines []string
	kinds = slices.DeleteFunc(kinds, func(k lstopoKind) bool {
		return !hwlocSet(t, k.CPUSet).Intersects(pus)
	})
	inOrder := len(kinds) == 1 || len(kinds) > 1 && ranked(t, folder)
	for _, k := range kinds {
		set := hwlocSet(t, k.CPUSet).Intersect(pus)
		efficiency := hw.Unknown
		if inOrder {
			efficiency = len(lines)
		}
		line := fmt.Sprintf("kind %v efficiency %d", set, efficiency)
		for _, i := range k.Infos {
			line += fmt.Sprintf(" %s=%s", i.Name, i.Value)
		}
		lines = append(lines, line)
	}
	return lines
}

// details lists the kinds of our reading, and which PUs are not there.
func details(d *hw.Details) []string {
	var lines []string
	for _, k := range d.Kinds {
		line := fmt.Sprintf("kind %v efficiency %d", k.CPUSet, k.Efficiency)
		for _, i := range k.Infos {
			line += fmt.Sprintf(" %s=%s", i.Name, i.Value)
		}
		lines = append(lines, line)
	}
	return append(lines, absence(d.Offline, d.Disallowed))
}

func absence(offline, disallowed hw.Set) string {
	return fmt.Sprintf("offline %v disallowed %v", offline, disallowed)
}

// absent asks lstopo which PUs are offline and which are disallowed.
func absent(t *testing.T, folder string) []string {
	out, err := lstopo(t, folder, "--disallowed", "--of", "xml", "-")
	if err != nil {
		return nil
	}
	var doc struct {
		Root struct {
			Complete string `xml:"complete_cpuset,attr"`
			CPUSet   string `xml:"cpuset,attr"`
			Allowed  string `xml:"allowed_cpuset,attr"`
		} `xml:"object"`
	}
	if err := xml.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	online := hwlocSet(t, doc.Root.CPUSet)
	return []string{absence(hwlocSet(t, doc.Root.Complete).Minus(online),
		online.Minus(hwlocSet(t, doc.Root.Allowed)))}
}

// ranked asks lstopo whether it could rank its kinds: they are in that order then,
// and each has its efficiency.
func ranked(t *testing.T, folder string) bool {
	out, err := lstopo(t, folder, "--cpukinds")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), " efficiency 0 ")
}
