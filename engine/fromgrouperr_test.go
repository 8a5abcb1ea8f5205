package engine_test

import (
	"errors"
	"strings"
	"testing"

	"commsplit/engine"
)

// §7.4.2: stringtag shall not exceed MPI_MAX_STRINGTAG_LEN, which counts C's null character and is at
// least 63; the empty one is as good as others. MPI_GROUP_NULL is no group.
func TestCreateFromGroupArguments(t *testing.T) {
	t.Parallel()
	if engine.MaxStringtag < 63 {
		t.Error("MPI_MAX_STRINGTAG_LEN shall be at least 63")
	}
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		_, err := fromRanks(p, strings.Repeat("x", 256), 0)
		wantText(t, wantClass(t, err, engine.ErrArg).Error(), "at most MPI_MAX_STRINGTAG_LEN-1 (255)", "256 characters")
		for _, tag := range []string{"", strings.Repeat("x", 255)} {
			if _, err := fromRanks(p, tag, 0); err != nil {
				t.Errorf("tag of %d characters: %v", len(tag), err)
			}
		}
		_, err = p.CreateFromGroup(nil, "x", nil, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrGroup)
		freed := engine.NewInfo()
		if err := freed.Free(); err != nil {
			return nil, err
		}
		_, err = p.CreateFromGroup(engine.EmptyGroup, "x", freed, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrInfo)
		return nil, nil
	})
}

// §9.3: an error of the call goes to the handler of the session that the group derives from, else to
// that of MPI_COMM_SELF; in MPI-4.0 the argument errhandler is invoked.
func TestCreateFromGroupErrhandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		std                     engine.Std
		session, self, argument bool // whose handler is fatal
		fatal                   bool
	}{
		{50, true, false, false, true}, {50, false, true, true, false},
		{40, true, true, false, false}, {40, false, false, true, true},
	} {
		handler := func(fatal bool) *engine.Errhandler {
			if fatal {
				return engine.ErrorsAreFatal
			}
			return engine.ErrorsReturn
		}
		err := try(t, engine.Config{Size: 1, Std: c.std}, func(p *engine.Process) error {
			if err := p.Self().SetErrhandler(handler(c.self)); err != nil {
				return err
			}
			s, err := p.SessionInit(nil, handler(c.session))
			if err != nil {
				return err
			}
			g, err := s.Group("mpi://SELF")
			if err != nil {
				return err
			}
			if _, err = p.CreateFromGroup(g, strings.Repeat("x", 300), nil, handler(c.argument)); err == nil {
				return errAnswer
			}
			return nil
		})
		if (err != nil) != c.fatal || errors.Is(err, errAnswer) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// §11.3.1: a finalized session is gone: no communicator comes of its groups any more.
func TestCreateFromGroupOfFinalized(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		s := opened(p)
		g, err := s.Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		if err := s.Finalize(); err != nil {
			return nil, err
		}
		_, err = p.CreateFromGroup(g, "x", nil, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrSession)
		return nil, nil
	})
}

// §7.4.2: each of the processes must provide a group with the same members in the same order.
func TestCreateFromGroupClash(t *testing.T) {
	t.Parallel()
	for name, groups := range map[string][2][]int{"order": {{0, 1}, {1, 0}}, "overlap": {{0, 1, 2}, {1, 0}}} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			if p.Rank() == 2 {
				return nil
			}
			_, err := fromRanks(at(p, int32(10+p.Rank())), "x", groups[p.Rank()]...)
			return err
		})
		e := wantClass(t, err, engine.ErrGroup)
		if e.Comm != -1 || e.Ranks.String() != "0-1" {
			t.Errorf("%s: %+v", name, e)
		}
		wantText(t, e.Error(), "rank 1 passes {1,0}", "demo.py:10", "demo.py:11", "MPI_Comm_create_from_group", "§7.4.2")
	}
}

// §7.4.2: and an identical stringtag. With others the calls never meet, and a process that is missing
// is named.
func TestCreateFromGroupDeadlock(t *testing.T) {
	t.Parallel()
	const rule = "All processes of the group must call MPI_Comm_create_from_group with the same group and stringtag [MPI-5.0 §7.4.2]. "
	for name, c := range map[string]struct {
		tags []string // by rank; rank 2 makes no call when there are two
		want string
	}{
		"tags": {[]string{"org.a", "org.a", "org.b"},
			`DEADLOCK: ranks 0-1 wait in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "org.a"; ` +
				`rank 2 is in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "org.b". ` + rule +
				"Fix: the stringtags differ: let ranks 0-1 and rank 2 pass the same one."},
		"missing": {[]string{"x", "x"},
			`DEADLOCK: ranks 0-1 wait in MPI_Comm_create_from_group (demo.py:2) of {0,1,2} with stringtag "x"; ` +
				`rank 2 has made all its calls. ` + rule + "Fix: let rank 2 make the call too."},
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			if p.Rank() >= len(c.tags) {
				return nil
			}
			_, err := fromRanks(at(p, 2), c.tags[p.Rank()], 0, 1, 2)
			return err
		})
		t.Log(name)
		wantDeadlock(t, err, c.want)
		var d *engine.Deadlock
		if errors.As(err, &d) && (d.Waiting[0].Comm != -1 || d.Waiting[0].Missing().String() != "2") {
			t.Errorf("%s: waiting %+v", name, d.Waiting)
		}
	}
}

// §7.4.2: each of the processes must provide the same arguments: the error handler and the hints, too. Of an
// info object the pairs count, not their order; one without pairs is as good as none.
func TestCreateFromGroupSameArguments(t *testing.T) {
	t.Parallel()
	hints := func(pairs ...string) *engine.Info {
		i := engine.NewInfo()
		for k := 0; k < len(pairs); k += 2 {
			if err := i.Set(pairs[k], pairs[k+1]); err != nil {
				t.Fatal(err)
			}
		}
		return i
	}
	for name, c := range map[string]struct {
		info    [2]*engine.Info // of rank 0, of the others
		handler [2]*engine.Errhandler
		want    string // "" when they agree
	}{
		"error handlers": {handler: [2]*engine.Errhandler{engine.ErrorsAbort, engine.ErrorsReturn},
			want: "all processes of the group must provide the same error handler: rank 0 passes MPI_ERRORS_ABORT; ranks 1-2 pass MPI_ERRORS_RETURN"},
		"info": {info: [2]*engine.Info{hints("k", "true"), hints("k", "false")},
			want: `all processes of the group must provide the same info: rank 0 passes {k="true"}; ranks 1-2 pass {k="false"}`},
		"info on one only": {info: [2]*engine.Info{hints("k", "true"), nil},
			want: `all processes of the group must provide the same info: rank 0 passes {k="true"}; ranks 1-2 pass no info`},
		"another order":      {info: [2]*engine.Info{hints("a", "1", "b", "2"), hints("b", "2", "a", "1")}},
		"an empty one, none": {info: [2]*engine.Info{hints(), nil}},
	} {
		perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
			g, err := p.World().Group()
			if err != nil {
				return nil, err
			}
			mine, handler := min(p.Rank(), 1), engine.ErrorsReturn
			if h := c.handler[mine]; h != nil {
				handler = h
			}
			_, err = p.CreateFromGroup(g, "org.example", c.info[mine], handler)
			if c.want == "" {
				return nil, err
			}
			if e := wantClass(t, err, engine.ErrArg); e.Text != c.want {
				t.Errorf("%s: got %q, want %q", name, e.Text, c.want)
			}
			return nil, nil
		})
	}
}
