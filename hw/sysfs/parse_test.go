package sysfs

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

// The kernel writes groups of 32 bits, the group with the highest numbers
// first: bit 0 of the first of two groups is PU 32. Groups may be shorter than
// 8 digits.
func TestParseMask(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"0", ""}, {"3", "0-1"}, {"80000000", "31"}, {"00000001,00000000", "32"},
		{"0000,00000000,000000c0", "6-7"}, {"1,80000001,00000001", "0,32,63-64"},
	}
	for _, tt := range tests {
		got, err := ParseMask(tt.text)
		if err != nil || got.String() != tt.want {
			t.Errorf("%q: %v, %v; want %q", tt.text, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", ",1", "1,", "0x1", "123456789", "-1", "1 2"} {
		if got, err := ParseMask(bad); err == nil {
			t.Errorf("%q gives %v, not an error", bad, got)
		}
	}
}

// No input makes the parsers panic, and accepted masks stay within limits.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"ff", "1,00000000", "0-3,8", "0-31:2/4", "Node 0 MemTotal: 12 kB",
		"10 20", "3:cpuset:/job", "48K"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseMask(text); err == nil && s.Next(maxCPUs) >= 0 {
			t.Errorf("mask %q gives %v", text, s)
		}
		if s, err := hw.ParseListUpTo(text, maxCPUs-1); err == nil && s.Next(maxCPUs) >= 0 {
			t.Errorf("list %q gives %v", text, s)
		}
		ParseMemTotal(text)
		parseDistances(text)
		parseGroup(text, true)
		parseGroup(text, false)
		_, _ = ParseSize(text)
	})
}
