package cmd

// hardwareHelp is the page about what --topo takes.
const hardwareHelp = `Hardware for --topo, here and for every command that makes a world.

SPEC names a machine:
  this                         the machine we run on (the default)
  frontier                     a preset; "commsplit hw list" has them all
  FILE.xml                     a file that hwloc wrote; -: one on standard input
  fsroot:PATH                  another Linux machine: a folder or tar archive
                               with its /proc and /sys
  job:FILE                     a job's hosts with its ranks where they ran, as
                               the program of "commsplit probe" wrote them
  'pack:2 l3:2 core:4 pu:2'    a description: each level says how many objects
                               each object of the level before holds

Several machines:
  'frontier*4+laptop-hybrid'   parts joined by +, copied by *N
  'cn[01-04]=frontier'         their host names
  A file that exists wins over + and *; a.xml*1+b.xml is always two files.

Descriptions, hwloc's:
  core:4                       one PU a core, as with core:4 pu:1
  pack:2 [numa(memory=4GB)]    memory of each object of the level before
  l2:4(size=1MiB)              sizes
  pu:2(indexes=2*8:1*2)        os indexes: a list, STEP*NUMBER loops, or types

Descriptions, beyond hwloc's:
  pack:1 {l3:1 core:4 ; core:2}    different children, between braces
  {core:2 pu:2 ; core:1}(indexes=0-4)  os indexes of all PUs
  core:8 restrict=0-5              PUs that do not exist otherwise
  core:8 disallow=0 offline=7      PUs that are not ours, or off
  group:2(subtype=Rack)            a resource type, commsplit://Rack
  [numa(subtype=MCDRAM)]           memory that nobody gets by default
  core:4(kind=Atom efficiency=0)   kinds of cores, 0 needs the least power
  row:2 rack:4 machine:2 core:8    machines, in levels of any name
  machine:2(name=cn[1-2]) core:8   host names
  {machine:2 core:8 ; machine:1 core:64}   machines that differ`
