package source

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/preset"
)

// isArchive reports whether a file has the name of an archive. Only the content tells whether the file is an
// archive.
func isArchive(name string) bool {
	return slices.ContainsFunc([]string{".tar", ".tar.gz", ".tgz", ".tar.bz2"}, func(end string) bool {
		return strings.HasSuffix(strings.ToLower(name), end)
	})
}

// Names returns the words that name a machine without a file: this, and the presets.
func Names() []string { return append([]string{"this"}, preset.Names()...) }

// Complete lists the texts that begin with text and name one machine or a job: words, presets, hwloc files and,
// after fsroot: and job:, archives. The list includes folders in which such files may be; they end in '/'.
func Complete(text string) []string {
	for _, prefix := range []string{copied, ran} {
		if path, ok := strings.CutPrefix(text, prefix); ok {
			list := Files(path, isArchive)
			for i := range list {
				list[i] = prefix + list[i]
			}
			return list
		}
	}
	words := append(Names(), copied, ran)
	list := slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, text) })
	if text == "" {
		return list
	}
	return append(list, Files(text, isXML)...)
}

// Files lists the paths that begin with text: files whose names are wanted, and folders, which end in '/'. It
// omits hidden files until text names them; a folder that cannot be read has no files.
func Files(text string, wanted func(name string) bool) []string {
	var list []string
	dir, base := filepath.Split(text)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, base) || base == "" && name[0] == '.':
		case e.IsDir():
			list = append(list, dir+name+"/")
		case wanted(name):
			list = append(list, dir+name)
		}
	}
	return list
}
