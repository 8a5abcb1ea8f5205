package hw

import "sync"

// Binding is where ranks run: some PUs of one host. All ranks with the same
// binding share one Binding, so what is derived from it is computed once.
type Binding struct {
	Host   int // index into Topology.Hosts
	CPUSet Set // os indexes of PUs of that host

	once       sync.Once
	of         *Topology // the topology that restricted was computed for
	restricted []int32
}
