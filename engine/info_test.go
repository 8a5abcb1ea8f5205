package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// listing reads an info object through the calls of §10, as key, value, key, value, ...
func listing(t tester, info *engine.Info) []string {
	t.Helper()
	list := []string{}
	n, err := info.Len()
	for i := 0; i < n && err == nil; i++ {
		var key, value string
		if key, err = info.Key(i); err == nil {
			value, _, err = info.Get(key)
			list = append(list, key, value)
		}
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return list
}

// §10: set adds or overrides a pair, delete removes a pair, get returns whether there is one, keys are counted from
// 0.
func TestInfo(t *testing.T) {
	t.Parallel()
	info := naming("a", "1")
	for _, pair := range [][2]string{{"b", "2"}, {"c", ""}, {"a", "one"}} {
		if err := info.Set(pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "one", "b", "2", "c", ""}, listing(t, info)); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	if err := info.Delete("b"); err != nil {
		t.Error(err)
	}
	if _, ok, err := info.Get("b"); ok || err != nil {
		t.Errorf("get of a deleted key: %t, %v", ok, err)
	}
	if v, ok, err := info.Get("c"); v != "" || !ok || err != nil {
		t.Errorf("get of an empty value: %q, %t, %v", v, ok, err)
	}
	if diff := cmp.Diff([]string{"a", "one", "c", ""}, listing(t, info)); diff != "" {
		t.Errorf("after delete (-want +got):\n%s", diff)
	}
}

// §10: MPI_INFO_DUP makes an object of its own with the same pairs in the same order.
func TestInfoDup(t *testing.T) {
	t.Parallel()
	info := naming("z", "26")
	if err := info.Set("a", "1"); err != nil {
		t.Fatal(err)
	}
	d, err := info.Dup()
	if err != nil {
		t.Fatal(err)
	}
	if err := info.Set("z", "0"); err != nil {
		t.Fatal(err)
	}
	if err := info.Free(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"z", "26", "a", "1"}, listing(t, d)); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
}

// §10 and §9.4: the error classes of info calls.
func TestInfoErrors(t *testing.T) {
	t.Parallel()
	info := naming("k", "v")
	nth := func(n int) error { _, err := info.Key(n); return err }
	wantClass(t, info.Delete("other"), engine.ErrInfoNokey)
	wantClass(t, nth(-1), engine.ErrArg)
	wantClass(t, nth(1), engine.ErrArg)
	wantClass(t, info.Set("", "v"), engine.ErrInfoKey)
	wantClass(t, info.Set(strings.Repeat("k", engine.MaxInfoKey+1), "v"), engine.ErrInfoKey)
	wantClass(t, info.Set("k", strings.Repeat("v", engine.MaxInfoVal+1)), engine.ErrInfoValue)
	long := strings.Repeat("k", engine.MaxInfoKey)
	if err := info.Set(long, strings.Repeat("v", engine.MaxInfoVal)); err != nil {
		t.Errorf("the longest key and value: %v", err)
	}
}

// §10: MPI_INFO_FREE makes the handle MPI_INFO_NULL, which is invalid in every info call.
func TestInfoNull(t *testing.T) {
	t.Parallel()
	freed := engine.NewInfo()
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	for _, info := range []*engine.Info{nil, freed} {
		if !info.IsNull() {
			t.Error("not null")
		}
		for name, f := range map[string]func() error{
			"set":    func() error { return info.Set("k", "v") },
			"get":    func() error { _, _, err := info.Get("k"); return err },
			"delete": func() error { return info.Delete("k") },
			"dup":    func() error { _, err := info.Dup(); return err },
			"nkeys":  func() error { _, err := info.Len(); return err },
			"nthkey": func() error { _, err := info.Key(0); return err },
			"free":   func() error { return info.Free() },
		} {
			if f() == nil {
				t.Errorf("%s: no error", name)
				continue
			}
			wantClass(t, f(), engine.ErrInfo)
		}
	}
}

// §7.4.4: set_info associates hints with a communicator, get_info returns a new object with these hints; changing
// the program's own objects afterwards changes no hints.
func TestCommInfoIsACopy(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		info := naming("mpi_assert_no_any_tag", "true")
		if err := p.World().SetInfo(info); err != nil {
			return nil, err
		}
		if err := info.Set("mpi_assert_no_any_tag", "false"); err != nil {
			return nil, err
		}
		for range 2 {
			hints, err := p.World().Hints()
			if err != nil {
				return nil, err
			}
			want := []string{"mpi_assert_no_any_tag", "true"}
			if diff := cmp.Diff(want, listing(t, hints)); diff != "" {
				t.Errorf("hints (-want +got):\n%s", diff)
			}
			if err := hints.Delete("mpi_assert_no_any_tag"); err != nil {
				return nil, err
			}
		}
		wantClass(t, p.World().SetInfo(nil), engine.ErrInfo)
		return nil, nil
	})
}

// §7.4.4: with mpi_assert_no_any_source or mpi_assert_no_any_tag set to true, the process must not use that wildcard
// on the communicator. It may use the other wildcard, and both where the key is false or set on another
// communicator.
func TestAssertionsAboutWildcards(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		c, err := p.World().Dup()
		if err != nil {
			return nil, err
		}
		const source, tag = "mpi_assert_no_any_source", "mpi_assert_no_any_tag"
		for _, hint := range []struct {
			key, value  string
			source, tag engine.Class // of the error of the wildcard
		}{{source, "true", engine.ErrRank, 0}, {tag, "true", 0, engine.ErrTag}, {source, "false", 0, 0}, {tag, "false", 0, 0}} {
			if err := c.SetInfo(naming(hint.key, hint.value)); err != nil {
				return nil, err
			}
			for _, on := range []*engine.Comm{c, p.World()} {
				_, _, bySource := on.Iprobe(engine.AnySource, 1)
				_, _, byTag := on.Iprobe(0, engine.AnyTag)
				for _, got := range []struct {
					err  error
					want engine.Class
				}{{bySource, hint.source}, {byTag, hint.tag}} {
					if on != c || got.want == engine.Success {
						if got.err != nil {
							t.Errorf("%s=%s: %v", hint.key, hint.value, got.err)
						}
					} else if e := wantClass(t, got.err, got.want); e != nil {
						wantText(t, e.Error(), hint.key, "§7.4.4")
					}
				}
			}
		}
		return nil, nil
	})
}

// §7.8: in C a name has at most MPI_MAX_OBJECT_NAME-1 characters, 127 here; a longer name is cut between two
// characters, for what is shown, too.
func TestNamesAreCut(t *testing.T) {
	t.Parallel()
	for given, cut := range map[string]string{
		strings.Repeat("x", 127):       strings.Repeat("x", 127),
		strings.Repeat("x", 128):       strings.Repeat("x", 127),
		strings.Repeat("x", 200):       strings.Repeat("x", 127),
		strings.Repeat("ä", 100):       strings.Repeat("ä", 63),
		strings.Repeat("x", 127) + "ä": strings.Repeat("x", 127),
	} {
		s := tracing(t, 1, func(p *engine.Process) error {
			if err := p.World().SetName(given); err != nil {
				return err
			}
			got, err := p.World().Name()
			return errors.Join(err, want(got == cut, "the name is %q, want %q", got, cut))
		})
		if got := s.Fates().Names[0]; got != cut {
			t.Errorf("shown is %q, want %q", got, cut)
		}
	}
}
