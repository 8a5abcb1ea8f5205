package source

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"commsplit/hw/preset"
)

// archives are the ends of names that archives have; hwloc files have one of their own.
var archives = []string{".tar", ".tar.gz", ".tgz", ".tar.bz2"}

// Complete lists the texts that begin with text and name one machine or a job: words, presets, hwloc files
// and, after fsroot: and job:, archives. Folders are among them where files may be below, ending in '/'.
func Complete(text string) []string {
	for _, prefix := range []string{copied, ran} {
		if path, ok := strings.CutPrefix(text, prefix); ok {
			list := files(path, archives)
			for i := range list {
				list[i] = prefix + list[i]
			}
			return list
		}
	}
	words := slices.Concat([]string{"this"}, preset.Names(), []string{copied, ran})
	list := slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, text) })
	if text == "" {
		return list
	}
	return append(list, files(text, []string{".xml"})...)
}

// files are the paths that begin with text and end in one of ends, and folders. What cannot be read
// has none.
func files(text string, ends []string) []string {
	var list []string
	dir, base := filepath.Split(text)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		name := e.Name()
		ending := func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }
		switch {
		case !strings.HasPrefix(name, base) || base == "" && name[0] == '.':
		case e.IsDir():
			list = append(list, dir+name+"/")
		case slices.ContainsFunc(ends, ending):
			list = append(list, dir+name)
		}
	}
	return list
}
