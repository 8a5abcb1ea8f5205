package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/repl/playground/desk"
)

const port = 40404

// request returns a request as a browser of this machine makes it, changed by a test.
func request(s *Server, method, path, body string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:40404/"+s.token+"/"+path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://127.0.0.1:40404")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if change != nil {
		change(r)
	}
	return r
}

func answered(s *Server, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// posted sends a page's request and returns the answer; no answer is an error.
func posted(t *testing.T, s *Server, page string, q desk.Request) desk.Answer {
	t.Helper()
	body, err := json.Marshal(question{page, q})
	if err != nil {
		t.Fatal(err)
	}
	r := answered(s, request(s, http.MethodPost, "ask", string(body), nil))
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", r.Status, text, err)
	}
	var a desk.Answer
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// The server answers only requests with the token that come from its own page. For each path it refuses another host,
// as a foreign name bound to this machine would be, another origin, and a missing or wrong token.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := New(port)
	ask := `{"page":"p","request":{"verb":"open"}}`
	for name, change := range map[string]func(*http.Request){
		"another host":           func(r *http.Request) { r.Host = "evil.example:40404" },
		"no port":                func(r *http.Request) { r.Host = "127.0.0.1" },
		"another port":           func(r *http.Request) { r.Host = "127.0.0.1:40405" },
		"no host":                func(r *http.Request) { r.Host = "" },
		"another origin":         func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"another port's origin":  func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:8888") },
		"a file's origin":        func(r *http.Request) { r.Header.Set("Origin", "null") },
		"the origin with TLS":    func(r *http.Request) { r.Header.Set("Origin", "https://127.0.0.1:40404") },
		"no token":               func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, "/"+s.token, "", 1) },
		"an empty token":         func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, s.token, "", 1) },
		"another token":          func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, s.token, New(port).token, 1) },
		"the token's beginning":  func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, s.token, s.token[:20], 1) },
		"a token in small":       func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, s.token, strings.ToLower(s.token), 1) },
		"the token alone":        func(r *http.Request) { r.URL.Path = "/" + s.token },
		"the token where a page": func(r *http.Request) { r.URL.Path = "//" + s.token + "/" },
	} {
		for _, r := range []*http.Request{
			request(s, http.MethodGet, "", "", change), request(s, http.MethodGet, "playground.js", "", change),
			request(s, http.MethodPost, "ask", ask, change), request(s, http.MethodPost, "close", ask, change),
		} {
			if a := answered(s, r); a.StatusCode != http.StatusForbidden {
				t.Errorf("%s: %s %s gets %s", name, r.Method, r.URL.Path, a.Status)
			}
		}
	}
	r := request(s, http.MethodPost, "ask", ask, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })
	if a := answered(s, r); a.StatusCode != http.StatusForbidden {
		t.Errorf("a request of another site gets %s", a.Status)
	}
	if len(s.sessions) != 0 {
		t.Errorf("they opened %d sessions", len(s.sessions))
	}
}

// A request that is not the page's is refused with a line: a form of another page could send one that is not JSON.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	s := New(port)
	ask := `{"page":"p","request":{"verb":"open"}}`
	for name, c := range map[string]struct {
		request *http.Request
		code    int
	}{
		"a form":         {request(s, http.MethodPost, "ask", ask, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }), 405},
		"GET":            {request(s, http.MethodGet, "ask", "", nil), 405},
		"POST of a file": {request(s, http.MethodPost, "index.html", ask, nil), 405},
		"DELETE":         {request(s, http.MethodDelete, "", "", nil), 405},
		"no JSON":        {request(s, http.MethodPost, "ask", "ask", nil), 400},
		"no page":        {request(s, http.MethodPost, "ask", `{"request":{"verb":"open"}}`, nil), 400},
		"a long name":    {request(s, http.MethodPost, "ask", `{"page":"`+strings.Repeat("p", 65)+`"}`, nil), 400},
		"too long":       {request(s, http.MethodPost, "ask", `{"page":"p","request":{"text":"`+strings.Repeat("x", 2<<20)+`"}}`, nil), 400},
		"another file":   {request(s, http.MethodGet, "server.go", "", nil), 404},
		"a way out":      {request(s, http.MethodGet, "../../etc/passwd", "", nil), 404},
		"HEAD":           {request(s, http.MethodHead, "", "", nil), 200},
		"localhost":      {request(s, http.MethodGet, "", "", func(r *http.Request) { r.Host = "localhost:40404" }), 200},
	} {
		if a := answered(s, c.request); a.StatusCode != c.code {
			t.Errorf("%s gets %s, not %d", name, a.Status, c.code)
		}
	}
}

