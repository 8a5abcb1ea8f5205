package sysfs

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// locate gives each NUMA node without PUs the PUs of the nodes it serves:
// its initiators, or else the nearest nodes by distance.
func (r reader) locate(nodes []*hw.Object) error {
	own := map[int]hw.Set{}
	for _, n := range nodes {
		own[n.OSIndex] = n.CPUSet
	}
	for i, n := range nodes {
		if !n.CPUSet.Empty() {
			continue
		}
		set, err := r.initiators(n.OSIndex, own)
		if err != nil {
			return err
		}
		if set.Empty() {
			if set, err = r.nearest(i, nodes, own); err != nil {
				return err
			}
		}
		n.CPUSet = set
	}
	return nil
}

// initiators unites the PUs of the nodes that access node n best. Class 1
// counts CPUs only, class 0 also other initiators, so class 1 goes first.
func (r reader) initiators(n int, own map[int]hw.Set) (hw.Set, error) {
	for _, class := range []string{"access1", "access0"} {
		folder := fmt.Sprintf("%s/node%d/%s/initiators", nodeFolder, n, class)
		numbers, err := r.numbered(folder, "node")
		if err != nil {
			return hw.Set{}, err
		}
		var set hw.Set
		for _, i := range numbers.Indexes() {
			set = set.Union(own[i])
		}
		if !set.Empty() {
			return set, nil
		}
	}
	return hw.Set{}, nil
}

// nearest unites the PUs of the nodes with the least distance to nodes[i].
// The result is empty when distances say nothing: all nodes are equally far,
// or another one is as near as the node itself.
func (r reader) nearest(i int, nodes []*hw.Object, own map[int]hw.Set) (hw.Set, error) {
	path := fmt.Sprintf("%s/node%d/distance", nodeFolder, nodes[i].OSIndex)
	text, _, err := r.text(path)
	if err != nil {
		return hw.Set{}, err
	}
	distances, err := parseDistances(text)
	if err != nil {
		return hw.Set{}, fmt.Errorf("%s: %w", path, err)
	}
	// One number per online node; left-out nodes make the row useless.
	if len(distances) != len(nodes) {
		return hw.Set{}, nil
	}
	var set hw.Set
	least, ties := 0, 0
	for j, d := range distances {
		switch {
		case j == i:
		case ties == 0 || d < least:
			least, ties, set = d, 1, own[nodes[j].OSIndex]
		case d == least:
			ties, set = ties+1, set.Union(own[nodes[j].OSIndex])
		}
	}
	if ties == len(nodes)-1 || least <= distances[i] {
		return hw.Set{}, nil
	}
	return set, nil
}

func parseDistances(text string) ([]int, error) {
	var distances []int
	for _, field := range strings.Fields(text) {
		d, err := strconv.Atoi(field)
		if err != nil || d < 0 {
			return nil, fmt.Errorf("%q is not a distance", clip(field))
		}
		distances = append(distances, d)
	}
	return distances, nil
}
