package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"strings"
)

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
