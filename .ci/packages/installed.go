package main

import (
	"path"
	"slices"
	"strings"
)

// places is where Linux looks for the files of the archives: by the beginning of the name, longest first.
var places = []struct{ name, to string }{
	{"completions/commsplit.bash", "usr/share/bash-completion/completions/commsplit"},
	{"completions/_commsplit", "usr/share/zsh/vendor-completions/_commsplit"},
	{"completions/commsplit.fish", "usr/share/fish/vendor_completions.d/commsplit.fish"},
	{"completions/", ""}, // a shell that packages know no folder for
	{"man/", "usr/share/man/"},
	{"LICENSE", "usr/share/doc/commsplit/copyright"},
	{"commsplit", "usr/bin/commsplit"},
	{"", "usr/share/doc/commsplit/"},
}

// installed returns the files of an archive at the places where packages install them, with the folders that hold
// them, in order of names.
func installed(files []file) []file {
	var list []file
	for _, f := range files {
		for _, p := range places {
			if !strings.HasPrefix(f.name, p.name) {
				continue
			}
			to := p.to
			if strings.HasSuffix(to, "/") {
				to += strings.TrimPrefix(f.name, p.name)
			}
			if to != "" {
				list = append(list, file{to, f.mode, f.data})
			}
			break
		}
	}
	folders := map[string]bool{}
	for _, f := range list {
		for at := path.Dir(f.name); at != "."; at = path.Dir(at) {
			folders[at+"/"] = true
		}
	}
	for at := range folders {
		list = append(list, file{at, 0o755, nil})
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list
}

// summary and description are what packages say of the program.
const (
	summary     = "explore which MPI ranks a communicator split puts together, and why"
	description = "A terminal UI, a prompt and a command line whose engine runs MPI's communicator calls on any number of ranks " +
		"inside one process, on this machine's hardware or another's. It needs no MPI installation."
	license = "Apache-2.0"
)

// home returns the address of the project's page.
func (b *build) home() string { return "https://" + b.module }

// address returns the address at which a file of the version is published.
func (b *build) address(name string) string {
	return b.home() + "/releases/download/v" + b.version + "/" + name
}

// sortable writes the version for dpkg and rpm so that 0.2.0~snapshot sorts before 0.2.0.
func (b *build) sortable() string { return strings.Replace(b.version, "-", "~", 1) }
