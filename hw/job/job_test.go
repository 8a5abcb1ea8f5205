package job_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/job"
)

// pack makes an archive of files by name.
func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// xmlOf returns a machine of n PUs, of which the job may use some.
func xmlOf(n int, allowed string) string {
	all := fmt.Sprintf("0x%x", 1<<n-1)
	var b strings.Builder
	fmt.Fprintf(&b, `<topology version="2.0"><object type="Machine" cpuset=%q nodeset="0x1" allowed_cpuset=%q>`, all, allowed)
	b.WriteString(`<info name="HostName" value="elsewhere"/>`)
	fmt.Fprintf(&b, `<object type="NUMANode" os_index="0" cpuset=%q nodeset="0x1"/>`, all)
	for i := range n {
		fmt.Fprintf(&b, `<object type="PU" os_index="%d" cpuset="0x%x" nodeset="0x1"/>`, i, 1<<i)
	}
	return b.String() + "</object></topology>"
}

// sysfs returns the files of a machine with two cores of two PUs, below a folder.
func sysfs(folder string) map[string]string {
	files := map[string]string{}
	cpu := folder + "/sys/devices/system/cpu/"
	files[cpu+"online"] = "0-3\n"
	files[folder+"/sys/devices/system/node/online"] = "0\n"
	files[folder+"/sys/devices/system/node/node0/cpumap"] = "f\n"
	for i := range 4 {
		at := fmt.Sprintf("%scpu%d/topology/", cpu, i)
		files[at+"core_id"] = fmt.Sprintln(i % 2)
		files[at+"core_cpus"] = []string{"5\n", "a\n"}[i%2]
		files[at+"package_cpus"] = "f\n"
	}
	return files
}

