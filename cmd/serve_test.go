//go:build unix

package cmd_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// serve prints one address, which answers only requests that have its token. A port that is taken is reported in one line, with
// exit code 5; Ctrl-C ends the server with 130, as it ends everything else.
func TestServe(t *testing.T) {
	t.Parallel()
	c := exec.Command("commsplit", "serve")
	c.Env = []string{"HOME=" + t.TempDir()}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	if code, text := get(t, at.String()); code != http.StatusOK || !strings.Contains(text, "<title>commsplit playground</title>") {
		t.Errorf("%s answers %d:\n%s", at, code, text)
	}
	without := *at
	without.Path = "/"
	if code, text := get(t, without.String()); code != http.StatusForbidden || strings.Contains(text, "playground") {
		t.Errorf("%s answers %d:\n%s", &without, code, text)
	}
	for port, want := range map[string]int{at.Port(): 5, "0": 2, "65536": 2, "http": 2} {
		text, err := exec.Command("commsplit", "serve", "--port", port).CombinedOutput()
		if code := exitCode(err); code != want || strings.Count(string(text), "\n") != 1 || !strings.HasPrefix(string(text), "error: ") {
			t.Errorf("serve --port %s ends with %d, not %d, and says\n%s", port, code, want, text)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(c.Wait()); code != 130 {
		t.Errorf("after Ctrl-C serve ends with %d", code)
	}
}

func get(t *testing.T, address string) (code int, text string) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func exitCode(err error) int {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
