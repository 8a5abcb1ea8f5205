package probe_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// shellTo is a remote shell to this machine under another name, so that launchers take it for another host.
const shellTo = `#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec unshare -u sh -c "hostname $host; $*" < /dev/null
`

// remoteShell writes shellTo to a file, or skips the test where hosts cannot have other names.
func remoteShell(t *testing.T) string {
	t.Helper()
	if out, err := exec.Command(judge.Ask(t, "unshare"), "-u", "hostname", "cn01").CombinedOutput(); err != nil {
		t.Skipf("no other names of hosts here: %v %s", err, out)
	}
	path := filepath.Join(t.TempDir(), "rsh")
	if err := os.WriteFile(path, []byte(shellTo), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// where returns the host of each rank.
func where(top *hw.Topology) string {
	var list []string
	for _, r := range top.Ranks {
		list = append(list, top.Hosts[r.Host].Name)
	}
	return strings.Join(list, " ")
}

// Two hosts of a real job are two hosts here, with the ranks that the launcher was told to put there.
func TestHostsOpenMPI(t *testing.T) {
	t.Parallel()
	binary, shell := openMPI.build(t, ""), remoteShell(t)
	args := []string{"--mca", "plm_rsh_agent", shell, "--host", "cn01:2,cn02:2", "-n", "4"}
	for by, want := range map[string]string{"node": "cn01 cn02 cn01 cn02", "slot": "cn01 cn01 cn02 cn02"} {
		top, out := openMPI.probed(t, append(args, "--map-by", by, "--bind-to", "none", binary)...)
		if got := where(top); got != want || top.Root.Subtype != "Cluster" {
			t.Errorf("--map-by %s: got %s, want %s\n%s", by, got, want, out)
		}
	}
}

// Two hosts of a job under Hydra are two hosts here, too. Their hardware is the same, and in the archive
// once.
func TestHostsHydra(t *testing.T) {
	t.Parallel()
	binary, shell := hydra.build(t, ""), remoteShell(t)
	file := filepath.Join(t.TempDir(), "job.tar")
	out, err := hydra.launch(t, "-launcher", "ssh", "-launcher-exec", shell, "-hosts", "cn01,cn02", "-n", "5", "-ppn", "2",
		binary, file)
	if err != nil || !strings.Contains(out, "5 ranks on 2 hosts") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := listOf(t, file), "commsplit job 1\nhost\tcn01\thosts/cn01.xml\nhost\tcn02\thosts/cn01.xml\n"+
		"rank 0 cn01\nrank 1 cn01\nrank 2 cn02\nrank 3 cn02\nrank 4 cn01\n"; !sameLines(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// sameLines compares job.txt; of the lines of ranks it compares only numbers and hosts.
func sameLines(got, want string) bool {
	var b strings.Builder
	for line := range strings.Lines(got) {
		if f := strings.Fields(line); f[0] == "rank" {
			line = strings.Join(f[:3], " ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String() == want
}

// Ranks that share memory are on one host, also when they have two names for the host; ranks that share no
// memory are on two hosts, also when both hosts have one name.
func TestNamesHydra(t *testing.T) {
	t.Parallel()
	binary, shell := hydra.build(t, ""), remoteShell(t)
	file := filepath.Join(t.TempDir(), "job.tar")
	out, err := hydra.launch(t, "-n", "1", shell, "cn01", binary, file, ":", "-n", "1", shell, "cn02", binary, file)
	if err != nil || !strings.Contains(out, "rank 1 calls its host cn02") || !strings.Contains(out, "2 ranks on 1 host,") {
		t.Errorf("%v\n%s", err, out)
	}
	top, out := hydra.probed(t, "-env", "MPIR_CVAR_ODD_EVEN_CLIQUES", "1", "-n", "3", shell, "cn01", binary)
	if got := where(top); got != "cn01 cn01-2 cn01" || !strings.Contains(out, "another host is called cn01") {
		t.Errorf("got %s\n%s", got, out)
	}
}

// The program writes a complete file or none, keeps an existing file, and all ranks end.
func TestRefusalsHydra(t *testing.T) {
	t.Parallel()
	binary, lost := hydra.build(t, ""), hydra.build(t, "/nowhere")
	dir := t.TempDir()
	there := filepath.Join(dir, "there.tar")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{binary, there}, "probe: cannot write " + there + ": File exists"},
		{[]string{binary, dir + "/no/job.tar"}, "probe: cannot write " + dir + "/no/job.tar: No such file or directory"},
		{[]string{binary}, "usage: probe [--sysfs] FILE.tar"},
		{[]string{binary, "--xml", "a.tar"}, "usage: probe [--sysfs] FILE.tar"},
		{[]string{lost, "--sysfs", dir + "/lost.tar"}, ": /sys/devices/system/cpu tells of no CPUs"},
	} {
		out, err := hydra.launch(t, append([]string{"-n", "3"}, c.args...)...)
		if exit := (*exec.ExitError)(nil); !asExit(err, &exit) || !strings.Contains(out, c.want+"\n") {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
	if text, err := os.ReadFile(there); string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if files, err := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}
