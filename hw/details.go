package hw

// Details are what few objects have: devices below any of them, and of a
// Machine what its CPUs are beyond the tree.
type Details struct {
	Devices    []*Device // I/O and Misc objects that hang below the object, for display
	Kinds      []Kind    // of a Machine: kinds of cores, the most energy-efficient first
	Offline    Set       // of a Machine: PUs that exist and are switched off
	Disallowed Set       // of a Machine: PUs that are online and not ours to use
}

// Kind is a set of PUs that are alike on a hybrid machine.
type Kind struct {
	CPUSet     Set
	Efficiency int    // 0 is the most energy-efficient kind; Unknown when nobody ranks them
	Infos      []Info // "CoreType" IntelAtom, "FrequencyMaxMHz" 3400, ...
}

// Info is a name with a value, as hwloc notes them beside objects.
type Info struct{ Name, Value string }

// Device is hwloc's Bridge, PCIDev, OSDev or Misc: it has no PUs, belongs to no
// level, and nobody can split by it.
type Device struct {
	Type    string // hwloc's type name
	Subtype string // "NVMe", "CUDA", ...; "" mostly
	Name    string // "eth0", "sda", ...; "" when unknown
	Attrs   []Info // hwloc's own attributes: "pci_busid", "pci_type", "osdev_type", ...
	Infos   []Info // "PCIVendor", "Address", ...
	Devices []*Device
}
