package chromium

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
)

// controls are the roles that a person uses; each control needs a name.
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

// Dim is an expression that lists texts whose contrast to their background is below 4.5 to 1, or below 3 to 1 for
// large texts, as WCAG 2 computes it.
const Dim = `(() => {
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
