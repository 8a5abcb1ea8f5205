package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
)

// controls are the roles that a person uses, and that need a name to be told apart.
var controls = []string{"button", "slider", "combobox", "textbox", "link", "checkbox", "dialog", "region", "toolbar", "group", "columnheader", "rowheader"}

// What an assistive program is told: every control has a name, panes are regions, what happens is
// told in a live region.
func TestChromiumNames(t *testing.T) {
	t.Parallel()
	for name, html := range map[string][]byte{
		"example-7.5": embedded(t, "example-7.5"), "two groups": embedded(t, "lesson-12-two-groups"), "deadlock": exported(t, "dead.mpi", deadlock),
		"question": embedded(t, "lesson-01-color-and-key"), "failing": exported(t, "hostile.mpi", hostile),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, html, "#step=1&rank=1", 1280, 800)
			b.keys("?")
			names(b)
			b.keys("\x1b")
			roles := names(b)
			for role, least := range map[string]int{"main": 1, "banner": 1, "region": 5, "toolbar": 1, "slider": 1, "combobox": 1, "textbox": 1, "status": 1, "table": 1} {
				if roles[role] < least {
					t.Errorf("%d of the role %s", roles[role], role)
				}
			}
			if roles["status"] != 1 {
				t.Errorf("%d parts of the page tell what happens, not one", roles["status"])
			}
			if n := eval[int](b, `new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size - document.querySelectorAll("[id]").length`); n != 0 {
				t.Errorf("%d ids are there twice", -n)
			}
		})
	}
}

// names counts the roles in the accessibility tree, and fails for controls without a name.
func names(b *tab) map[string]int {
	b.Helper()
	roles := map[string]int{}
	for _, n := range call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role, name := strings.Trim(string(n.Role.Value), `"`), ""
		if n.Name != nil {
			name = strings.Trim(string(n.Name.Value), `" `)
		}
		roles[role]++
		if slices.Contains(controls, role) && name == "" {
			b.Errorf("a %s has no name (node %s)", role, n.NodeID)
		}
	}
	return roles
}

// dim lists texts with less contrast to what is behind them than 4.5 to 1, or 3 to 1 when large, as
// WCAG 2 counts it.
const dim = `(() => {
	const rgb = (c) => c.match(/[\d.]+/g).map(Number);
	const lum = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
	const veil = (e) => { let o = 1; for (; e; e = e.parentElement) o *= Number(getComputedStyle(e).opacity); return o; };
	const bad = new Map();
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility() || e.closest("[aria-disabled=true]") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
		const s = getComputedStyle(e), back = behind(e), o = veil(e), fore = rgb(s.color).slice(0, 3).map((v, i) => v * o + back[i] * (1 - o));
		const [a, b] = [lum(fore), lum(back)].sort((x, y) => y - x);
		const large = parseFloat(s.fontSize) >= 24 || parseFloat(s.fontSize) >= 18.66 && Number(s.fontWeight) >= 700;
		if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) bad.set(e.tagName + "." + e.className + " in " + e.parentElement.className, ((a + 0.05) / (b + 0.05)).toFixed(2));
	}
	return [...bad].map(([k, v]) => k + " " + v).join("; ");
})()`

// Text can be read on what is behind it, in light and in dark.
func TestChromiumContrast(t *testing.T) {
	t.Parallel()
	for _, html := range [][]byte{embedded(t, "example-7.5"), exported(t, "dead.mpi", deadlock)} {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, html, "", 1280, 800)
			call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			for _, at := range []string{"#step=1", "#step=3&rank=1", "#step=3&comm=2", "#step=3&object=1", "#step=2"} {
				b.follow(at)
				if bad := eval[string](b, dim); bad != "" {
					t.Errorf("%s %s: %s", scheme, at, bad)
				}
			}
		}
	}
}
