package engine_test

import (
	"fmt"
	"testing"

	"commsplit/engine"
)

// §11.3: an unknown set and an index out of range are MPI_ERR_ARG (as in MPICH and Open MPI, and as
// mpi4py's tests have it).
func TestSessionBadArguments(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		s := opened(p)
		_, err := s.Group("app://oceans")
		wantText(t, wantClass(t, err, engine.ErrArg).Error(), `"app://oceans"`, "MPI_Group_from_session_pset")
		_, err = s.PsetInfo("APP://ocean")
		wantClass(t, err, engine.ErrArg)
		for _, n := range []int{-1, 4} {
			_, err = s.NthPset(n)
			wantText(t, wantClass(t, err, engine.ErrArg).Error(), fmt.Sprint("no set ", n))
		}
		return nil, nil
	})
}

// §11.3.1: MPI_SESSION_FINALIZE makes the handle MPI_SESSION_NULL, which no session call takes.
func TestSessionNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		s := opened(p)
		if err := s.Finalize(); err != nil || !s.IsNull() {
			t.Errorf("finalize: %v, null %t", err, s.IsNull())
		}
		for _, null := range []*engine.Session{s, nil} {
			_, num := null.NumPsets()
			_, nth := null.NthPset(0)
			_, info := null.Info()
			_, psetInfo := null.PsetInfo("mpi://WORLD")
			_, group := null.Group("mpi://WORLD")
			for _, err := range []error{num, nth, info, psetInfo, group, null.Finalize()} {
				wantClass(t, err, engine.ErrSession)
			}
		}
		return nil, nil
	})
}

// §9.3: errors of a session's calls, and of those on a group that derives from it, go to the
// session's error handler, not to that of MPI_COMM_SELF.
func TestSessionErrhandler(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(s *engine.Session, g *engine.Group) error{
		"session": func(s *engine.Session, _ *engine.Group) error { _, err := s.NthPset(99); return err },
		"group":   func(_ *engine.Session, g *engine.Group) error { _, err := g.Incl([]int{99}); return err },
	} {
		for _, fatal := range []bool{true, false} {
			err := try(t, ofSize(1), func(p *engine.Process) error {
				h, other := engine.ErrorsReturn, engine.ErrorsAreFatal
				if fatal {
					h, other = other, h
				}
				if err := p.Self().SetErrhandler(other); err != nil {
					return err
				}
				s, err := p.SessionInit(nil, h)
				if err != nil {
					return err
				}
				g, err := s.Group("mpi://WORLD")
				if err != nil {
					return err
				}
				if wrong(s, g) == nil {
					t.Errorf("%s: no error", name)
				}
				return nil
			})
			if (err != nil) != fatal {
				t.Errorf("%s, fatal %t: %v", name, fatal, err)
			}
		}
	}
}

// §9.4: MPI_ERR_ERRHANDLER came with MPI-4.1; before, MPI_ERRHANDLER_NULL was MPI_ERR_ARG.
func TestSessionErrhandlerNull(t *testing.T) {
	t.Parallel()
	for std, class := range map[engine.Std]engine.Class{40: engine.ErrArg, 41: engine.ErrErrhandler, 50: engine.ErrErrhandler} {
		perRank(t, engine.Config{Size: 1, Std: std}, func(p *engine.Process) (any, error) {
			_, err := p.SessionInit(nil, nil)
			wantClass(t, err, class)
			g, err := p.World().Group()
			if err != nil {
				return nil, err
			}
			_, err = p.CreateFromGroup(g, "", nil, nil)
			wantClass(t, err, class)
			return nil, nil
		})
	}
}
