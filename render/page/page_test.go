package page_test

import (
	"strconv"
	"testing"

	"commsplit/render"
)

var renderStyle = render.Style{Width: 80}

func number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func quoted(text string) string { return strconv.Quote(text) }
