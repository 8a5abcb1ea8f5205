package launch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

type reading = func(l *Line, o *option, value string) error

func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > placement.MaxRanks {
		return 0, errors.New("want a number of at least 1")
	}
	return n, nil
}

// counting returns the reading of a number, which goes to the place that to returns.
func counting(to func(l *Line) *int) reading {
	return func(l *Line, _ *option, value string) (err error) {
		*to(l), err = count(value)
		return err
	}
}

var ranks = counting(func(l *Line) *int { return &l.Ranks })

func srunReadings() map[string]reading {
	return map[string]reading{
		"ranks": ranks,
		"nodes": func(l *Line, _ *option, value string) (err error) {
			low, high, span := strings.Cut(value, "-")
			if span && low != high {
				return errors.New("the controller of Slurm decides how many nodes a job gets: give one number")
			}
			l.Machines, err = count(low)
			return err
		},
		"hosts":         func(l *Line, o *option, value string) error { return l.nodeNames("--nodelist", value) },
		"cpus-per-gpu":  counting(func(l *Line) *int { return &l.perGPU }),
		"gres":          gres,
		"tres-bind":     tresBind,
		"tres-per-task": tresPerTask,
		"exclusive":     exclusive,
		"exact":         exclusive,
	}
}

// exclusive notes that the step gets only the cores that it requests.
func exclusive(l *Line, _ *option, _ string) error {
	l.exclusive = true
	return nil
}

// gres reads --gres gpu[:type][:count]; other resources do not affect the placement.
func gres(l *Line, _ *option, value string) error {
	for _, one := range strings.Split(strings.TrimPrefix(value, "gres/"), ",") {
		parts := strings.Split(one, ":")
		if parts[0] != "gpu" && !strings.HasPrefix(parts[0], "gpu=") {
			l.Idle = append(l.Idle, "--gres "+one)
			continue
		}
		n := "1"
		if last := parts[len(parts)-1]; len(parts) > 1 && last != "" && last[0] >= '0' && last[0] <= '9' {
			n = last
		} else if _, after, ok := strings.Cut(parts[0], "="); ok {
			n = after
		}
		l.policy.Srun.GPUsPerNode = n
	}
	return nil
}

// tresBind reads --tres-bind gres/gpu:TYPE+...
func tresBind(l *Line, _ *option, value string) error {
	for _, one := range strings.Split(value, "+") {
		rest, gpu := strings.CutPrefix(one, "gres/gpu:")
		if !gpu {
			l.Idle = append(l.Idle, "--tres-bind "+one)
			continue
		}
		l.policy.Srun.GPUBind = rest
	}
	return nil
}

// tresPerTask reads --tres-per-task cpu=N,gres/gpu=N.
func tresPerTask(l *Line, _ *option, value string) error {
	for _, one := range strings.Split(value, ",") {
		name, n, _ := strings.Cut(strings.Replace(one, ":", "=", 1), "=")
		if name == "gres/gpu" && strings.Contains(n, "=") {
			_, n, _ = strings.Cut(n, "=") // of a type
		}
		switch name {
		case "cpu":
			l.policy.Srun.CPUs = n
		case "gres/gpu":
			l.policy.Srun.GPUsPerTask = n
		default:
			l.Idle = append(l.Idle, "--tres-per-task "+one)
		}
	}
	return nil
}

// srun returns the policy for the words of an srun line.
func (l *Line) srun(*hw.Topology) (placement.Policy, error) {
	p := l.policy
	if l.perGPU > 0 {
		n, err := count(p.Srun.GPUsPerTask)
		switch {
		case p.Srun.CPUs != "":
		case err != nil:
			return p, fmt.Errorf("srun --cpus-per-gpu %d: without --gpus-per-task, the number of CPUs of a task is unknown: write -c", l.perGPU)
		default:
			p.Srun.CPUs = strconv.Itoa(n * l.perGPU)
		}
	}
	if l.exclusive && p.Srun.CPUs == "" {
		return p, errors.New("srun --exclusive, or --exact: the step gets only the cores that it requests, and it requests none without -c: write -c N")
	}
	if p == (placement.Policy{}) {
		p.Srun.Distribution = "*" // as srun does it without words
	}
	return p, nil
}
