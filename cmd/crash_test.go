package cmd_test

import (
	"context"
	"io"
	"os"
	"strings"

	"codeberg.org/commsplit/commsplit/cmd"
	_ "codeberg.org/commsplit/commsplit/tui/quiet" // as main
)

// crashing is the name under which the test binary is the command with a defect: it panics when ranks
// print "crash", while all of them wait.
const crashing = "commsplit-crashing"

func crashMain() {
	s := cmd.System()
	s.Out, s.OutTTY = breaking{os.Stdout}, false // for a terminal nothing is written while ranks wait
	os.Exit(int(cmd.Run(context.Background(), s, os.Args[1:])))
}

type breaking struct{ io.Writer }

func (b breaking) Write(p []byte) (int, error) {
	if strings.HasSuffix(string(p), "] crash\n") {
		panic("defect of print")
	}
	return b.Writer.Write(p)
}
