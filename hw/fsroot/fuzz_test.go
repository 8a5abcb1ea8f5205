package fsroot

import (
	"bytes"
	"io/fs"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// No bytes make the reader panic, hang or hand out a tree that cannot be walked.
func FuzzUnpack(f *testing.F) {
	whole := pack(f, append(dual,
		item{name: "dual/a", kind: '2', link: "b"}, item{name: "dual/b", kind: '2', link: "a"},
		item{name: "dual/c", kind: '1', link: "dual/a"}, item{name: "dual/d", kind: '2', link: "../../x"})...)
	f.Add(whole)
	f.Add(whole[:700])
	f.Add(zip(f, whole))
	f.Add([]byte("BZh91AY&SY"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := unpack(t.Context(), bytes.NewReader(data), oneMachine)
		if err != nil {
			return
		}
		err = fs.WalkDir(tree, ".", func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				_, err = fs.ReadFile(tree, path)
			} else if err == nil && !fs.ValidPath(path) {
				t.Errorf("%q is not a path", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if top, err := machineIn(tree); err == nil {
			_, _ = sysfs.Read(tree.below(top)) // must not panic
		}
	})
}
