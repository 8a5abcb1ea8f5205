/* ---- From MPI_Init or MPI_Session_init to the end ---- */

/*
 * With MPI_Init all processes begin at the same time, and MPI_Finalize gathers what they recorded.
 *
 * MPI_Session_init is local: a process records from its first session on, and cannot wait for the others, which may
 * have none. All processes begin in their first MPI_Comm_create_from_group of a group with all processes of
 * mpi://WORLD: that call returns in none of them before all have made it, so that nobody waits who would not wait
 * without the recorder. A process that has finalized all its sessions may make new ones, and adds what it recorded to the
 * file when it exits.
 */

static void say(const char *what, int why)
{
	fprintf(stderr, ME ": %s %s: %s\n", what, run.path, strerror(why));
}

enum { MAX_NUMBER = 10000 }; /* recordings of one name in a folder */

/* A number that no other run has. */
static void random_id(char id[17])
{
	uint64_t n = 0;
	int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (file < 0 || read(file, &n, sizeof n) != (ssize_t)sizeof n) {
		struct timespec t;
		clock_gettime(CLOCK_REALTIME, &t);
		n = ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) * 0x9e3779b97f4a7c15u;
	}
	if (file >= 0)
		close(file);
	snprintf(id, 17, "%016llx", (unsigned long long)n);
}

/* How many calls a process keeps. Where the variable has no such number, the process that says prints that. */
static unsigned limit_for(int ranks, int says)
{
	const char *text = getenv("COMMSPLIT_RECORD_LIMIT");
	long limit = 1000000 / ranks;
	limit = limit < 1000 ? 1000 : limit > 100000 ? 100000 : limit;
	if (text != NULL && text[0] != '\0') {
		char *end;
		long given = strtol(text, &end, 10);
		if (*end == '\0' && given >= 0 && given <= 10000000)
			return (unsigned)given;
		if (says)
			fprintf(stderr, ME ": COMMSPLIT_RECORD_LIMIT=%s is not a number from 0 to 10000000: %ld is used\n", text, limit);
	}
	return (unsigned)limit;
}

/* Makes the file, not over one that is there. NULL: see errno. */
static FILE *make_file(char path[PATH_MAX], const char *folder, const char *name, const char *suffix)
{
	const char *end = strrchr(name, '.');
	if (end == NULL || strcmp(end, ".tar") != 0)
		end = name + strlen(name);
	int size = snprintf(path, PATH_MAX, "%s%s%.*s%s%s", folder, folder[0] != '\0' ? "/" : "", (int)(end - name), name,
	                    suffix, end);
	if (size < PATH_MAX)
		return fopen(path, "wx");
	errno = ENAMETOOLONG;
	return NULL;
}

/* Whether MPI_Comm_spawn started these processes, whose world is another one than their parents'. */
static int is_spawned(void)
{
	MPI_Comm parent = MPI_COMM_NULL;
	return run.by_init && PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

/* Decides where this run is recorded, and makes the file: with a number where its name is taken. */
static FILE *decide(struct settings *s, int ranks)
{
	const char *path = getenv("COMMSPLIT_RECORD");
	char folder[PATH_MAX] = "", suffix[32] = "";
	FILE *archive = NULL;
	if (path == NULL || path[0] == '\0')
		return NULL;
	if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL)
		folder[0] = '\0';
	int spawned = is_spawned();
	for (int i = 1; archive == NULL && i <= MAX_NUMBER; i++) {
		if (spawned || i > 1)
			snprintf(suffix, sizeof suffix, "-%s%d", spawned ? "spawned" : "", i);
		archive = make_file(s->path, folder, path, suffix);
		if (archive == NULL && errno != EEXIST)
			break;
	}
	if (archive == NULL) {
		fprintf(stderr, ME ": cannot write %s: %s; nothing is recorded\n", s->path, strerror(errno));
		return NULL;
	}
	if (!spawned && suffix[0] != '\0')
		fprintf(stderr, ME ": %s already exists: this run is recorded in %s\n", path, s->path);
	s->on = 1;
	s->limit = limit_for(ranks, 1);
	random_id(s->id);
	return archive;
}

