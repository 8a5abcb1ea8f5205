package limits

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// stage is the environment variable that tells a test's own program to start again with smaller limits:
// "RESOURCE VALUE".
const stage = "COMMSPLIT_TEST_LIMIT"

func TestMain(m *testing.M) {
	if value := os.Getenv(stage); value != "" {
		os.Unsetenv(stage)
		n, _ := strconv.ParseUint(value[2:], 10, 64)
		resource := map[byte]int{'n': syscall.RLIMIT_NOFILE, 'v': syscall.RLIMIT_AS}[value[0]]
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
		panic(syscall.Exec("/proc/self/exe", []string{os.Args[0], "-test.run=^$"}, os.Environ()))
	}
	os.Exit(m.Run())
}

// A process whose limits are too small ends before it does anything, with one sentence and exit code 6.
func TestProcessEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit, want string
		code        int
	}{
		{"n 7", "error: the limit of 7 open files (ulimit -n) is too small: commsplit needs 16\n", 6},
		{"v " + strconv.Itoa(1500<<20), "error: the limit of 1500 MB of addresses (ulimit -v) is too small: commsplit needs 2048\n", 6},
		{"n 64", "", 0},
	} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		p := exec.CommandContext(t.Context(), self)
		p.Env = append(os.Environ(), stage+"="+c.limit)
		var errs bytes.Buffer
		p.Stderr = &errs
		err = p.Run()
		var exit *exec.ExitError
		code := 0
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(errs.String(), "ThreadSanitizer") {
			continue // with the race detector, nothing begins with so few addresses
		}
		if code != c.code || code != 0 && errs.String() != c.want {
			t.Errorf("limit %s: exit code %d, %q", c.limit, code, errs.String())
		}
	}
}

// Each limit has its sentence.
func TestLacking(t *testing.T) {
	t.Parallel()
	const all = math.MaxUint64
	if got := lacking(all, all, all) + lacking(16, 16, 2<<30); got != "" {
		t.Errorf("enough is too small: %s", got)
	}
	if got, want := lacking(all, 3, all), "error: the limit of 3 processes and threads of a user (ulimit -u) is too small: commsplit needs 16"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
