package server

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

func TestMain(m *testing.M) { os.Exit(chromium.Main(m)) }

// The server's page has a session, and its button stops a loop. A session that the server ended begins again with its
// lines, and the page sends requests to no other server.
func TestChromiumServed(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(listener.Addr().(*net.TCPAddr).Port)
	web := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s}}
	web.Start()
	t.Cleanup(web.Close)
	b := chromium.Open(t, s.Address(), "#n=6&topo=core:6", 1280, 800)
	b.Until(`document.getElementById("tools").hidden === false`)
	b.Keys("half = split world color=rank%2" + kb.Enter)
	b.Holds("#log", "half = ranks 0-5 each call")
	b.Keys("while True: pass" + kb.Enter)
	b.Until(`document.getElementById("stop").hidden === false`)
	b.Click("#stop")
	b.Holds("#log", "interrupted: the session is as it was before this line")
	s.mu.Lock()
	for page := range s.sessions {
		s.drop(page)
	}
	s.mu.Unlock()
	b.Keys("rows = split half color=0" + kb.Enter)
	b.Until(`document.getElementById("log").innerText.includes("rows = ranks")`)
	b.Holds("#ranks thead", "half rows")
	b.Quiet()
}
