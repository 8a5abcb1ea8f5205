package deviation

import (
	"fmt"
	"regexp"
	"strings"
)

// Release is a library as it names itself.
type Release struct {
	Name   string  // "Open MPI 4.1.4"
	Known  Library // None: no deviations of it are known
	Number int     // 41 for 4.1, 0 when unknown
}

// releases find name and version in what MPI_Get_library_version says.
var releases = []struct {
	known Library
	says  *regexp.Regexp
	name  string
}{
	{OpenMPI, regexp.MustCompile(`^Open MPI v([0-9][^, ]*)`), "Open MPI "},
	{MPICH, regexp.MustCompile(`^MPICH Version:\s*([0-9]\S*)`), "MPICH "},
	{None, regexp.MustCompile(`^(.{1,60})`), ""},
}

// Identify finds the release in what MPI_Get_library_version says.
func Identify(text string) Release {
	for _, v := range releases {
		if m := v.says.FindStringSubmatch(text); m != nil {
			return Release{v.name + strings.TrimSpace(m[1]), v.known, number(m[1])}
		}
	}
	return Release{Name: "an MPI without a name"}
}

// number is 41 for a version "4.1.4"; 0 for one that does not begin with two numbers.
func number(version string) int {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return 0
	}
	return major*10 + min(minor, 9)
}
