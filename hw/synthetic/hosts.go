package synthetic

import "commsplit/hw"

// hosts puts as many copies of the machine as the description has hosts below
// its outer levels.
func (d *description) hosts(machine *hw.Object) *hw.Object {
	row := make([]*hw.Object, d.hostCount())
	row[0] = machine
	for i := range row[1:] {
		row[i+1] = hw.Copy(machine)
	}
	per := d.machines
	for i := len(d.above) - 1; i >= 0; i-- {
		row = group(row, per, d.above[i].name)
		per = d.above[i].count
	}
	if len(row) == 1 {
		return row[0]
	}
	return group(row, len(row), d.rootName())[0]
}

// group puts each run of per objects below a Level of the given name.
func group(row []*hw.Object, per int, name string) []*hw.Object {
	var r []*hw.Object
	for ; len(row) > 0; row = row[per:] {
		r = append(r, &hw.Object{
			Type: hw.Level, Subtype: name, OSIndex: hw.Unknown, Children: row[:per:per],
		})
	}
	return r
}

// rootName names the level that holds several outermost objects.
func (d *description) rootName() string {
	for _, o := range d.above {
		if o.name == "Cluster" {
			return "System"
		}
	}
	return "Cluster"
}
