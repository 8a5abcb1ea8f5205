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

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/figure"
)

//go:embed page.html panes.html page.css js/*.js
var files embed.FS

// programs are the parts of the program in the order in which they are joined. While a part is loaded, it uses only
// parts before it.
var programs = []string{
	"data", "elements", "state", "motion", "lit", "scene", "hardware", "comms", "ranks", "told", "why", "peek", "trace",
	"sites", "question", "controls", "keys", "main",
}

// start is the last part for the page of a session that has ended.
const start = "start"

// MostRanks is the most ranks of a world that has a page: a page explains every rank in every variable.
const MostRanks = 16384

// Write writes the page. Equal sessions give equal bytes.
func Write(w io.Writer, s *Session) error {
	doc, data, err := s.data()
	if err != nil {
		return err
	}
	style, script := Style(), Program(ours("js/"+start+".js"))
	plain, err := s.withoutScript(doc)
	if err != nil {
		return err
	}
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'",
		hash(script), strings.Join(append(hashes(plain), hash(style)), " "))
	_, err = strings.NewReplacer(
		"{policy}", policy, "{title}", html.EscapeString(doc.Title), "{style}", style,
		"{plain}", plain, "{panes}", Panes(""), "{data}", string(data), "{program}", script,
	).WriteString(w, ours("page.html"))
	return err
}

// data returns the document, and its JSON.
func (s *Session) data() (*document, []byte, error) {
	c, err := collect(s, nil)
	if err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(&c.doc) // < and & become \u003c and \u0026: no text ends the script element
	return &c.doc, data, err
}

// ours returns an embedded file.
func ours(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// Style returns the style sheet of the page.
func Style() string {
	return "\n:root{" + figure.Variables(figure.Light) + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + figure.Variables(figure.Dark) + "}}\n" +
		blanks.ReplaceAllString(ours("page.css"), "$1$2") + figure.SlotRules()
}

// blanks match the comments and blanks of a style sheet that a page leaves out. A selector has no blank behind a colon, and
// no string has a comma, colon or semicolon before a blank.
var blanks = regexp.MustCompile(`/\*(?s:.*?)\*/|\s*([{}])\s*|([;:,])\s+`)

// Panes returns the HTML of bars and panes, which the program fills. keys are rows that come first in the list of
// keys.
func Panes(keys string) string { return strings.Replace(ours("panes.html"), "{keys}", keys, 1) }

// remarks match all text of a program that a page leaves out: lines with only a comment, blank lines, blanks at the
// beginning of lines, and comments at their end. No string of the program has several lines, or two slashes behind
// a blank.
var remarks = regexp.MustCompile(`(?m)^[ \t]*((//.*|/\*\*(?s:.*?)\*/)?\n)?| +// .*$`)

// Program joins the parts of the program, and others behind them, inside a function, so that nothing is global.
func Program(others ...string) string {
	var b strings.Builder
	b.WriteString("\n(() => {\n\"use strict\";\n")
	for _, name := range programs {
		b.WriteString(remarks.ReplaceAllString(ours("js/"+name+".js"), ""))
	}
	for _, text := range others {
		b.WriteString(text)
	}
	b.WriteString("})();\n")
	return b.String()
}

// hash returns the hash of a text that the page's policy allows.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var styleElement = regexp.MustCompile(`(?s)<style>(.*?)</style>`)

// hashes returns the hashes of the style elements in HTML of ours.
func hashes(text string) []string {
	var list []string
	for _, m := range styleElement.FindAllStringSubmatch(text, -1) {
		list = append(list, hash(m[1]))
	}
	return list
}

// withoutScript returns the HTML for readers without JavaScript: the last picture, and tables.
func (s *Session) withoutScript(doc *document) (string, error) {
	var picture bytes.Buffer
	if err := s.Picture(&picture); err != nil {
		return "", err
	}
	b := &plainPage{}
	b.WriteString("<p>This page replays a session step by step; that needs JavaScript. Without JavaScript, here is the end of the session.</p>\n")
	b.WriteString(picture.String())
	b.places(s.Past(s.Last))
	b.calls(doc)
	b.sites(doc)
	for _, text := range doc.Verdict {
		fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(text))
	}
	if len(doc.End) > 0 {
		fmt.Fprintf(b, "<pre>%s</pre>\n", html.EscapeString(strings.Join(doc.End, "\n")))
	}
	return b.String(), nil
}

// mostRows is the most rows of a table in the HTML for readers without JavaScript.
const mostRows = 512

// plainPage is HTML that needs no JavaScript.
type plainPage struct{ strings.Builder }

func (b *plainPage) row(tag string, cells ...string) {
	b.WriteString("<tr>")
	for _, text := range cells {
		fmt.Fprintf(b, "<%s>%s</%s>", tag, html.EscapeString(text), tag)
	}
	b.WriteString("</tr>\n")
}

func (b *plainPage) table(caption string, rows int, head []string, row func(i int) []string) {
	fmt.Fprintf(b, "<table><caption>%s</caption>\n", html.EscapeString(caption))
	b.row("th", head...)
	for i := range min(rows, mostRows) {
		b.row("td", row(i)...)
	}
	if n := rows - mostRows; n > 0 {
		b.row("td", fmt.Sprintf("... and %d more", n))
	}
	b.WriteString("</table>\n")
}

// places writes the table of the ranks' places in every variable.
func (b *plainPage) places(v *render.View) {
	t := render.TranslationOf(v, render.PartingsOf(v.Snapshot, v.Handles))
	lines := t.Texts(mostRows)
	b.table("Ranks", t.Len(), lines[0], func(i int) []string { return lines[i+1] })
}

// calls writes the table of calls.
func (b *plainPage) calls(doc *document) {
	at := func(w word) string {
		if w < 0 {
			return ""
		}
		return doc.Words[w]
	}
	b.table("Calls", len(doc.Steps), []string{"step", "call", "arguments"}, func(i int) []string {
		return []string{fmt.Sprint(i + 1), at(doc.Steps[i].Text), at(doc.Steps[i].Args)}
	})
}

// sites writes the table of call sites, as they are at the end.
func (b *plainPage) sites(doc *document) {
	if doc.Sites == nil {
		return
	}
	var heads []string
	for _, w := range doc.Sites.Head {
		heads = append(heads, doc.Words[w])
	}
	rows := doc.Sites.Rows
	b.table("Sites", len(rows), heads, func(i int) (cells []string) {
		for _, column := range rows[i].Cells {
			cells = append(cells, doc.Words[column.last()])
		}
		return cells
	})
}
