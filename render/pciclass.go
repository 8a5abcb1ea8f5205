package render

import (
	"strconv"

	"commsplit/hw"
)

// pciClass is the class of a PCI device: what it is in the first byte, which sort in the second.
func pciClass(d *hw.Device) uint16 {
	text := d.Attr("pci_type")
	class, err := strconv.ParseUint(text[:min(4, len(text))], 16, 16)
	if err != nil {
		return 0 // unclassified
	}
	return uint16(class)
}

// classes are hwloc's names of the classes that are shown.
var classes = map[uint16]string{
	0x0001: "VGA",
	0x0100: "SCSI", 0x0101: "IDE", 0x0102: "Floppy", 0x0103: "IPI", 0x0104: "RAID", 0x0105: "ATA",
	0x0106: "SATA", 0x0107: "SAS", 0x0108: "NVMExp",
	0x0200: "Ethernet", 0x0201: "TokenRing", 0x0202: "FDDI", 0x0203: "ATM", 0x0204: "ISDN",
	0x0205: "WorldFip", 0x0206: "PICMG", 0x0207: "InfiniBand", 0x0208: "Fabric",
	0x0300: "VGA", 0x0301: "XGA", 0x0302: "3D",
	0x0502: "CXLMem",
	0x0600: "HostBridge", 0x0601: "ISABridge", 0x0602: "EISABridge", 0x0603: "MicroChannelBridge",
	0x0604: "PCIBridge", 0x0605: "PCMCIABridge", 0x0606: "NubusBridge", 0x0607: "CardBusBridge",
	0x0608: "RACEwayBridge", 0x0609: "SemiTransparentPCIBridge", 0x060a: "InfiniBandPCIHostBridge",
	0x0b00: "386", 0x0b01: "486", 0x0b02: "Pentium", 0x0b10: "Alpha", 0x0b20: "PowerPC", 0x0b30: "MIPS",
	0x0b40: "Co-Processor",
	0x0c04: "FibreChannel", 0x0c06: "InfiniBand",
}

// sorts are the names of classes whose second byte is not known, by the first.
var sorts = map[uint16]string{
	0x01: "Storage", 0x02: "Network", 0x03: "Display", 0x06: "Bridge",
	0x0b: "Processor", 0x12: "ProcessingAccelerator",
}

// className is hwloc's name of a class.
func className(class uint16) string {
	if name, ok := classes[class]; ok {
		return name
	}
	if name, ok := sorts[class>>8]; ok {
		return name
	}
	return "Other"
}
