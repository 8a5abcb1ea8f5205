//go:build !js

package stories

import (
	"context"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// readRecording reads a recorder's archive as a script that makes its calls again; nil when the file is not an archive.
func readRecording(path string) (*Script, error) {
	if !recording.Is(path) {
		return nil, nil
	}
	r, err := recording.Read(context.Background(), path)
	if err != nil {
		return nil, repl.AsInput(err)
	}
	return NewRecorded(r), nil
}
