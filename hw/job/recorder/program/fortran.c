/* ---- Calls of Fortran: mpif.h and "use mpi", then "use mpi_f08" ---- */

/*
 * Some libraries' Fortran goes through the calls of C above, and some libraries' does not. Either way it is the call
 * of Fortran that is recorded, and what the library calls inside it is not (see inside). The library's own
 * function, which converts the arguments, is found by the name that it has for profiling, or behind the recorder.
 */
#define FORTRAN_AS(NAME, PROFILED, PROFILED2, PARAMETERS, ...) \
	extern void PROFILED PARAMETERS __attribute__((weak)); \
	extern void PROFILED2 PARAMETERS __attribute__((weak)); \
	void NAME PARAMETERS; \
	void NAME PARAMETERS \
	{ \
		static void (*real) PARAMETERS; \
		MPI_Fint own = MPI_SUCCESS; \
		if (real == NULL) { \
			void (*found) PARAMETERS = PROFILED != NULL ? PROFILED : PROFILED2; \
			if (found == NULL) \
				*(void **)&found = behind(#NAME); \
			real = found; \
		} \
		if (error == NULL) /* it is optional in mpi_f08 */ \
			error = &own; \
		__VA_ARGS__ \
	}

#define FORTRAN_BOTH(NAME, PARAMETERS, ...) \
	FORTRAN_AS(mpi_##NAME##_, pmpi_##NAME##_, pmpi_##NAME##__, PARAMETERS, __VA_ARGS__) \
	FORTRAN_AS(mpi_##NAME##_f08_, pmpi_##NAME##_f08_, pmpir_##NAME##_f08_, PARAMETERS, __VA_ARGS__)

#define FORTRAN(NAME, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	FORTRAN_BOTH(NAME, PARAMETERS, struct call c; \
		if (!begin(&c, CALL, HERE)) { \
			real ARGUMENTS; \
			return; \
		} \
		TAKE; \
		enter(&c); \
		real ARGUMENTS; \
		leave(&c, *error); \
		GIVE; \
		finish(&c);)

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

/* A list of Fortran is one of C where an INTEGER is an int. */
#define LIST_OF_C(LIST) (sizeof(F) == sizeof(int) ? (const int *)(const void *)(LIST) : NULL)

/* MPI_Init, MPI_Finalize and MPI_Abort are not recorded, but something is done before or after them. */
#define FORTRAN_END(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	FORTRAN_BOTH(NAME, PARAMETERS, int outer = !inside; \
		if (outer) { \
			BEFORE; \
		} \
		inside = 1; \
		real ARGUMENTS; \
		inside = !outer; \
		if (outer && *error == MPI_SUCCESS) { \
			AFTER; \
		})

FORTRAN_END(init, (F *error), (error), before_init(), start())
FORTRAN_END(init_thread, (F *required, F *provided, F *error), (required, provided, error), before_init(), start())
FORTRAN_END(finalize, (F *error), (error), stop(), )
FORTRAN_END(abort, (F *comm, F *code, F *error), (comm, code, error), stop_alone("abort", 0), )

