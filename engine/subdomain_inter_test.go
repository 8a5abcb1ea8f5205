package engine

import (
	"errors"
	"testing"
)

// The proposal: "This must be an intracommunicator".
func TestHWSubdomainNamesOfIntercommunicator(t *testing.T) {
	t.Parallel()
	w, err := New(Config{Size: 1, Std: Draft2019})
	if err != nil {
		t.Fatal(err)
	}
	err = Run(w, func(p *Process) error {
		inter := &Comm{p: p, core: &core{info: &CommInfo{ID: 9, Group: []int32{0}, Remote: []int32{1}}}}
		_, err := inter.HWSubdomainNames(NewInfo())
		return err
	})
	var e *Error
	if !errors.As(err, &e) || e.Class != ErrComm || e.Comm != 9 {
		t.Errorf("got %v, want MPI_ERR_COMM", err)
	}
}
