// Package mpi4py has the module commsplit, which exported programs import under a real MPI with mpi4py.
package mpi4py

import _ "embed" // the module

// Library is the text of the module.
//
//go:embed commsplit.py
var Library string