// Each answer has headers that forbid the page to load from elsewhere, to be in a frame, and to be cached.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := New(port)
	for _, path := range []string{"", "playground.js", "playground.css", "nothing"} {
		h := answered(s, request(s, http.MethodGet, path, "", nil)).Header
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy+";", part+";") {
				t.Errorf("%q: the policy %q has no %s", path, policy, part)
			}
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": ""} {
			if got := h.Get(name); got != want {
				t.Errorf("%q: %s is %q", path, name, got)
			}
		}
	}
}

// Each page has its own session, and the number of sessions is bounded: the session unused for the longest time ends,
// and its page is told so. A page that is closed ends its session.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := New(port)
	open := func(page string) {
		t.Helper()
		if a := posted(t, s, page, desk.Request{Verb: "open", Text: "n=2&topo=core:2"}); a.Session == nil {
			t.Fatalf("%s gets no session: %+v", page, a)
		}
	}
	open("a")
	open("b")
	posted(t, s, "a", desk.Request{Verb: "line", Text: "mine = dup world"})
	if a := posted(t, s, "b", desk.Request{Verb: "line", Text: ".show"}); strings.Contains(fmt.Sprint(a.Said), "mine") {
		t.Errorf("the session of page b has the variable of page a: %v", a.Said)
	}
	for k := range mostSessions - 2 {
		open(fmt.Sprint(k))
	}
	posted(t, s, "a", desk.Request{Verb: "check"})
	open("one more")
	if len(s.sessions) != mostSessions {
		t.Errorf("%d sessions are open", len(s.sessions))
	}
	if a := posted(t, s, "a", desk.Request{Verb: "line", Text: "mine"}); a.Lost {
		t.Error("the session that was used is gone")
	}
	if a := posted(t, s, "b", desk.Request{Verb: "line", Text: "world"}); !a.Lost {
		t.Error("the session that was not used for the longest time is there")
	}
	r := answered(s, request(s, http.MethodPost, "close", `{"page":"a"}`, nil))
	if r.StatusCode != http.StatusNoContent || s.sessions["a"] != nil {
		t.Errorf("close gets %s", r.Status)
	}
}

// A line ends when its page cancels the request, and the server ends with its context, also while a line runs.
func TestEnds(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancelCause(t.Context())
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- Serve(ctx, 0, func(at string) { address <- at }) }()
	at := <-address
	send := func(ctx context.Context, body string) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, at+"ask", strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		a, err := http.DefaultClient.Do(r)
		if err == nil {
			err = a.Body.Close()
		}
		return err
	}
	if err := send(t.Context(), `{"page":"p","request":{"verb":"open","text":"n=2&topo=core:2"}}`); err != nil {
		t.Fatal(err)
	}
	const loop = `{"page":"p","request":{"verb":"line","text":"while True: pass"}}`
	given, up := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer up()
	if err := send(given, loop); err == nil {
		t.Error("a loop ends")
	}
	if err := send(t.Context(), `{"page":"p","request":{"verb":"line","text":"x = dup world"}}`); err != nil {
		t.Errorf("after a loop that was given up: %v", err) // it waits for the seat until the loop has left it
	}
	go func() { _ = send(t.Context(), loop) }()
	why := fmt.Errorf("the end")
	end(why)
	if err := <-ended; err != why {
		t.Errorf("the server ends with %v", err)
	}
	if err := send(t.Context(), loop); err == nil {
		t.Error("it still answers")
	}
	if err := Serve(t.Context(), -1, func(string) {}); err == nil {
		t.Error("it listens at port -1")
	}
}

// A request that its page has canceled does not wait for the request before it.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	s := New(port)
	posted(t, s, "p", desk.Request{Verb: "open", Text: "n=2&topo=core:2"})
	s.seat("p").busy <- struct{}{} // a line runs
	ctx, gone := context.WithCancel(t.Context())
	gone()
	if a := s.answer(ctx, &question{"p", desk.Request{ID: 7, Verb: "line", Text: "1"}}); a.ID != 7 || a.Error != "the page gave the request up" {
		t.Errorf("%+v", a)
	}
}
