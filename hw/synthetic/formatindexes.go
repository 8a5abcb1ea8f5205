package synthetic

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// indexesText tells the os indexes of PUs or NUMA nodes at the first of them, when
// they are not the logical ones: as loops, such as 2*16:1*2, or else all.
func indexesText(t *hw.Topology, o *hw.Object) []string {
	if o.LogicalIndex != 0 || o.Type != hw.PU && o.Type != hw.NUMANode {
		return nil
	}
	objects := t.Objects(o.Type)
	index := make([]int, len(objects))
	all := make([]string, len(objects))
	needed := false
	for i, o := range objects {
		index[i], all[i] = o.OSIndex, strconv.Itoa(o.OSIndex)
		needed = needed || o.OSIndex != i
	}
	if !needed {
		return nil
	}
	if loops := interleaving(index); loops != nil {
		return []string{"indexes=" + loopsText(loops)}
	}
	return []string{"indexes=" + strings.Join(all, ",")}
}

// interleaving finds loops that give the indexes, or nil.
func interleaving(index []int) []loop {
	at := make(map[int]int, len(index))
	for i, n := range index {
		at[n] = i
	}
	var loops []loop
	for next := 1; next != len(index); {
		i, ok := at[next]
		if index[0] != 0 || !ok || i == 0 || len(index)%next != 0 {
			return nil
		}
		nb := 2
		for nb < len(index)/i && index[i*nb] == next*nb {
			nb++
		}
		loops = append(loops, loop{i, nb})
		next *= nb
	}
	for i, want := range index {
		if numberAt(loops, i) != want {
			return nil
		}
	}
	return loops
}

func loopsText(loops []loop) string {
	words := make([]string, len(loops))
	for i, l := range loops {
		words[i] = fmt.Sprintf("%d*%d", l.step, l.nb)
	}
	return strings.Join(words, ":")
}
