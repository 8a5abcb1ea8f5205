package spell

import "testing"

// A slip of a letter or two finds the name; another word finds nothing.
func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"figure-7.3", "frontier", "perlmutter-cpu", "fugaku", "xeon-snc2"}
	for _, c := range []struct{ word, want string }{
		{"fronteir", "frontier"}, {"figure-73", "figure-7.3"}, {"Fugak", "fugaku"},
		{"perlmuter-cpu", "perlmutter-cpu"}, {"frontier", "frontier"},
		{"summit", ""}, {"", ""}, {"x", ""},
	} {
		if got := Nearest(c.word, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

// One word of a name finds the name, even mistyped; a name that is itself as near comes first.
func TestNearestByOneWord(t *testing.T) {
	t.Parallel()
	names := []string{"lesson-01-color-and-key", "color-and-key", "evens-and-odds", "order-of-calls", "odder", "Fortran 2008"}
	for _, c := range []struct{ word, want string }{
		{"colr", "lesson-01-color-and-key"}, {"evns", "evens-and-odds"}, {"fortan", "Fortran 2008"}, {"oder", "odder"},
		{"keys", "lesson-01-color-and-key"}, {"adn", ""}, {"xxxx", ""}, {"odd", "odder"},
	} {
		if got := Nearest(c.word, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

// Words in another order find the name, too, even with a mistyped letter in one of them; an exact name is
// nearer.
func TestNearestInAnotherOrder(t *testing.T) {
	t.Parallel()
	names := []string{"create", "create_group", "create_from_group", "intercomm_create", "intercomm_create_from_groups", "split_type"}
	for _, c := range []struct{ word, want string }{
		{"create_intercomm", "intercomm_create"}, {"Create-Intercom", "intercomm_create"}, {"type_split", "split_type"},
		{"group_create", "create_group"}, {"intercom_create", "intercomm_create"}, {"create_grpup", "create_group"},
		{"create_from_groups_intercomm", "intercomm_create_from_groups"}, {"rank_of_type", ""},
	} {
		if got := Nearest(c.word, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

// Each kind of slip counts one: added, left out, changed, swapped.
func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"split", "splitt", 1}, {"split", "plit", 1},
		{"split", "splat", 1}, {"split", "slpit", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1},
		{"größe", "größer", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
