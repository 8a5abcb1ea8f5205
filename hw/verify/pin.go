package verify

import (
	"context"
	"errors"
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// Pinned is the result of binding a thread to one PU.
type Pinned struct {
	PU  int
	Err error // nil when it ran there
}

// Pin binds a thread to each PU that this process may use, one after the other, looks where
// the thread runs, and restores its affinity. It returns an error when this could not be
// tried.
func (r *Report) Pin(ctx context.Context) error {
	if r.Machine != "this" {
		return errors.New("only threads of this machine can be bound to its PUs")
	}
	list, err := pinEach(ctx)
	r.Pins = list
	return err
}

// pinning is the system's functions to bind the calling thread and to find it.
type pinning struct {
	affinity func() (hw.Set, error)
	bind     func(hw.Set) error
	where    func() (int, error)
}

// each binds the thread to the PUs of its affinity in turn, and then restores the affinity.
func (p pinning) each(ctx context.Context) (list []Pinned, err error) {
	allowed, err := p.affinity()
	if err != nil {
		return nil, err
	}
	defer func() {
		if lost := p.bind(allowed); lost != nil {
			err = errors.Join(err, fmt.Errorf("cannot give the thread its affinity %v back: %w", allowed, lost))
		}
	}()
	for _, pu := range allowed.Indexes() {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		list = append(list, Pinned{pu, p.one(pu)})
	}
	return list, nil
}

func (p pinning) one(pu int) error {
	if err := p.bind(hw.SetOf(pu)); err != nil {
		return fmt.Errorf("cannot bind a thread to it: %w", err)
	}
	at, err := p.where()
	if err != nil {
		return fmt.Errorf("cannot ask where a thread runs: %w", err)
	}
	if at != pu {
		return fmt.Errorf("a thread that is bound to it runs on PU %d", at)
	}
	return nil
}
