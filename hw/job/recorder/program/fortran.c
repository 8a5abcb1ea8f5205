/* ---- Calls of Fortran: mpif.h and "use mpi", then "use mpi_f08" ---- */

/*
 * Some libraries' Fortran goes through the calls of C above, and some libraries' does not. Either way it is the call
 * of Fortran that is recorded, and what the library calls inside of it is not (see inside). The library's own
 * function, which converts the arguments, is found by the name that it has for profiling, or behind the recorder.
 */
#define FORTRAN_AS(NAME, PROFILED, PROFILED2, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	extern void PROFILED PARAMETERS __attribute__((weak)); \
	extern void PROFILED2 PARAMETERS __attribute__((weak)); \
	void NAME PARAMETERS; \
	void NAME PARAMETERS \
	{ \
		static void (*real) PARAMETERS; \
		MPI_Fint own = MPI_SUCCESS; \
		struct call c; \
		if (real == NULL) { \
			void (*found) PARAMETERS = PROFILED != NULL ? PROFILED : PROFILED2; \
			if (found == NULL) \
				*(void **)&found = behind(#NAME); \
			real = found; \
		} \
		if (error == NULL) /* it is optional in mpi_f08 */ \
			error = &own; \
		if (!begin(&c, CALL, HERE)) { \
			real ARGUMENTS; \
			return; \
		} \
		TAKE; \
		enter(&c); \
		real ARGUMENTS; \
		leave(&c, *error); \
		GIVE; \
		finish(&c); \
	}

#define FORTRAN(NAME, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	FORTRAN_AS(mpi_##NAME##_, pmpi_##NAME##_, pmpi_##NAME##__, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	FORTRAN_AS(mpi_##NAME##_f08_, pmpi_##NAME##_f08_, pmpir_##NAME##_f08_, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE)

/* A function of the library that no name for profiling has. */
static void *behind(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);
	if (function == NULL) {
		fprintf(stderr, ME ": the MPI library has no %s\n", name);
		abort();
	}
	return function;
}

typedef MPI_Fint F; /* an INTEGER, a LOGICAL, or a handle of Fortran */

/* Lists of Fortran are those of C where an INTEGER is an int. */
#define F_INTS(NAME, LIST, N) take_list(&c, NAME, sizeof(F) == sizeof(int) ? LIST : NULL, N, 0)
#define F_FLAGS(NAME, LIST, N) take_list(&c, NAME, sizeof(F) == sizeof(int) ? LIST : NULL, N, 1)
#define F_SUM(LIST, N) (sizeof(F) == sizeof(int) ? sum((const int *)(const void *)(LIST), N) : 0)

/* MPI_Init, MPI_Finalize and MPI_Abort are not recorded, but something is done before or after them. */
#define FORTRAN_END_AS(NAME, PROFILED, PROFILED2, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	extern void PROFILED PARAMETERS __attribute__((weak)); \
	extern void PROFILED2 PARAMETERS __attribute__((weak)); \
	void NAME PARAMETERS; \
	void NAME PARAMETERS \
	{ \
		void (*real) PARAMETERS = PROFILED != NULL ? PROFILED : PROFILED2; \
		MPI_Fint own = MPI_SUCCESS; \
		int outer = !inside; \
		if (real == NULL) \
			*(void **)&real = behind(#NAME); \
		if (error == NULL) \
			error = &own; \
		if (outer) { \
			BEFORE; \
		} \
		inside = 1; \
		real ARGUMENTS; \
		inside = !outer; \
		if (outer && *error == MPI_SUCCESS) { \
			AFTER; \
		} \
	}

#define FORTRAN_END(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	FORTRAN_END_AS(mpi_##NAME##_, pmpi_##NAME##_, pmpi_##NAME##__, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	FORTRAN_END_AS(mpi_##NAME##_f08_, pmpi_##NAME##_f08_, pmpir_##NAME##_f08_, PARAMETERS, ARGUMENTS, BEFORE, AFTER)

FORTRAN_END(init, (F *error), (error), before_init(), start())
FORTRAN_END(init_thread, (F *required, F *provided, F *error), (required, provided, error), before_init(), start())
FORTRAN_END(finalize, (F *error), (error), stop(), )
FORTRAN_END(abort, (F *comm, F *code, F *error), (comm, code, error), stop_alone("abort", 0), )

FORTRAN(comm_spawn_multiple, "MPI_Comm_spawn_multiple",
        (F *count, char *commands, char *argvs, F *maxprocs, F *infos, F *root, F *comm, F *newcomm, F *errors,
         F *error, size_t size, size_t argv_size),
        (count, commands, argvs, maxprocs, infos, root, comm, newcomm, errors, error, size, argv_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); int is_root = c.on.rank == *root; take_command(&c, *root, commands, size);
        take_int(&c, "maxprocs", is_root ? F_SUM(maxprocs, *count) : 0); take_int(&c, "root", *root), give_comm(&c, PMPI_Comm_f2c(*newcomm)))

