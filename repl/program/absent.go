package program

import (
	"errors"
	"strings"

	table "commsplit/engine/calls"
)

// absent is the error about a name of a class that is not modelled; nil where the name is in no standard either.
func (c *class) absent(name string) error {
	of := c.name
	if strings.HasSuffix(of, "comm") { // "Intracomm", "Cartcomm": mpi4py derives them from Comm
		of = "Comm"
	}
	if why := table.Absent(of+"."+name, c.name+"."+name, "."+strings.ToLower(name)); why != "" {
		return errors.New(why)
	}
	return nil
}

// absentC is why a name of C's MPI is not modelled; "" where nothing is known of the name.
func absentC(name string) string { return table.AbsentC(name) }
