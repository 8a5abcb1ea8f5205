half = world.Split(world.rank % 2)
