package engine_test

import (
	"errors"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// errors.Is finds the class and the mistake of an error, also in the errors that end a world.
func TestErrorIs(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(3), func(p *engine.Process) error {
		_, err := p.World().Split(-1, 0)
		return err
	})
	for _, target := range []error{engine.ErrArg, engine.MistakeNegativeColor} {
		if !errors.Is(err, target) {
			t.Errorf("%v is not %v", err, target)
		}
	}
	for _, target := range []error{engine.Success, engine.ErrComm, engine.NoMistake, engine.MistakeNotCInt} {
		if errors.Is(err, target) {
			t.Errorf("%v is %v", err, target)
		}
	}
	own := &engine.Error{Class: engine.ErrOther}
	if errors.Is(own, engine.NoMistake) {
		t.Error("an error without a mistake is none of them")
	}
}

// The table has a row for every mistake: a class of the standard, and a rule that no other mistake
// has.
func TestMistakes(t *testing.T) {
	t.Parallel()
	seen := map[string]engine.Mistake{}
	for m := engine.NoMistake + 1; m <= engine.MistakeEdgeOneSided; m++ {
		text := m.Error()
		if m.Class() == engine.Success || !strings.HasPrefix(text, m.Class().String()+": ") || strings.Contains(text, "%") {
			t.Errorf("mistake %d: class %s, text %q", m, m.Class(), text)
		}
		if other, twice := seen[text]; twice {
			t.Errorf("mistakes %d and %d are both %q", other, m, text)
		}
		seen[text] = m
	}
}
