package hwlocxml

import (
	"encoding/xml"
	"slices"
	"strings"

	"commsplit/hw"
)

// aside reads an element that is no object. An info belongs to the object o, or
// to the machine where o is nil; all else is skipped.
func (r *reader) aside(e xml.StartElement, o *hw.Object) error {
	a := attrs(e.Attr)
	name, value := a.get("name"), a.get("value")
	host := name == "HostName" && (o == nil || o.Type == hw.Machine)
	model := name == "CPUModel" && o != nil && o.Type == hw.Package
	switch {
	case e.Name.Local == "info" && (host || model):
		if err := checkText(value); err != nil {
			return r.errorf("%s: %v", name, err)
		}
		if host {
			r.hostName = value
		} else {
			o.Name = value
		}
		return r.skip()
	case o == nil:
		return r.info(e, &r.infos)
	}
	var list []hw.Info
	err := r.info(e, &list)
	if len(list) > 0 {
		d := o.Detailed()
		d.Infos = append(d.Infos, list...)
	}
	return err
}

// info reads an info to the end of list; other elements are skipped. Serial
// numbers are left out: they say nothing of the hardware's shape, and files are
// passed on.
func (r *reader) info(e xml.StartElement, list *[]hw.Info) error {
	a := attrs(e.Attr)
	name := a.get("name")
	if e.Name.Local == "info" && name != "" && !isSerial(name) {
		*list = append(*list, hw.Info{Name: name, Value: a.get("value")})
	}
	return r.skip()
}

// isSerial reports whether an info tells which of many equal pieces this is:
// "DMIBoardSerial", "SerialNumber", "DMIProductUUID", "DMIChassisAssetTag".
func isSerial(name string) bool {
	return strings.Contains(name, "Serial") || strings.HasSuffix(name, "UUID") ||
		strings.HasSuffix(name, "AssetTag")
}

// kind reads a kind of cores.
func (r *reader) kind(e xml.StartElement) error {
	k := hw.Kind{Efficiency: hw.Unknown}
	a := attrs(e.Attr)
	var err error
	if k.CPUSet, err = set(a, "cpuset"); err != nil {
		return r.errorf("cpukind: %v", err)
	}
	if k.Efficiency, err = parseIndex(a.get("forced_efficiency")); err != nil {
		return r.errorf("cpukind: forced_efficiency: %v", err)
	}
	for i := range r.kinds {
		if both := k.CPUSet.Intersect(r.kinds[i].CPUSet); !both.Empty() {
			return r.errorf("cpukind: PUs %s are in two kinds", short(both))
		}
	}
	if len(r.kinds) == maxKinds {
		return r.errorf("more than %d kinds of cores", maxKinds)
	}
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			r.kinds = append(r.kinds, k)
			return nil
		case xml.StartElement:
			if err := r.info(t, &k.Infos); err != nil {
				return err
			}
			if n := len(k.Infos); n > 0 {
				if err := checkText(k.Infos[n-1].Value); err != nil {
					return r.errorf("cpukind: %s: %v", clip(k.Infos[n-1].Name), err)
				}
			}
		}
	}
}

// addDetails gives the machine what stands beside it in the file: kinds of its
// PUs, and in format 3 infos.
func (r *reader) addDetails(machine *hw.Object) {
	if len(r.infos) > 0 {
		d := machine.Detailed()
		d.Infos = append(d.Infos, r.infos...)
	}
	for i := range r.kinds {
		r.kinds[i].CPUSet = r.kinds[i].CPUSet.Intersect(machine.CPUSet)
	}
	// hwloc leaves kinds as large as they were when it leaves out PUs that are not allowed.
	kinds := slices.DeleteFunc(r.kinds, func(k hw.Kind) bool { return k.CPUSet.Empty() })
	if len(kinds) > 0 {
		hw.RankKinds(kinds)
		machine.Detailed().Kinds = kinds
	}
}
