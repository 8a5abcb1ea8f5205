package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/rpmpack"
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

// deb is the package for Debian and its relatives: an archive of ar with the version of the format, what dpkg is told,
// and the files (deb(5)).
func (b *build) deb(goarch string, files []file) ([]byte, error) {
	var sums strings.Builder
	size := 0
	for i := range files {
		files[i].name = "./" + files[i].name
		if files[i].data != nil {
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(files[i].data), files[i].name[2:])
			size += len(files[i].data)
		}
	}
	control := fmt.Sprintf(`Package: commsplit
Version: %s
Architecture: %s
Maintainer: the authors of commsplit
Installed-Size: %d
Section: science
Priority: optional
Homepage: %s
Description: %s
%s`, b.sortable(), goarch, (size+1023)/1024, b.home(), summary, wrapped(description, " "))
	told, err := tarred([]file{{"./", 0o755, nil}, {"./control", 0o644, []byte(control)}, {"./md5sums", 0o644, []byte(sums.String())}}, b.when)
	if err != nil {
		return nil, err
	}
	held, err := tarred(append([]file{{"./", 0o755, nil}}, files...), b.when)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, part := range []struct {
		name string
		tar  []byte
	}{{"debian-binary", nil}, {"control.tar.gz", told}, {"data.tar.gz", held}} {
		data := []byte("2.0\n")
		if part.tar != nil {
			if data, err = gzipped(part.tar); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", part.name, b.when.Unix(), 0, 0, "100644", len(data))
		out.Write(data)
		if len(data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// wrapped breaks a text into lines of at most 76 letters behind an indent.
func wrapped(text, indent string) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		switch {
		case at > 0 && at+1+len(word) <= 76:
			b.WriteByte(' ')
		case at > 0:
			b.WriteByte('\n')
			fallthrough
		default:
			b.WriteString(indent)
			at = 0
		}
		b.WriteString(word)
		at += 1 + len(word)
	}
	return b.String() + "\n"
}

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
