package stories

import (
	"bytes"
	"cmp"
	_ "embed" // the first cell of notebooks
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
)

// notebookSetup is the first cell of a notebook, in which HEAD stands for the flags of the world. It needs IPython,
// which every Jupyter has, and commsplit on the PATH.
//
//go:embed notebook.py
var notebookSetup string

// notebook collects the cells of a document of Jupyter, nbformat 4.4.
type notebook struct{ cells []map[string]any }

// exportNotebook writes the session as a notebook: a note is text, a line is a cell. The output of a cell is the output
// of the ranks, and the picture of the communicators if the line changed it.
func exportNotebook(s *repl.Session, w io.Writer, v *render.View, e *Export) error {
	n := &notebook{}
	n.text("# " + cmp.Or(e.Title, "commsplit") + "\n\n" + s.Describe() + ". Made by `commsplit export --to notebook`; " +
		"to run the cells again, commsplit has to be on the PATH.")
	n.code(strings.Replace(notebookSetup, "HEAD", strconv.Quote(forOthers(s, flagsLine(s))), 1))
	list, drawn := s.Entries(), ""
	for i, x := range list {
		if text := noteOf(x.Chunk); text != "" {
			n.text(text)
			continue
		}
		until := s.World().Now()
		if i+1 < len(list) {
			until = list[i+1].At
		}
		cell := fmt.Sprintf("%%%%commsplit %d\n%s", i+1, strings.TrimRight(withoutHead(x.Chunk.Text), "\n"))
		outputs := []any{}
		if text := printedBetween(s, x.At.Lines, until.Lines); text != "" {
			outputs = append(outputs, map[string]any{"output_type": "stream", "name": "stdout", "text": text})
		}
		var picture bytes.Buffer
		if err := exportSVG(s, &picture, repl.PastView(v, until.Steps), e); err != nil {
			return err
		}
		if p := picture.String(); !x.Void && p != drawn {
			outputs = append(outputs, map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{
				"image/svg+xml": p, "text/plain": "the communicators after " + spell.Plural(until.Steps, "call")}})
			drawn = p
		}
		n.code(cell, outputs...)
	}
	d := json.NewEncoder(w)
	d.SetEscapeHTML(false)
	d.SetIndent("", " ")
	return d.Encode(map[string]any{"cells": n.cells, "nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{
		"kernelspec": map[string]any{"display_name": "Python 3", "language": "python", "name": "python3"}}})
}

func (n *notebook) text(text string) {
	n.cells = append(n.cells, map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": text})
}

func (n *notebook) code(text string, outputs ...any) {
	n.cells = append(n.cells, map[string]any{"cell_type": "code", "execution_count": nil, "metadata": map[string]any{},
		"source": text, "outputs": append([]any{}, outputs...)})
}

// printedBetween returns the output of ranks from a line to another, with the ranks before each line.
func printedBetween(s *repl.Session, from, to int) string {
	var b strings.Builder
	snapshot := s.World().Snapshot()
	list, forgot := snapshot.Since(from)
	for i := range list {
		if l := &list[i]; from+forgot+i < to && !l.Note {
			fmt.Fprintf(&b, "[%s] %s\n", l.Ranks, l.Text)
		}
	}
	return b.String()
}
