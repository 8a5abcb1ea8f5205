# MPI_Get_hw_resource_info: "true" for the types of which a process is restricted to one instance [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,1,2-3,0-3
from mpi4py import MPI
from commsplit import expect, note, world

note("Ranks 0 and 1 have a core each, rank 2 has a package, and rank 3 is not bound.")
me = world.Get_rank()
hw_info = MPI.Get_hw_resource_info()
expect(hw_info.Get("hwloc://Machine") == "true", "there is one machine")
expect(hw_info.Get("hwloc://Package") == ["true", "true", "true", "false"][me], "one package, but for rank 3")
expect(hw_info.Get("hwloc://Core") == ["true", "true", "false", "false"][me], "one core, for 0 and 1")

note("The keys are URIs; the provider mpi:// is reserved for the standard.")
keys = hw_info.keys()
expect(all(["://" in k and not k.startswith("mpi://") for k in keys]), "URIs of other providers")

note("The info object is the caller's, to be freed.")
hw_info.Free()
expect(hw_info == MPI.INFO_NULL, "freed")
