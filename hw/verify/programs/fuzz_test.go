package programs

import "testing"

// For any output of lscpu, the result is an error or an account.
func FuzzParseLscpu(f *testing.F) {
	f.Add("# c\n# CPU,Node,Socket,Core,Book,DRAWER,,L1d,L1i,L2\n0,0,0,0,,,,0,0,0\n1,0,0,1,,,,1,1,0\n")
	f.Add("# CPU,Node\n\"0\",-\n")
	f.Fuzz(func(t *testing.T, text string) {
		if a, _, err := parseLscpu(text); err == nil && a == nil {
			t.Error("neither an error nor an account")
		}
	})
}
