package engine_test

import (
	"testing"

	"commsplit/engine"
)

// §8.5.1 to §8.5.4: topologies are mapped on the group of an intracommunicator: MPI_ERR_COMM for an
// intercommunicator, which has none.
func TestTopologyNeedsIntracommunicator(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		c, err := bridge(p, 1)
		if err != nil {
			return err
		}
		for _, err := range topoConstructors(c) {
			if err := isClass(err, engine.ErrComm); err != nil {
				return err
			}
		}
		kind, err := c.TopoTest()
		if err != nil {
			return err
		}
		return want(kind == engine.TopoNone, "topology %s", kind)
	})
	if err != nil {
		t.Error(err)
	}
}
