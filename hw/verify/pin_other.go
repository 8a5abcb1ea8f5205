//go:build !linux

package verify

import (
	"context"
	"fmt"
	"runtime"
)

func pinEach(context.Context) ([]Pinned, error) {
	return nil, fmt.Errorf("binding threads to PUs is for Linux: this is %s", runtime.GOOS)
}