/* What the library says of itself, up to its first comma or line: what follows can name who built it. */
static void put_library(struct text *t)
{
#if STANDARD >= 30
	char name[MPI_MAX_LIBRARY_VERSION_STRING];
	int size = 0;
	PMPI_Get_library_version(name, &size);
	name[strcspn(name, ",\r\n")] = '\0';
	for (char *c = name; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
			*c = ' ';
	put(t, "library\t%s\n", name);
#else
	put(t, "library\t?\n");
#endif
}

/* record.txt */
static void put_record(struct text *t, const struct settings *s)
{
	static const struct {
		int level;
		const char *name;
	} levels[] = {{MPI_THREAD_SINGLE, "single"}, {MPI_THREAD_FUNNELED, "funneled"},
	              {MPI_THREAD_SERIALIZED, "serialized"}, {MPI_THREAD_MULTIPLE, "multiple"}};
	int version = 0, subversion = 0, level = -1;
	struct sink program = {.to = (char[512]){""}, .room = 511};
	PMPI_Get_version(&version, &subversion);
	if (run.by_init) /* sessions have levels of their own */
		PMPI_Query_thread(&level);
	emit_clean(&program, program_name);
	put(t, "commsplit record\t2\nrun\t%s\nprogram\t%s\n", s->id, program.to);
	put_library(t);
	put(t, "standard\t%d.%d\ncompiled\t%d.%d\n", version, subversion, MPI_VERSION, MPI_SUBVERSION);
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (levels[i].level == level)
			put(t, "threads\t%s\n", levels[i].name);
	put(t, "messages\tnoted\nranks\t%d\nlimit\t%u\nframes\t%d\ncontexts\t%d\n", run.size, s->limit, FRAMES, run.gathers);
	if (s->began != 0)
		put(t, "alone\t1\n");
}

/* Adds record.txt, and closes the file. Gives an errno. */
static int write_record(FILE *archive, const struct settings *s)
{
	struct text t = {NULL, 0, 0};
	put_record(&t, s);
	int failed = write_entry(archive, "record.txt", t.bytes, t.size) != 0 ? errno : 0;
	if (fclose(archive) != 0 && failed == 0)
		failed = errno;
	clear(&t);
	return failed;
}

/* Rank 0 writes what is known at the start, all tell where they are. Gives 0 or 1, the same on all. */
static int write_start(FILE *archive, const struct settings *s)
{
	struct summary summary;
	int failed = probe(archive, s->path, 1, run.own, &summary);
	if (run.rank == 0) {
		int error = write_record(archive, s);
		if (error != 0)
			say("cannot write", error);
		if (failed || error != 0) {
			remove(s->path);
			fprintf(stderr, ME ": nothing is recorded\n");
			failed = 1;
		}
	}
	PMPI_Bcast(&failed, 1, MPI_INT, 0, run.own);
	return failed;
}

static void on_exit_handler(void);

/* Reserves what is needed until the end, once. */
static void reserve(unsigned limit)
{
	if (run.pid != 0)
		return;
	run.pid = getpid();
	run.limit = limit;
	reserve_journal(limit);
	run.next_comm = 2;
	run.next_group = 1;
	thread_number();
	remember(&run.groups, &(struct known){.handle = (uintptr_t)MPI_GROUP_EMPTY, .id = 0, .refs = 1});
	atexit(on_exit_handler);
}

/* Takes in what MPI_Init made. */
static void know_world(void)
{
	MPI_Group world;
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	run.world = (uintptr_t)world;
	struct known k = {.handle = (uintptr_t)MPI_COMM_WORLD, .id = 0, .site = NOT_MADE};
	describe(&k, MPI_COMM_WORLD);
	remember(&run.comms, &k);
	k.handle = (uintptr_t)MPI_COMM_SELF;
	k.id = 1;
	describe(&k, MPI_COMM_SELF);
	remember(&run.comms, &k);
}

static void find_neighbors(void);
static void catch_ends(void);
static void tell_unseen(void);

/* Takes the moment at which the processes leave a barrier; times count from the first call that one of them made. */
static void set_clock(void)
{
	PMPI_Barrier(run.own);
	uint64_t barrier = now();
	unsigned long long before = run.start == 0 ? 0 : barrier - run.start, longest = 0;
	PMPI_Allreduce(&before, &longest, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, run.own);
	if (run.start == 0)
		run.start = barrier;
	run.ahead = longest - before; /* lines that are told already count from the start of this process */
}

/* What is told is kept in a file from now on. */
static void begin_journal(void)
{
	lock();
	title_journal();
	int failed = keep_in_file();
	unlock();
	tell_unseen();
	if (failed != 0 && run.rank == 0)
		fprintf(stderr, ME ": cannot write %s: %s; a process that is killed leaves nothing\n", journal.path, strerror(failed));
}

static void take_settings(const struct settings *s)
{
	memcpy(run.path, s->path, sizeof run.path);
	memcpy(run.id, s->id, sizeof run.id);
}

/* All processes begin, with a communicator of all of them. */
static void start_over(MPI_Comm all)
{
	struct settings s;
	FILE *archive = NULL;
	memset(&s, 0, sizeof s);
	run.gathers = run.by_init;
	if (run.rank == 0)
		archive = decide(&s, run.size);
	PMPI_Bcast(&s, (int)sizeof s, MPI_CHAR, 0, all);
	if (!s.on || PMPI_Comm_dup(all, &run.own) != MPI_SUCCESS) {
		run.recording = 0;
		return;
	}
	take_settings(&s);
	run.there = write_start(archive, &s) == 0;
	if (run.there) {
		reserve(s.limit);
		run.limit = s.limit < run.limit ? s.limit : run.limit;
		begin_journal();
		if (run.by_init)
			know_world();
		find_neighbors();
		catch_ends();
		set_clock();
	}
	run.recording = run.there;
	if (!run.there || !run.gathers)
		PMPI_Comm_free(&run.own);
}

/* This process begins, by what one of those that have the recorder decided. Nobody waits for others. */
static void start_alone(const struct settings *s)
{
	struct timespec t;
	run.there = s->on;
	if (!s->on) {
		run.recording = 0;
		return;
	}
	clock_gettime(CLOCK_REALTIME, &t);
	uint64_t passed = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - s->began;
	take_settings(s);
	reserve(s->limit);
	if (run.start == 0)
		run.start = now() - passed;
	begin_journal();
	if (run.by_init)
		know_world();
	catch_ends();
	run.recording = 1;
}

static void before_init(void)
{
	find_program_name();
	if (!inside && !run.written && !run.begun)
		enter_roll();
}

/* After MPI_Init. */
static void start(void)
{
	struct settings alone;
	if (inside || run.written || atomic_exchange(&run.begun, 1))
		return;
	inside = 1;
	run.by_init = 1;
	PMPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &run.size);
	if (all_came(&alone)) {
		start_over(MPI_COMM_WORLD);
		PMPI_Barrier(MPI_COMM_WORLD);
	} else {
		start_alone(&alone);
	}
	leave_roll();
	inside = 0;
}

