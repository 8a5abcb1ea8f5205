//go:build !unix

package confirm

import "os/exec"

// Without process groups only mpirun itself is ended; mpirun ends its ranks.

func own(*exec.Cmd) {}

func terminate(c *exec.Cmd) { _ = c.Process.Kill() }

func killGroup(c *exec.Cmd) error { return c.Process.Kill() }

func sweep(string) {}

func allowances() []string { return nil }

func sharedMemory(string) []string { return nil }
