/* ---- Which communicators carry messages ---- */

/*
 * Programs send more often than they make communicators. So a call that carries messages, or waits for others, is not
 * recorded: it is told once of a communicator that it carried some. A thread knows the last few that it has seen, until
 * a communicator is made or given up, since then the library may use a handle again.
 */
enum { SEEN = 16 };
static _Thread_local struct {
	unsigned generation;
	uintptr_t handles[SEEN];
} seen __attribute__((tls_model("initial-exec")));

static __attribute__((noinline)) void carry_new(uintptr_t handle, unsigned generation)
{
	if (inside || !atomic_load_explicit(&run.recording, memory_order_relaxed))
		return;
	if (seen.generation != generation)
		memset(&seen, 0, sizeof seen);
	seen.generation = generation;
	seen.handles[slot_among(handle, SEEN)] = handle;
	lock();
	tell_carried(find_handle(&run.comms, handle));
	unlock();
}

static inline void carry(MPI_Comm comm)
{
	unsigned generation = atomic_load_explicit(&run.generation, memory_order_relaxed);
	if (seen.handles[slot_among((uintptr_t)comm, SEEN)] != (uintptr_t)comm || seen.generation != generation)
		carry_new((uintptr_t)comm, generation);
}

#define CARRIES(NAME, PARAMETERS, ARGUMENTS, COMM) \
	int MPI_##NAME PARAMETERS \
	{ \
		carry(COMM); \
		return PMPI_##NAME ARGUMENTS; \
	}

#define FORTRAN_CARRIES(NAME, PARAMETERS, ARGUMENTS, COMM) \
	FORTRAN_BOTH(NAME, PARAMETERS, carry(COMM); real ARGUMENTS;)
