package compare

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// compareDevices compares the devices that programs know by name: whether they exist, their addresses, their models, and
// the objects that they are near to. If one machine's description has no devices at all, that is one difference.
func (c *comparison) compareDevices() {
	if n, m := len(c.a.devices), len(c.b.devices); (n == 0) != (m == 0) {
		c.list = append(c.list, Difference{Type: "devices", A: strconv.Itoa(n), B: strconv.Itoa(m)})
		return
	}
	others := map[string]*hw.Located{}
	for i := range c.b.devices {
		d := &c.b.devices[i]
		others[d.Kind()+" "+d.Name] = d
	}
	t := deviceTable{entries: map[deviceRow][]entry{}}
	for i := range c.a.devices {
		d := &c.a.devices[i]
		name := d.Kind() + " " + d.Name
		if o := others[name]; o != nil {
			c.device(&t, d, o)
			delete(others, name)
			continue
		}
		t.add(d, "", "there", "not there")
	}
	for i := range c.b.devices {
		if d := &c.b.devices[i]; others[d.Kind()+" "+d.Name] != nil {
			t.add(d, "", "not there", "there")
		}
	}
	for _, row := range t.rows {
		c.tell(row.kind, row.property, t.entries[row], func(names []string) string { return fewOf(names, ", ") })
	}
}

// deviceTable holds the differences of devices, by kind of device and property.
type deviceTable struct {
	rows    []deviceRow
	entries map[deviceRow][]entry
}

type deviceRow struct{ kind, property string }

func (t *deviceTable) add(d *hw.Located, property, a, b string) {
	row := deviceRow{d.Kind(), property}
	if t.entries[row] == nil {
		t.rows = append(t.rows, row)
	}
	t.entries[row] = append(t.entries[row], entry{d.Name, a, b})
}

// device compares a device of both machines.
func (c *comparison) device(t *deviceTable, a, b *hw.Located) {
	if x, y := strings.ToLower(a.BusID()), strings.ToLower(b.BusID()); x != y && x != "" && y != "" {
		t.add(a, "bus", x, y)
	}
	if x, y := a.Model(), b.Model(); x != y && x != "" && y != "" {
		t.add(a, "model", x, y)
	}
	if a.PCI != nil && b.PCI != nil {
		if x, y := ids(a.PCI), ids(b.PCI); x != y && x != "" && y != "" {
			t.add(a, "PCI ids", x, y)
		}
	}
	x, y := a.Object, b.Object
	if c.place && typeOf(x) == typeOf(y) && (x.Type == hw.Machine || c.a.index(x) == c.b.index(y)) || !c.place && c.same(x.CPUSet, y.CPUSet) {
		return
	}
	t.add(a, "near to", c.a.name(x), c.b.name(y))
}

// ids returns the vendor and the device of a PCI device, "10de:20b0".
func ids(d *hw.Device) string {
	vendor, device, ok := d.PCIIDs()
	if !ok {
		return ""
	}
	return vendor + ":" + device
}

// name names an object: "Package L#1".
func (m *machine) name(o *hw.Object) string {
	if o.Type == hw.Machine || o.Attached {
		return o.Type.String() + " (PUs " + o.CPUSet.String() + ")"
	}
	return typeOf(o) + " L#" + strconv.Itoa(m.index(o))
}
