package fsroot

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in a folder is an error: waiting for its writer, the reader would hang.
func TestPipe(t *testing.T) {
	t.Parallel()
	folder := lay(t, dual...)
	pipe := filepath.Join(folder, "dual/sys/devices/system/cpu/cpu0/topology/core_cpus")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := Read(t.Context(), folder)
	if err == nil || !strings.HasSuffix(err.Error(), "core_cpus: neither a folder nor a regular file") {
		t.Error(err)
	}
	_, err = Read(t.Context(), pipe)
	if err == nil || !strings.HasSuffix(err.Error(), "neither a folder nor a tar archive") {
		t.Error(err)
	}
}
