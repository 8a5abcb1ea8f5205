// Package server answers the requests of playground pages on this machine, for commsplit serve. It serves only the
// person who started it: it listens on 127.0.0.1, its addresses hold a random token, and it refuses requests that name
// another host, come from a page of another origin, or lack the token.
//
// The model: each page has its own session, under a random name that the page chose. The number of sessions is bounded:
// when there are too many, the session that was unused for the longest time ends. Its page knows the lines of the
// session, and opens it again at its next request.
package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/repl/playground/desk"
	"codeberg.org/commsplit/commsplit/repl/playground/site"
)

// Bounds of requests and sessions.
const (
	mostSessions = 32
	mostRequest  = 1 << 20 // bytes
	mostMemory   = 2 << 30 // bytes of a session; at most an eighth of the machine's memory
	mostTime     = time.Minute
	mostName     = 64 // bytes of the name of a page
)

// Server is a handler for the pages of one person.
type Server struct {
	token string
	port  string
	files map[string][]byte
	types map[string]string

	mu       sync.Mutex
	sessions map[string]*seat
	turn     int // how many requests have come
}

// seat is a session of a page.
type seat struct {
	busy chan struct{} // has room for one request at a time
	desk desk.Desk
	used int // turn of the latest request
}

// New returns a server for the port at which browsers will reach it.
func New(port int) *Server {
	return &Server{
		token: rand.Text(), port: strconv.Itoa(port), files: site.Files(site.Server), sessions: map[string]*seat{},
		types: map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"},
	}
}

// Address returns the address of the page.
func (s *Server) Address() string {
	return "http://" + net.JoinHostPort("127.0.0.1", s.port) + "/" + s.token + "/"
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", site.Server.Policy()+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	path, why := s.allowed(r)
	switch {
	case why != "":
		http.Error(w, why, http.StatusForbidden)
	case path == "ask" || path == "close":
		s.post(w, r, path)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "this address is read with GET", http.StatusMethodNotAllowed)
	default:
		s.file(w, path)
	}
}

// allowed returns the path behind the token, or why the request is refused.
func (s *Server) allowed(r *http.Request) (path, why string) {
	here := []string{"127.0.0.1:" + s.port, "localhost:" + s.port}
	if r.Host != here[0] && r.Host != here[1] {
		return "", "this server answers at " + here[0] + ", not at another host"
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+here[0] && origin != "http://"+here[1] {
		return "", "the page of another origin asks"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); r.Method != http.MethodGet && site != "" && site != "same-origin" {
		return "", "another site asks"
	}
	token, path, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !found || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return "", "the address lacks the token that commsplit serve printed"
	}
	return path, ""
}

// file sends a file of the page.
func (s *Server) file(w http.ResponseWriter, path string) {
	if path == "" {
		path = "index.html"
	}
	text, ok := s.files[path]
	if !ok {
		http.Error(w, "there is no "+path+" here", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", s.types[path[strings.LastIndexByte(path, '.'):]])
	_, _ = w.Write(text) // a page that has gone needs no answer
}

// question is the name of a page and its request, as the page sends them.
type question struct {
	Page    string       `json:"page"`
	Request desk.Request `json:"request"`
}

// post answers a request of a page, or ends its session.
func (s *Server) post(w http.ResponseWriter, r *http.Request, path string) {
	if r.Method != http.MethodPost || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.Error(w, "this address takes a request as JSON, with POST", http.StatusMethodNotAllowed)
		return
	}
	var q question
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostRequest)).Decode(&q)
	if err != nil || q.Page == "" || len(q.Page) > mostName {
		http.Error(w, "this is not a request of a page", http.StatusBadRequest)
		return
	}
	if path == "close" {
		s.mu.Lock()
		s.drop(q.Page)
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text, err := json.Marshal(s.answer(r.Context(), &q))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // a page that has gone needs no answer
}

// answer answers at the desk of the page. When the page cancels the request, the running line is stopped.
func (s *Server) answer(ctx context.Context, q *question) *desk.Answer {
	at := s.seat(q.Page)
	select {
	case at.busy <- struct{}{}:
		defer func() { <-at.busy }()
		return at.desk.Answer(ctx, &q.Request)
	case <-ctx.Done(): // nobody waits for the answer
		return &desk.Answer{ID: q.Request.ID, Error: "the page gave the request up"}
	}
}

// seat returns the seat of a page. When there are too many sessions, a new seat replaces the seat that was unused for
// the longest time.
func (s *Server) seat(page string) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn++
	at := s.sessions[page]
	if at == nil {
		if len(s.sessions) >= mostSessions || len(s.sessions) > 0 && crowded() {
			s.drop(s.oldest())
		}
		at = &seat{busy: make(chan struct{}, 1), desk: desk.Desk{Memory: share(), Shares: true, Time: mostTime}}
		s.sessions[page] = at
	}
	at.used = s.turn
	return at
}

// oldest returns the page whose session was unused for the longest time.
func (s *Server) oldest() string {
	oldest := ""
	for page, at := range s.sessions {
		if oldest == "" || at.used < s.sessions[oldest].used {
			oldest = page
		}
	}
	return oldest
}

// drop ends the session of a page, after the request that the session may be answering.
func (s *Server) drop(page string) {
	at := s.sessions[page]
	if at == nil {
		return
	}
	delete(s.sessions, page)
	go func() {
		at.busy <- struct{}{}
		at.desk.Close()
		debug.FreeOSMemory() // its memory is for other programs, not for a page that may come later
	}()
}

// share returns how much memory a session may take, in bytes.
func share() uint64 {
	if all := detect.Memory(); all > 0 {
		return min(mostMemory, all/8)
	}
	return mostMemory
}

// crowded reports whether the machine has no room for another session.
func crowded() bool {
	free := detect.Available()
	return free > 0 && free < share()
}

// How long a browser may take to send a request of a few kilobytes, and how long it may be silent before it has to
// connect again.
const (
	headerTime = 10 * time.Second
	bodyTime   = 30 * time.Second
	idleTime   = 2 * time.Minute
)

// patience is how long requests may go on when the server ends.
const patience = 2 * time.Second

// Serve serves pages at a port of 127.0.0.1, 0 for any free port, until ctx ends. It calls ready with the address.
func Serve(ctx context.Context, port int, ready func(address string)) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	s := New(listener.Addr().(*net.TCPAddr).Port)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	web := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return running },
	}
	ready(s.Address())
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop() // stops the running lines
	late, end := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer end()
	_ = web.Shutdown(late) // requests that have not ended by then end with the process
	return context.Cause(ctx)
}
