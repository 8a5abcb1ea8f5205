package hw

import "strconv"

// ByteSize is a number of bytes in words, rounded as hwloc does: below ten of a unit the next smaller one is used, and the
// binary units are called KB, MB, GB, TB.
func ByteSize(n uint64) string {
	units := []string{"KB", "MB", "GB", "TB"}
	unit, shift := 0, 10
	for unit < len(units)-1 && n >= 10<<(shift+10) {
		unit++
		shift += 10
	}
	return strconv.Itoa(int((n>>(shift-1)+1)>>1)) + units[unit]
}
