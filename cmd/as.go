package cmd

import (
	"github.com/spf13/cobra"

	"commsplit/engine/deviation"
)

// addAs gives a command the flag --as.
func addAs(c *cobra.Command, f *worldFlags) {
	c.Flags().Var((*library)(&f.as), "as", "also tell what a library would give otherwise: mpich or openmpi")
}

// library is the name of an implementation of MPI.
type library deviation.Library

func (l *library) String() string { return deviation.Library(*l).Word() }

func (l *library) Type() string { return "LIBRARY" }

func (l *library) Set(text string) error {
	found, err := deviation.Parse(text)
	*l = library(found)
	return err
}
