package traces

import (
	"os"
	"strings"
)

func isOTF2(head string) bool {
	return strings.HasPrefix(strings.TrimSpace(head), "=== OTF2-PRINT ===")
}

func (t *trace) readOTF2(f *os.File) error { return nil }