// readFiles reads the archive of some files. Its error does not name the archive.
func readFiles(t *testing.T, files map[string]string) (*job.Job, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.tar")
	if err := os.WriteFile(path, pack(t, files), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Read(t.Context(), path)
	return j, errors.Unwrap(err)
}

// written describes a job, in a line for each host and rank.
func written(j *job.Job) string {
	var b strings.Builder
	for _, h := range j.Hosts {
		fmt.Fprintf(&b, "%s has %s, %d objects\n", h.Name, h.CPUSet, len(slices.Collect(h.All())))
	}
	for i, r := range j.Ranks {
		fmt.Fprintf(&b, "%d on %s: %s\n", i, j.Hosts[r.Host].Name, r.CPUSet)
	}
	return b.String() + strings.Join(j.Notes, "\n")
}

const three = `commsplit job 1
# two hosts share a description
host	cn02	hosts/cn02.xml
host	cn01	hosts/cn01
host	cn03	hosts/cn02.xml

rank	0	cn01	0,2
rank	1	cn02	0-1
rank	2	cn01	1,3
rank	3	cn03	3
rank	4	cn02	0-1
`

// Hosts come in the order of the file, each with its hardware, and ranks where they ran. A host has the
// PUs that its ranks used although its description does not allow them: PU 3 of cn03, which lets the job
// have PUs 0-1.
func TestReadJob(t *testing.T) {
	t.Parallel()
	files := sysfs("hosts/cn01")
	files["hosts/cn02.xml"], files["job.txt"] = xmlOf(4, "0x3"), three
	j, err := readFiles(t, files)
	if err != nil {
		t.Fatal(err)
	}
	// The XML's machines have the objects Machine, a node and PUs; cn01 also has a package and two cores.
	want := `cn02 has 0-1, 4 objects
cn01 has 0-3, 9 objects
cn03 has 0-1,3, 5 objects
0 on cn01: 0,2
1 on cn02: 0-1
2 on cn01: 1,3
3 on cn03: 3
4 on cn02: 0-1
cn02: the file allows PUs 0-1 of 0-3
cn03: the file allows PUs 0-1,3 of 0-3`
	if got := written(j); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	list := ""
	for _, name := range slices.Sorted(maps.Keys(files)) { // the same machine as a list of its files
		if file, ok := strings.CutPrefix(name, "hosts/cn01"); ok {
			list += fmt.Sprintf("0%s\n%d\n%s", file, len(files[name]), files[name])
			delete(files, name)
		}
	}
	files["hosts/cn01.files"], files["job.txt"] = list, strings.Replace(three, "hosts/cn01", "hosts/cn01.files", 1)
	as, err := readFiles(t, files)
	if err != nil || written(as) != want {
		t.Errorf("as a list %v %v", as, err)
	}
	if j.Ranks[1] != j.Ranks[4] {
		t.Error("two ranks in one place have two bindings")
	}
}

// A recorded cgroup limits a host, too, but the host keeps the PUs that its ranks used.
func TestReadCgroup(t *testing.T) {
	t.Parallel()
	files := sysfs("hosts/a")
	files["hosts/a/proc/mounts"] = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"
	files["hosts/a/proc/self/cgroup"] = "0::/\n"
	files["hosts/a/sys/fs/cgroup/cgroup.controllers"] = "cpuset\n"
	files["hosts/a/sys/fs/cgroup/cpuset.cpus.effective"] = "0\n"
	files["job.txt"] = "commsplit job 1\nhost\ta\thosts/a\nrank\t0\ta\t2\n"
	j, err := readFiles(t, files)
	if err != nil || j.Hosts[0].CPUSet.String() != "0,2" || len(j.Notes) != 1 || j.Notes[0] != "cgroup allows PUs 0,2 of 0-3" {
		t.Errorf("%+v, %v", j, err)
	}
}

// An error is one line with the file and its line.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	const begin = "commsplit job 1\nhost\ta\ta.xml\n"
	for _, c := range []struct{ text, want string }{
		{"", `job.txt:1: "" where "commsplit job 1" was expected`},
		{"commsplit job 2\n", `job.txt:1: format "2" is not known: this program reads "commsplit job 1"`},
		{"hello\tworld\n", `job.txt:1: "hello\tworld" where "commsplit job 1" was expected`},
		{begin + "rank 0 a 0\n", `job.txt:3: "rank 0 a 0" is neither a host nor a rank: want "host NAME TOPOLOGY" ` +
			`or "rank N NAME PUS", separated by tabs`},
		{begin, `job.txt: it has no ranks: want a line "rank 0 NAME PUS" and one for each further rank`},
		{begin + "host\ta\ta.xml\n", "job.txt:3: host a already exists, in line 2"},
		{begin + "host\tb\n", "job.txt:3: a host has a name and a topology, separated by tabs, not 1 fields"},
		{begin + "host\t\x1b[2J\ta.xml\n", `job.txt:3: "\x1b[2J" is not a name of a host: want letters, digits, '.', '-' and '_'`},
		{begin + "rank\t1\ta\t0\n", `job.txt:3: rank "1" where rank 0 was expected: ranks count from 0`},
		{begin + "rank\t0\ta\t0\nrank\t0\ta\t0\n", `job.txt:4: rank "0" where rank 1 was expected: ranks count from 0`},
		{begin + "rank\t0\tb\t0\n", `job.txt:3: host "b" has no line before this one`},
		{begin + "rank\t0\ta\n", "job.txt:3: a rank has a number, a host and PUs, separated by tabs, not 2 fields"},
		{begin + "rank\t0\ta\t\n", `job.txt:3: "" is not a list of PUs between 0 and 65535, such as 0-3,8`},
		{begin + "rank\t0\ta\t0-99999\n", `job.txt:3: "0-99999" is not a list of PUs between 0 and 65535, such as 0-3,8`},
		{begin + "rank\t0\ta\t1,7\n", `job.txt:3: rank 0: "1,7": a has no PU 7; it has 0-3`},
		{"commsplit job 1\nhost\ta\tb.xml\nrank\t0\ta\t0\n", "job.txt:2: host a: b.xml: it is not in the archive"},
		{"commsplit job 1\nhost\ta\tb\nrank\t0\ta\t0\n", "job.txt:2: host a: b: it is not in the archive"},
		{"commsplit job 1\nhost\ta\t../b\nrank\t0\ta\t0\n", "job.txt:2: host a: ../b: it is not a path in the archive"},
		{"commsplit job 1\nhost\ta\tjob.txt\nrank\t0\ta\t0\n", "job.txt:2: host a: job.txt: it is not a folder"},
		{"commsplit job 1\nhost\ta\tempty\nrank\t0\ta\t0\n",
			"job.txt:2: host a: empty: there are no CPUs in sys/devices/system/cpu"},
		{"commsplit job 1\nhost\ta\tbad.xml\nrank\t0\ta\t0\n",
			"job.txt:2: host a: bad.xml: line 2: <html> where <topology> was expected: not an hwloc XML file"},
	} {
		files := map[string]string{"a.xml": xmlOf(4, "0xf"), "bad.xml": "\n<html/>", "empty/x": "", "job.txt": c.text}
		_, err := readFiles(t, files)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// The error for a file that is not a job's archive tells so, and names the file.
func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := pack(t, map[string]string{"job.txt": "commsplit job 1\nhost\ta\ta.xml\nrank\t0\ta\t0\n", "a.xml": xmlOf(1, "0x1")})
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"good.tar": {whole, ""}, "text": {[]byte("hello"), "it is not a tar archive: want the one that the probe wrote"},
		"cut.tar":   {whole[:700], "the archive is truncated"},
		"other.tar": {pack(t, map[string]string{"x": ""}), "it contains no job.txt: want the complete archive of the probe"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := job.Read(t.Context(), path)
		if want := "job:" + path + ": " + c.want; (err == nil) != (c.want == "") || err != nil && err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	for path, want := range map[string]string{
		dir:                         "it is not a file: want the tar archive that the probe wrote",
		filepath.Join(dir, "lacks"): "no such file or directory",
	} {
		if _, err := job.Read(t.Context(), path); err == nil || err.Error() != "job:"+path+": "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := job.Read(ctx, filepath.Join(dir, "good.tar")); err == nil {
		t.Error("reading goes on when nobody waits for it")
	}
}

// For any bytes, the list is refused in one line, or gives ranks on PUs that their hosts have.
func FuzzList(f *testing.F) {
	for _, s := range []string{three, "commsplit job 1\nhost\ta\thosts/cn01\nrank\t0\ta\t0-1\n", "commsplit job 1\nrank\t0\t\t\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files := sysfs("hosts/cn01")
		files["hosts/cn02.xml"], files["job.txt"] = xmlOf(4, "0x3"), text
		j, err := readFiles(t, files)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		if len(j.Hosts) == 0 || len(j.Ranks) == 0 {
			t.Fatalf("%+v", j)
		}
		for _, r := range j.Ranks {
			if r.CPUSet.Empty() || !r.CPUSet.SubsetOf(j.Hosts[r.Host].CPUSet) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
