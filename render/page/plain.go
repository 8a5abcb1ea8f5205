package page

import (
	"fmt"
	"html"
	"strings"

	"commsplit/render"
)

// mostRows is how many rows the tables have that stand on the page where no program runs.
const mostRows = 512

// plainPage is HTML that needs no program.
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

// places is where the ranks are in every variable.
func (b *plainPage) places(v *render.View) {
	t := render.NewTranslation(v)
	head := []string{"rank"}
	for i := range v.Handles {
		head = append(head, v.Handles[i].Name)
	}
	b.table("Ranks", t.Len(), head, func(i int) []string {
		cells := []string{t.Label(i)}
		for h := range v.Handles {
			text, _ := t.Cell(i, h)
			cells = append(cells, text)
		}
		return cells
	})
}

// calls is the trace.
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
