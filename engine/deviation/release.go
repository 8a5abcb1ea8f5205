package deviation

import (
	"fmt"
	"regexp"
	"strings"
)

// Release is a library and its version, as the library names itself.
type Release struct {
	Name   string  // "Open MPI 4.1.4"
	Known  Library // None: no deviations of the library are known
	Number int     // 41 for 4.1, 0 when unknown
}

// releases find the name and the version of a library in the text of MPI_Get_library_version.
var releases = []struct {
	known Library
	says  *regexp.Regexp
	name  string
}{
	{OpenMPI, regexp.MustCompile(`^Open MPI v([0-9][^, ]*)`), "Open MPI "},
	{MPICH, regexp.MustCompile(`^MPICH Version:\s*([0-9]\S*)`), "MPICH "},
	{None, regexp.MustCompile(`^(.{1,60})`), ""},
}

// Identify finds the release in the text of MPI_Get_library_version.
func Identify(text string) Release {
	for _, v := range releases {
		if m := v.says.FindStringSubmatch(text); m != nil {
			return Release{v.name + strings.TrimSpace(m[1]), v.known, number(m[1])}
		}
	}
	return Release{Name: "an MPI without a name"}
}

// number returns major and minor version as a number: 41 for "4.1.4"; 0 for a version that does not
// begin with two numbers.
func number(version string) int {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return 0
	}
	return major*10 + min(minor, 9)
}
