package page_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// data is what the tests read of a page's document.
type data struct {
	Size  int
	Comms []struct {
		ID            int
		Group, Remote []int
		Said          []struct{ From, Name, Head, State int }
	}
	Handles []struct {
		Name string
		IDs  []int
		Why  []struct {
			From  int
			Ranks []int
		}
	}
	Steps   []struct{ Text, Args int }
	Moments []struct {
		Said []struct {
			Kind                string
			Text, Verdict, From int
		}
	}
	Tellings []struct {
		Head, Rule, Order int
		Facts             []int
	}
	Orders   []struct{ Key, World []int }
	Waits    []struct{ Who, What, Site, Whom, Doing int }
	Ring     []int
	Deadlock int
	End      []string
	Words    []string
}

const dataMark = `<script type="application/json" id="data">`

// dataOf reads the document of a page.
func dataOf(t testing.TB, html []byte) *data {
	t.Helper()
	_, rest, ok := bytes.Cut(html, []byte(dataMark))
	text, _, end := bytes.Cut(rest, []byte("</script>"))
	if !ok || !end {
		t.Fatal("the page has no data")
	}
	d := &data{}
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// unpack writes progressions out.
func unpack(p []int) []int {
	list := []int{}
	for i := 0; i < len(p); i += 3 {
		for k := range p[i+2] {
			list = append(list, p[i]+k*p[i+1])
		}
	}
	return list
}

// groups are the communicators that a variable holds after a step, in the order of their numbers.
func (d *data) groups(t testing.TB, handle string) [][]int {
	t.Helper()
	var list [][]int
	for _, c := range d.Comms {
		if slices.Contains(unpack(d.handle(t, handle)), c.ID) {
			list = append(list, unpack(c.Group))
		}
	}
	return list
}

func (d *data) handle(t testing.TB, name string) []int {
	t.Helper()
	for _, h := range d.Handles {
		if h.Name == name {
			return h.IDs
		}
	}
	t.Fatalf("no variable %s", name)
	return nil
}

// told is the explanation for a rank in a variable after a step: its lines.
func (d *data) told(handle string, rank, step int) []string {
	var lines []string
	for _, h := range d.Handles {
		for _, w := range h.Why {
			if h.Name != handle || w.From > step {
				continue
			}
			x := d.Tellings[unpack(w.Ranks)[rank]]
			lines = []string{strings.Replace(d.Words[x.Head], "{w}", strconv.Itoa(rank), 1)}
			for i := 0; i < len(x.Facts); i += 2 {
				lines = append(lines, d.Words[x.Facts[i]]+": "+d.Words[x.Facts[i+1]])
			}
			lines = append(lines, d.Words[x.Rule])
		}
	}
	return lines
}
