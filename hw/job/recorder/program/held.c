/* ---- Windows and files: what else takes a context id for as long as it is there ---- */

static struct table windows, files;
static int next_held;

/* The call gave a window or a file on a communicator. Each has a communicator of its own inside the library. */
static void give_held(struct call *c, struct table *all, uintptr_t handle, MPI_Comm comm)
{
	if (c->result == ERROR || !c->kept)
		return;
	lock();
	tell_carried(find_handle(&run.comms, (uintptr_t)comm));
	struct known k = {.handle = handle, .id = next_held++, .site = c->site};
	remember(all, &k);
	struct sink s = line_of("hold", (unsigned)k.id);
	emit(&s, "\t", 1);
	emit_number(&s, c->site);
	emit(&s, "\t", 1);
	emit_text(&s, c->name);
	emit(&s, "\t", 1);
	emit_unsigned(&s, since_start(c->ended));
	emit(&s, "\t", 1);
	emit_unsigned(&s, c->ended - c->began);
	end_line(&s);
	unlock();
}

/* The call gave it up. */
static void drop_held(struct call *c, struct table *all, uintptr_t handle)
{
	lock();
	struct known *there = find_handle(all, handle);
	if (there != NULL && c->result != ERROR) {
		struct sink s = line_of("drop", (unsigned)there->id);
		emit(&s, "\t", 1);
		emit_number(&s, c->site);
		emit(&s, "\t", 1);
		emit_text(&s, c->name);
		emit(&s, "\t", 1);
		emit_unsigned(&s, since_start(c->ended));
		end_line(&s);
		forget(all, handle);
	}
	unlock();
}

/* Such a call finds its place as others do, and is not a call of the list. */
static void enter_held(struct call *c)
{
	find_place(c);
	unlock();
	c->began = now();
	c->kept = next_held < (int)run.limit;
	inside = 1;
}

#define HELD(NAME, PARAMETERS, ARGUMENTS, HANDLE, GIVE) \
	int MPI_##NAME PARAMETERS \
	{ \
		struct call c; \
		if (!begin(&c, "MPI_" #NAME, HERE)) \
			return PMPI_##NAME ARGUMENTS; \
		enter_held(&c); \
		uintptr_t handle = (uintptr_t)(HANDLE); \
		int error = PMPI_##NAME ARGUMENTS; \
		leave(&c, error); \
		(void)handle; \
		GIVE; \
		inside = 0; \
		return error; \
	}

HELD(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
     (base, size, unit, info, comm, win), 0, give_held(&c, &windows, (uintptr_t)*win, comm))
HELD(Win_free, (MPI_Win *win), (win), *win, drop_held(&c, &windows, handle))
HELD(File_open, (MPI_Comm comm, CONST char *name, int mode, MPI_Info info, MPI_File *file),
     (comm, name, mode, info, file), 0, give_held(&c, &files, (uintptr_t)*file, comm))
HELD(File_close, (MPI_File *file), (file), *file, drop_held(&c, &files, handle))
#if STANDARD >= 30
HELD(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win), 0, give_held(&c, &windows, (uintptr_t)*win, comm))
HELD(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win), 0, give_held(&c, &windows, (uintptr_t)*win, comm))
HELD(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win),
     (info, comm, win), 0, give_held(&c, &windows, (uintptr_t)*win, comm))
#endif

/* The same of Fortran, whose arguments but for the handle are passed on as they are. */
#define FORTRAN_HELD(NAME, CALL, PARAMETERS, ARGUMENTS, HANDLE, GIVE) \
	FORTRAN_BOTH(NAME, PARAMETERS, struct call c; \
		if (!begin(&c, CALL, HERE)) { \
			real ARGUMENTS; \
			return; \
		} \
		enter_held(&c); \
		uintptr_t handle = (uintptr_t)(HANDLE); \
		real ARGUMENTS; \
		leave(&c, *error); \
		(void)handle; \
		GIVE; \
		inside = 0;)

FORTRAN_HELD(win_create, "MPI_Win_create", (void *base, MPI_Aint *size, F *unit, F *info, F *comm, F *win, F *error),
             (base, size, unit, info, comm, win, error), 0, give_held(&c, &windows, (uintptr_t)PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm)))
FORTRAN_HELD(win_free, "MPI_Win_free", (F *win, F *error), (win, error), PMPI_Win_f2c(*win), drop_held(&c, &windows, handle))
FORTRAN_HELD(file_open, "MPI_File_open", (F *comm, char *name, F *mode, F *info, F *file, F *error, size_t name_size),
             (comm, name, mode, info, file, error, name_size), 0, give_held(&c, &files, (uintptr_t)PMPI_File_f2c(*file), PMPI_Comm_f2c(*comm)))
FORTRAN_HELD(file_close, "MPI_File_close", (F *file, F *error), (file, error), PMPI_File_f2c(*file), drop_held(&c, &files, handle))
#if STANDARD >= 30
FORTRAN_HELD(win_allocate, "MPI_Win_allocate", (MPI_Aint *size, F *unit, F *info, F *comm, void *base, F *win, F *error),
             (size, unit, info, comm, base, win, error), 0, give_held(&c, &windows, (uintptr_t)PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm)))
FORTRAN_HELD(win_allocate_shared, "MPI_Win_allocate_shared", (MPI_Aint *size, F *unit, F *info, F *comm, void *base, F *win, F *error),
             (size, unit, info, comm, base, win, error), 0, give_held(&c, &windows, (uintptr_t)PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm)))
FORTRAN_HELD(win_create_dynamic, "MPI_Win_create_dynamic", (F *info, F *comm, F *win, F *error),
             (info, comm, win, error), 0, give_held(&c, &windows, (uintptr_t)PMPI_Win_f2c(*win), PMPI_Comm_f2c(*comm)))
#endif
