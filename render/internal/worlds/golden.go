package worlds

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Golden compares what a picture is now with the recorded file in testdata/render; UPDATE=1 records it.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("..", "testdata", "render", file)
	if _, err := os.Stat(filepath.Dir(path)); err != nil { // a package below render
		path = filepath.Join("..", path)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-recorded +now):\n%s", path, d)
	}
}
