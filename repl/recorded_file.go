//go:build !js

package repl

import (
	"context"

	"commsplit/repl/recording"
)

// readRecording reads the archive of a recorder as a script that makes its calls again; nil when the file is none.
func readRecording(path string) (*Script, error) {
	if !recording.Is(path) {
		return nil, nil
	}
	r, err := recording.Read(context.Background(), path)
	if err != nil {
		return nil, &InputError{err}
	}
	return NewRecorded(r), nil
}
