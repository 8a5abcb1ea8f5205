
def tell_who(name, comm):
    me = MPI.COMM_WORLD.Get_rank()
    if comm == MPI.COMM_NULL:
        print("world rank %d -> %s: MPI_COMM_NULL" % (me, name))
        return
    everybody = MPI.COMM_WORLD.Get_group()
    mine = comm.Get_group()
    leader = MPI.Group.Translate_ranks(mine, [0], everybody)[0]
    text = "world rank %d -> %s led by %d, rank %d, size %d" % (me, name, leader, comm.Get_rank(), comm.Get_size())
    if comm.Is_inter():
        other = comm.Get_remote_group()
        leader = MPI.Group.Translate_ranks(other, [0], everybody)[0]
        text += "; remote led by %d, size %d" % (leader, comm.Get_remote_size())
        other.Free()
    mine.Free()
    everybody.Free()
    print(text)

