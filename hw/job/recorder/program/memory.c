/* ---- Memory that a signal handler can read: it never moves, and never ends before the process ---- */

static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic int ending; /* a signal handler has the lock, or took it from who will not go on: see lock_at_end */

static _Thread_local volatile sig_atomic_t has_lock __attribute__((tls_model("initial-exec")));

/* The last signal that the program's own handler got, and where, if it is a fault and no call came after it. */
static volatile sig_atomic_t caught, owed; /* owed: it is to be told, by who unlocks next */
static uintptr_t caught_at;

static void tell_caught(void);

static void lock(void)
{
	while (!ending && atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		sched_yield();
	has_lock = 1;
}

static void unlock(void)
{
	if (owed)
		tell_caught();
	has_lock = 0;
	if (!ending)
		atomic_flag_clear_explicit(&busy, memory_order_release);
}

static void pause_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

/* The lock for the last that this process does. Who has it for long is what the signal interrupted. */
static void lock_at_end(void)
{
	for (int i = 0; i < 100 && atomic_flag_test_and_set_explicit(&busy, memory_order_acquire); i++)
		pause_ms(1);
	ending = 1;
}

/* Bytes that cost nothing before they are written, NULL where there are none. */
static void *pages(size_t size)
{
	void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return room == MAP_FAILED ? NULL : room;
}

/* ---- Communicators and groups that are alive, by handle ---- */

struct known {
	uintptr_t handle;
	int used;                             /* 0: this slot is empty */
	int id, site;                         /* -1: no recorded call made it */
	int size, rank, leader;               /* leader: the world rank of rank 0, -1: of another world */
	int remote, remote_leader;            /* -1: it is not an intercommunicator */
	int refs;                             /* of a group: how often the library gave this handle */
	uintptr_t world;                      /* the group mpi://WORLD of its session, 0: that of MPI_COMM_WORLD */
	int carried;                          /* messages, or nobody wants to know */
};

struct table {
	struct known *slots;
	size_t room, count;
};

/* room is a power of 2 */
static inline size_t slot_among(uintptr_t handle, size_t room)
{
	return (size_t)(((uint64_t)handle * 0x9e3779b97f4a7c15u) >> 32) & (room - 1);
}

static size_t slot_of(const struct table *t, uintptr_t handle) { return slot_among(handle, t->room); }

/* The slot of a handle, or the empty one where it belongs, of a table with room. */
static struct known *slot_for(const struct table *t, uintptr_t handle)
{
	size_t i = slot_of(t, handle);
	while (t->slots[i].used && t->slots[i].handle != handle)
		i = (i + 1) & (t->room - 1);
	return &t->slots[i];
}

/* Finds what is known of a handle, or NULL. */
static struct known *find_handle(const struct table *t, uintptr_t handle)
{
	struct known *there = t->room == 0 ? NULL : slot_for(t, handle);
	return there == NULL || !there->used ? NULL : there;
}

static void remember(struct table *t, const struct known *what);

/* Makes room. 0: done. */
static int enlarge(struct table *t)
{
	struct table larger = {NULL, t->room == 0 ? 256 : 2 * t->room, 0};
	larger.slots = pages(larger.room * sizeof *larger.slots);
	if (larger.slots == NULL)
		return -1;
	for (size_t i = 0; i < t->room; i++)
		if (t->slots[i].used)
			remember(&larger, &t->slots[i]);
	if (t->slots != NULL)
		munmap(t->slots, t->room * sizeof *t->slots);
	*t = larger;
	return 0;
}

static void forget(struct table *t, uintptr_t handle);

/* Takes in a handle, in the place of what was known of it. Without memory it is forgotten. */
static void remember(struct table *t, const struct known *what)
{
	if (2 * (t->count + 1) > t->room && enlarge(t) != 0) {
		forget(t, what->handle);
		return;
	}
	struct known *there = slot_for(t, what->handle);
	t->count += !there->used;
	*there = *what;
	there->used = 1;
}

/* Forgets a handle; those that were put behind it for want of room move up. */
static void forget(struct table *t, uintptr_t handle)
{
	struct known *there = find_handle(t, handle);
	if (there == NULL)
		return;
	size_t hole = (size_t)(there - t->slots);
	for (size_t i = (hole + 1) & (t->room - 1); t->slots[i].used; i = (i + 1) & (t->room - 1)) {
		size_t home = slot_of(t, t->slots[i].handle);
		if (((i - home) & (t->room - 1)) >= ((i - hole) & (t->room - 1))) {
			t->slots[hole] = t->slots[i];
			hole = i;
		}
	}
	t->slots[hole].used = 0;
	t->count--;
}

/* ---- What is kept ---- */

enum { NUMBER, COLOR, TYPE, INTS, FLAGS, TEXT, UNKNOWN }; /* kinds of values */

/* An argument. Lists and texts are the program's own, which they stay until the call is made. */
struct value {
	const char *name;
	int kind, number; /* number: of lists and texts how long they are */
	const void *list;
};

enum { PENDING, NOTHING, COMM, NO_COMM, GROUP, SESSION, ERROR }; /* results */

enum { NO_PARENT = INT_MIN, MAX_VALUES = 6, MAX_TEXT = 128, MAX_RUNS = 65536 };

static struct {
	_Atomic int recording; /* calls are recorded */
	_Atomic int begun;     /* all processes have begun, or tried to: see start */
	_Atomic int written;   /* by this process, or by rank 0 for it */
	_Atomic unsigned generation; /* how often a communicator was made or given up */
	int there;             /* the archive is there */
	int by_init;           /* MPI_Init began it, and no session */
	int gathers;           /* MPI_Finalize gathers what all processes recorded */
	int rank, size;        /* in MPI_COMM_WORLD, or in mpi://WORLD */
	int sessions_open;
	pid_t pid;
	unsigned limit;   /* calls that are kept */
	unsigned seq;     /* of the next call */
	int truncated;    /* there were more */
	unsigned next_counts; /* the call at which the counts are written again */
	int next_comm, next_group, next_session, threads;
	long alive, peak;
	struct table comms, groups, sessions;
	uint64_t start; /* what times count from */
	uint64_t ahead; /* how much the common start was before that */
	uint64_t end;   /* of the second barrier, 0: there was none */
	MPI_Comm own;
	uintptr_t world; /* the group of MPI_COMM_WORLD, or mpi://WORLD of a session; 0: none */
	char id[17];
	char path[PATH_MAX];
} run;

/* Inside of a call that is recorded, or of the recorder itself: what the library calls there is not the program's. */
static _Thread_local int inside __attribute__((tls_model("initial-exec")));

/*
 * From now on a handle can be of another communicator. Only the thread that has the lock writes the number, so that no
 * atomic addition is needed.
 */
static void next_generation(void)
{
	unsigned last = atomic_load_explicit(&run.generation, memory_order_relaxed);
	atomic_store_explicit(&run.generation, last + 1, memory_order_relaxed);
}

/* Nanoseconds of this host's clock. */
static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A time as it is written: since the processes began. */
static uint64_t since_start(uint64_t ns) { return ns < run.start ? 0 : ns - run.start; }

