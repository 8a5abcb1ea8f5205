package page_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

// What assistive programs read: every control has a name, panes are regions, and a live region announces what
// happens.
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
	roles, nameless := chromium.Roles(b.Tab)
	for _, role := range nameless {
		b.Errorf("a %s has no name", role)
	}
	return roles
}

// axe-core finds nothing to complain about, in light and in dark.
func TestChromiumAxe(t *testing.T) {
	t.Parallel()
	for name, html := range map[string][]byte{"example-7.5": embedded(t, "example-7.5"), "deadlock": exported(t, "dead.mpi", deadlock),
		"question": embedded(t, "lesson-01-color-and-key"), "two groups": embedded(t, "lesson-12-two-groups")} {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, html, "", 1280, 800)
			call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			for _, at := range []string{"#step=1", "#step=3&rank=1", "#step=3&comm=2", "#step=3&object=1", "#step=2"} {
				b.follow(at)
				if bad := chromium.Violations(b.Tab); bad != "" {
					t.Errorf("%s, %s %s: %s", name, scheme, at, bad)
				}
			}
		}
	}
}
