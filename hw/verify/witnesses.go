package verify

import (
	"context"
	"errors"

	"commsplit/hw/verify/ghwsays"
	"commsplit/hw/verify/programs"
)

// witnesses are asked in this order, which is that of the columns: first those who tell how
// the machine is built, then those who tell what this process may use of it.
var witnesses = []func(context.Context, *machine) testimony{
	askGHWCPU, askGHWTopology, askCPUInfo, askLscpu, askLstopo,
	askAffinity, askStatus, askCgroup, askRuntime,
}

// notHere is why a copy cannot tell what only a running system knows.
const notHere = "a recorded machine has none"

func (m *machine) forGHW() ghwsays.Machine {
	return ghwsays.Machine{Files: m.files, Whole: m.full, Online: m.ours.Online}
}

func askGHWCPU(ctx context.Context, m *machine) testimony {
	said, err := ghwsays.CPU(ctx, m.dir)
	return testimony{name: "ghw.CPU", said: said, err: err, model: ghwsays.CPUModel(m.forGHW())}
}

func askGHWTopology(ctx context.Context, m *machine) testimony {
	said, err := ghwsays.Topology(ctx, m.dir)
	return testimony{name: "ghw.Topology", said: said, err: err, model: ghwsays.TopologyModel(m.forGHW())}
}

// root is what programs are told to read: nothing special for the machine that runs them.
func (m *machine) root() string {
	if m.live {
		return ""
	}
	return m.dir
}

func askLscpu(ctx context.Context, m *machine) testimony {
	said, notes, err := programs.Lscpu(ctx, m.root())
	t := testimony{name: "lscpu", said: said, notes: notes, err: err, model: m.lscpuModel()}
	if errors.Is(err, programs.ErrAbsent) {
		t.skipped = err.Error()
	}
	for _, file := range []string{"possible", "present"} {
		if _, lost := m.text("sys/devices/system/cpu/" + file); lost {
			t.follows = "it needs sys/devices/system/cpu/" + file + ", which is not there"
		}
	}
	return t
}

func askLstopo(ctx context.Context, m *machine) testimony {
	said, bytes, err := programs.Lstopo(ctx, m.root())
	t := testimony{name: "lstopo", said: said, err: err, obeys: true}
	if errors.Is(err, programs.ErrAbsent) {
		t.skipped = err.Error()
		return t
	}
	if err == nil {
		said.Speak(readable...)
		m.lstopoMemory = bytes
		t.model = m.lstopoModel(said)
	}
	return t
}
