package main

import (
	"bytes"
	"strings"

	"github.com/google/rpmpack"
)

// rpm writes the package for Red Hat, SUSE and their relatives.
func (b *build) rpm(goarch string, files []file) ([]byte, error) {
	r, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "commsplit", Version: b.sortable(), Release: "1", Arch: machines[goarch], OS: "linux",
		Summary: summary, Description: description, URL: b.home(), Licence: license,
		BuildTime: b.when, BuildHost: "localhost", Compressor: "gzip",
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		kind := rpmpack.GenericFile
		if f.data == nil { // a folder, which another package owns unless it is ours alone
			if !strings.HasSuffix(f.name, "/commsplit/") {
				continue
			}
			f.mode |= 0o40000
		}
		if strings.Contains(f.name, "/doc/") && f.data != nil {
			kind = rpmpack.DocFile
		}
		name := strings.TrimSuffix("/"+f.name, "/")
		name = strings.Replace(name, "/zsh/vendor-completions/", "/zsh/site-functions/", 1) // as zsh is told there
		r.AddFile(rpmpack.RPMFile{Name: name, Body: f.data, Mode: uint(f.mode), Owner: "root", Group: "root",
			MTime: uint32(b.when.Unix()), Type: kind})
	}
	var out bytes.Buffer
	err = r.Write(&out)
	return out.Bytes(), err
}

// machines is what rpm and Spack call the processors.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
