package verify

import "testing"

// Whatever /proc/cpuinfo holds is an error or a list of PUs that sets can hold.
func FuzzParseCPUInfo(f *testing.F) {
	f.Add("processor\t: 0\nphysical id\t: 0\ncore id\t: 1\n\nprocessor : 1\n")
	f.Add("# processors : 2\nprocessor 0: version = FF, identification = 1\n")
	f.Add("processor : 0\ncpu number : 7\n\ncpu number : -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := parseCPUInfo(text); err == nil {
			byID(list)
		}
	})
}
