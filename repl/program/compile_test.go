package program

import (
	"errors"
	"testing"
)

// Whatever the text, compiling it gives code or a *Error with a message, and never panics.
func FuzzCompile(f *testing.F) {
	for _, p := range programs {
		f.Add(p.text)
	}
	for _, text := range []string{"", "if x:\n  y = 1\nelse:\n  def f(): return x\n", "f'a'", "x = 1 if", "a is b", "\xff", "\"\"\"\n", "for (a, [b, c.d]) in e: pass",
		"x[1:2:3] = {a: b for a, b in c if d}", "def f(a, *b, c=1, **d): return lambda x, y=a: (x, y, *b)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		code, err := Compile("f.py", text, 1, func(n string) bool { return n == "x" })
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Message == "" || e.Line < 1) {
			t.Errorf("error %#v", err)
		}
		if (err == nil) != (code != nil) {
			t.Error("neither code nor error")
		}
	})
}
