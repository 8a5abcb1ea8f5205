package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without JUDGE=1 no program is asked, not even an installed one; with JUDGE=1 an installed program is asked.
func TestAskShell(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(self))
	for _, c := range []struct {
		judge   string
		program []string
		want    string
	}{
		{"", []string{filepath.Base(self)}, ""},
		{"0", []string{filepath.Base(self)}, ""},
		{"1", []string{"no-such-program", filepath.Base(self)}, self},
		{"1", []string{"no-such-program"}, ""},
	} {
		t.Setenv("JUDGE", c.judge)
		got := ""
		t.Run("Shell", func(t *testing.T) { got = Ask(t, c.program...) })
		if got != c.want {
			t.Errorf("JUDGE=%s %q: %q, want %q", c.judge, c.program, got, c.want)
		}
	}
}

// .ci/run asks every judge: its pattern picks all tests with the names that Ask demands.
func TestNamesAreThoseOfCI(t *testing.T) {
	text, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Skip("the checks are not here")
	}
	if !strings.Contains(string(text), "-run '"+Names+"|Recordings'") {
		t.Errorf(".ci/run does not run %s", Names)
	}
}
