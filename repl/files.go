package repl

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"commsplit/hw/source"
	"commsplit/hw/wholefile"
	"commsplit/scripts"
)

// WriteNew makes a file, all of it or none. It only writes over one that is there with force; otherwise
// the error says that instead would be right.
func WriteNew(path string, text []byte, force bool, instead string) error {
	write := wholefile.Create
	if force {
		write = wholefile.Write
	}
	err := write(path, text, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: %s", path, instead)
	}
	return err
}

// overHelp is what the help of meta commands that write says of files that are there.
const overHelp = "A file that is there and that the session has neither opened nor written stays as it is; with ! behind " +
	"the name of the meta command it is written over."

// owns reports whether the session has opened or written a file, and so may write over it.
func (c *Console) owns(path string) bool { return c.mine[identity(path)] }

// own notes that the session has opened or written a file.
func (c *Console) own(path string) {
	if c.mine == nil {
		c.mine = map[string]bool{}
	}
	c.mine[identity(path)] = true
}

// Opened notes that the session is what a file says, which it may then save itself into.
func (c *Console) Opened(path string) { c.own(path) }

// identity is the one name of a file, whatever it was called.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// forced is the line of a meta command that writes over a file that is there.
func forced(name string, args ...string) string {
	return "." + name + "! " + strings.Join(args, " ") + " writes over it"
}

// touches tells what a meta command would do with a file, "reads a file"; "" for nothing.
func (m *MetaCommand) touches(args []string) string {
	const reads, writes = "reads a file", "writes a file"
	switch {
	case m.Name == "save", m.Name == "program" && len(args) > 0,
		m.Name == "export" && len(args) > 1 && args[1] != "-":
		return writes
	case m.Name == "open" && len(args) > 0:
		if _, _, embedded := scripts.Lookup(args[0]); !embedded {
			return reads
		}
	case m.Name == "topo" && source.ReadsFile(strings.Trim(strings.Join(args, " "), "\"'")):
		return reads
	case m.Name == "bind" && len(args) > 0:
		if p, err := bindPolicy(args); err == nil && p.ReadsFile() {
			return reads
		}
	}
	return ""
}
