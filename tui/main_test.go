//go:build linux

package tui_test

import (
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/tui"
	_ "codeberg.org/commsplit/commsplit/tui/quiet" // as main does
)

// TestMain lets the test binary also be the command.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "commsplit" {
		os.Exit(cmd.Main())
	}
	judge.HearHangups()
	os.Exit(tui.RunTests(m))
}
