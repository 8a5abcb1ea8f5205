// Package program runs Starlark programs on the ranks of a world: every rank runs the same text on
// its own goroutine and makes MPI calls under mpi4py's names. Text is parsed and compiled once for
// all ranks; each rank has its own variables and its own thread. The package does not read files,
// cut a session into chunks, know the verbs of commands or print anything itself.
//
// The model: every free name of a program that Starlark does not define is a field of one object,
// the rank's session. Assigning it stores into Rank.Vars at once; reading it looks there first,
// then among the predeclared names. So functions see later changes of the session's variables, and
// what a rank assigned before it failed or blocked is there to be looked at.
package program
