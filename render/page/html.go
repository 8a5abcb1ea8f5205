package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"commsplit/render"
)

//go:embed page.html page.css js/*.js
var files embed.FS

// programs are the parts of the program, in the order in which they are joined: each uses only what
// comes before it, when it is loaded.
var programs = []string{
	"data", "elements", "state", "lit", "hardware", "comms", "ranks", "told", "why", "peek", "trace",
	"question", "controls", "keys", "main",
}

// mostRanks is the largest world that has a page: every rank is explained, in every variable.
const mostRanks = 16384

// Write writes the page. The same session gives the same bytes every time.
func Write(w io.Writer, s *Session) error {
	if n := s.Past(s.Last).Snapshot.Size; n > mostRanks {
		return fmt.Errorf("a page explains at most %d ranks, this world has %d: --to svg draws any number", mostRanks, n)
	}
	doc, err := collect(s)
	if err != nil {
		return err
	}
	data, err := json.Marshal(doc) // < and & become \u003c and \u0026: no text ends the element
	if err != nil {
		return err
	}
	css, err := files.ReadFile("page.css")
	if err != nil {
		return err
	}
	script, err := program()
	if err != nil {
		return err
	}
	plain, err := s.withoutScript(doc)
	if err != nil {
		return err
	}
	frame, err := files.ReadFile("page.html")
	if err != nil {
		return err
	}
	style := "\n:root{" + render.Variables(render.ThemeLight) + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + render.Variables(render.ThemeDark) + "}}\n" + string(css)
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'",
		hash(script), strings.Join(append(hashes(plain), hash(style)), " "))
	_, err = strings.NewReplacer(
		"{policy}", policy, "{title}", html.EscapeString(doc.Title), "{style}", style,
		"{plain}", plain, "{data}", string(data), "{program}", script,
	).WriteString(w, string(frame))
	return err
}

// program joins the parts of the program in a function of their own, so that nothing of them is global.
func program() (string, error) {
	var b strings.Builder
	b.WriteString("\n(() => {\n\"use strict\";\n")
	for _, name := range programs {
		text, err := files.ReadFile("js/" + name + ".js")
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.String(), nil
}

// hash is a text of the page as its policy names it.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var styleElement = regexp.MustCompile(`(?s)<style>(.*?)</style>`)

// hashes are those of the style elements in a text of ours.
func hashes(text string) []string {
	var list []string
	for _, m := range styleElement.FindAllStringSubmatch(text, -1) {
		list = append(list, hash(m[1]))
	}
	return list
}

// withoutScript is what stands on the page where no program runs: the last picture, and tables.
func (s *Session) withoutScript(doc *document) (string, error) {
	var picture bytes.Buffer
	if err := s.Picture(&picture); err != nil {
		return "", err
	}
	b := &plainPage{}
	b.WriteString("<p>This page replays a session step by step, which needs JavaScript. Without it, here is how it ended.</p>\n")
	b.WriteString(picture.String())
	b.places(s.Past(s.Last))
	b.calls(doc)
	for _, text := range doc.Verdict {
		fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(text))
	}
	if len(doc.End) > 0 {
		fmt.Fprintf(b, "<pre>%s</pre>\n", html.EscapeString(strings.Join(doc.End, "\n")))
	}
	return b.String(), nil
}
