package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// fakeMPI makes the test binary an MPI of two ranks under the names mpirun and mpicc. Its result is that of a
// split whose keys reverse the ranks, or with REVERSE the ranks in their order; programs without a split make
// nothing. With HANGS, a folder, it is a program that hangs: each process makes a file in the folder with its
// process id as name, and mpirun, when it is terminated, ends its rank, which is in a session of its own, as
// real ones do.
func fakeMPI() {
	switch filepath.Base(os.Args[0]) {
	case "mpicc": // -std=c11 -o PROGRAM SOURCE
		exit(os.WriteFile(os.Args[3], nil, 0o700))
	case "rank":
		exit(hang(nil))
	case "mpirun": // -n 2 PROGRAM FOLDER
		if os.Getenv("HANGS") != "" {
			rank := exec.Cmd{Path: os.Args[0], Args: []string{"rank"}, SysProcAttr: ownSession}
			if err := rank.Start(); err != nil {
				exit(err)
			}
			exit(hang(rank.Process.Kill))
		}
		program, folder := os.Args[3], os.Args[4]
		source, err := os.ReadFile(program + ".c")
		if err != nil {
			exit(err)
		}
		ranks := [2]int{1, 0} // of world ranks 0 and 1 in the communicator
		if split := bytes.Contains(source, []byte("MPI_Comm_split(")); os.Getenv("REVERSE") != "" || !split {
			ranks = [2]int{0, 1}
		}
		for world, rank := range ranks {
			text := ""
			if world == 0 {
				text = "standard 31, library Open MPI v4.1.4, package: none\n"
			}
			text += fmt.Sprintf("world rank %d at step 1\nworld rank %[1]d -> @1 led by %d, rank %d, size 2\n"+
				"world rank %[1]d at step 2\nworld rank %[1]d -> #0 led by %[2]d, rank %[3]d, size 2\n", world, ranks[0], rank)
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rank-%d", world)), []byte(text), 0o600); err != nil {
				exit(err)
			}
		}
		exit(nil)
	}
}

// hang notes in the folder that the process runs, and waits until the process is terminated.
func hang(end func() error) error {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	if err := os.WriteFile(filepath.Join(os.Getenv("HANGS"), strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
		return err
	}
	select {
	case <-asked:
	case <-time.After(5 * time.Minute):
	}
	if end != nil {
		return end()
	}
	return nil
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
