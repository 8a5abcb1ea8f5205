// Package hw models the hardware that ranks run on: a tree of objects with
// hwloc's types, names and numbering, on one host or on several below levels
// of our own such as racks; and the resource types that MPI can split by.
// Where ranks run on it is for package placement.
//
// It reads nothing: packages below it detect machines, parse descriptions and
// hold presets, and call Build for one machine and New for the whole. The
// model: an object is a set of PUs, objects nest by inclusion, memory hangs
// beside the tree; I/O devices are kept for display only. Distances are not part
// of it.
package hw
