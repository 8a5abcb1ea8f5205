package repl

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"commsplit/scripts"
)

// shim is the module that programs import under a real MPI: no script of anybody's.
const shim = "commsplit.py"

// IsScript reports whether a file is called as scripts are: NAME.mpi or NAME.py.
func IsScript(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".mpi" || ext == ".py"
}

// ScriptsAt lists the scripts that a path names: a file, an embedded script, or all NAME.mpi and NAME.py
// below a folder, in order of their names. Hidden folders and the module commsplit.py are left out.
// A path that is not there, or a folder without scripts, is an *InputError.
func ScriptsAt(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		if _, _, ok := scripts.Lookup(path); ok {
			return []string{path}, nil
		}
		return nil, scripts.Suggest(path, &InputError{err})
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var list []string
	err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && at != path && strings.HasPrefix(name, "."):
			return fs.SkipDir
		case !d.IsDir() && name != shim && IsScript(name):
			list = append(list, at)
		}
		return nil
	})
	if err != nil {
		return nil, &InputError{err}
	}
	if len(list) == 0 {
		return nil, &InputError{fmt.Errorf("%s: no scripts: none of its files is a NAME.mpi or NAME.py", path)}
	}
	return list, nil
}
