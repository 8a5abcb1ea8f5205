package practice_test

import (
	"testing"

	"commsplit/cmd"
	"commsplit/repl"
	"commsplit/repl/practice"
	"commsplit/scripts"
)

// Each exercise in the binary is a sound one.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.Practice.Examples() {
		x, err := practice.Read(repl.NewScript(e.File, e.Text), cmd.World)
		if err == nil {
			err = x.Check(t.Context())
		}
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}
