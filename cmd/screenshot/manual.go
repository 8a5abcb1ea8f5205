package main

import (
	"path/filepath"

	"commsplit/hw/wholefile"
	"commsplit/render/paint"
)

// manual is the pictures of the manual, each beside what it shows: out is its path in the repository without
// -dark.svg and -light.svg. Screens of 110 columns can be read in a column of text.
var manual = []picture{
	{out: "tui/pictures/split", move: true, width: 110, height: 32, flags: "-n 12 --topo figure-7.3", keys: []string{
		"sleep:1", "text:half = split world color=rank%2 key=-rank", "Enter", "sleep:5",
		`text:numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`, "Enter", "sleep:6"}},
	{out: "tui/pictures/explore", width: 110, height: 38, flags: "-n 64 --topo frontier", keys: []string{
		"text:parts = split_type world HW_UNGUIDED", "Enter", "sleep:2"}},
	{out: "tui/pictures/deadlock", width: 110, height: 32, flags: "-n 4 --topo 'pack:2 core:2'", keys: []string{
		"text:@0 barrier world", "Enter", "sleep:2", "text:@1-3 half = split world color=0", "Enter", "sleep:2"}},
}

// inManual is the pictures of the manual on dark and on light terminals, with all that makes them.
func inManual() []picture {
	var list []picture
	for _, p := range manual {
		p.colors = paint.Colors256
		dark, light := p, p
		dark.out += "-dark.svg"
		light.out, light.light = light.out+"-light.svg", true
		list = append(list, dark, light)
	}
	return list
}

// writeManual makes the pictures of the manual in the folder of the repository.
func writeManual(folder string) error {
	for _, p := range inManual() {
		data, err := p.draw()
		if err != nil {
			return err
		}
		if err := wholefile.Write(filepath.Join(folder, p.out), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
