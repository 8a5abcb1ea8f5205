package chromium

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
)

// controls are the roles of things that a person operates; each needs a name.
var controls = []string{"button", "slider", "combobox", "textbox", "link", "checkbox", "dialog", "region", "toolbar", "group", "columnheader", "rowheader"}

// Roles counts the roles in the accessibility tree, and lists the controls that have no name.
func Roles(b *Tab) (roles map[string]int, nameless []string) {
	b.Helper()
	roles = map[string]int{}
	for _, n := range Call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role, name := strings.Trim(string(n.Role.Value), `"`), ""
		if n.Name != nil {
			name = strings.Trim(string(n.Name.Value), `" `)
		}
		roles[role]++
		if slices.Contains(controls, role) && name == "" {
			nameless = append(nameless, role)
		}
	}
	return roles, nameless
}

// Violations lists the violations of rules that axe-core finds on the page as it is now: the rule, and the place.
// Without axe-core, which .ci/run puts into .cache, the test is skipped.
func Violations(b *Tab) string {
	b.Helper()
	if script := axe(b); !Eval[bool](b, "typeof axe !== 'undefined'") {
		Eval[bool](b, script+"; true")
	}
	Eval[bool](b, `(window.found = undefined, axe.run(document, {resultTypes: ["violations"]}).then((r) => {
		window.found = r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 4).map((n) => n.target.join(" ")).join(", ")).join("; ");
	}, (e) => { window.found = String(e); }), true)`)
	b.Until("window.found !== undefined")
	return Eval[string](b, "window.found")
}

// axe returns the program of axe-core.
func axe(t testing.TB) string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", "..", ".cache", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("needs axe-core in .cache/axe-core, where .ci/run puts it")
	}
	return string(text)
}