/* A process calls something while nothing is recorded. 1: this is its first MPI_Session_init, and is recorded. */
static int start_by_session(const char *name)
{
#if STANDARD >= 40
	if (strcmp(name, "MPI_Session_init") != 0)
		return 0;
	lock();
	if (!run.begun && run.pid == 0) {
		find_program_name();
		enter_roll();
		reserve(limit_for(1, 0));
		run.start = now();
		run.recording = 1;
	}
	unlock();
	return run.recording;
#else
	(void)name;
	return 0;
#endif
}

#if STANDARD >= 40
/* Before MPI_Comm_create_from_group: all processes begin if it is one of all processes. */
static void start_with_group(struct call *c, MPI_Group group)
{
	int same = MPI_UNEQUAL;
	MPI_Group world = (MPI_Group)c->world;
	MPI_Comm all;
	if (c->world == 0 || PMPI_Group_compare(group, world, &same) != MPI_SUCCESS || same == MPI_UNEQUAL ||
	    atomic_exchange(&run.begun, 1))
		return;
	inside = 1;
	struct settings alone;
	if (!all_came(&alone)) {
		start_alone(&alone);
	} else if (PMPI_Comm_create_from_group(world, "commsplit record", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all) ==
	           MPI_SUCCESS) {
		start_over(all);
		PMPI_Barrier(all);
		PMPI_Comm_free(&all);
	}
	leave_roll();
	inside = 0;
}
#endif

/* Rank 0 writes what all have. */
static void take_calls(void)
{
	int failed = append(0, journal.at, journal.whole, PATIENT);
	for (int i = 1; i < run.size; i++) {
		struct text t = {NULL, 0, 0};
		PMPI_Send(&i, 1, MPI_INT, i, 0, run.own);
		receive_text(&t, i, run.own);
		if (failed == 0 && t.size > 0)
			failed = append(i, t.bytes, t.size, PATIENT);
		clear(&t);
	}
	if (failed == 0)
		failed = end_archive();
	if (failed != 0)
		say("cannot write all of", failed);
}

/* Sends what this process has to rank 0, which writes it. */
static void give_calls(void)
{
	int go;
	const struct text t = {journal.at, journal.whole, journal.whole};
	PMPI_Recv(&go, 1, MPI_INT, 0, 0, run.own, MPI_STATUS_IGNORE);
	send_text(&t, 0, run.own);
}

static int add_own(const char *why, int signal, uintptr_t at);

/* Before MPI_Finalize. */
static void stop(void)
{
	sigset_t all, before;
	if (!run.recording || !run.by_init || inside)
		return;
	if (!run.gathers) {
		add_own("finalize", 0, 0);
		return;
	}
	MPI_Group world = (MPI_Group)run.world;
	inside = 1;
	tell_unseen();
	PMPI_Barrier(run.own);
	run.end = now();
	run.recording = 0;
	/* A signal waits, so that what is being written is whole. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	lock();
	tell_end("finalize", 0, NULL);
	unlock();
	if (run.rank == 0)
		take_calls();
	else
		give_calls();
	run.written = 1;
	remove_file();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	run.world = 0;
	PMPI_Group_free(&world);
	PMPI_Comm_free(&run.own);
	inside = 0;
}
