/* ---- Ends without MPI_Finalize ---- */

/*
 * MPICH kills the other processes of one that ends without MPI_Finalize, and tells them nothing before; Open MPI
 * tells them by SIGTERM, but soon loses patience. So that their members are not lost, the first one that ends tells those on its host by a
 * signal that means nothing to a process that does not expect it, and waits for them.
 */
enum { NOTICE = SIGURG };
static pid_t *neighbors;
static int neighbor_count;

/* Learns which processes are on this host. */
static void find_neighbors(void)
{
	struct text name = {NULL, 0, 0};
	char host[NAME_SIZE];
	host_name(host);
	add(&name, host, strlen(host));
	unsigned long long own[2] = {(unsigned long long)getpid(), hash(&name)};
	unsigned long long *all = malloc((size_t)run.size * sizeof own);
	clear(&name);
	neighbors = pages((size_t)run.size * sizeof *neighbors);
	int able = all != NULL && neighbors != NULL, all_able = 0;
	PMPI_Allreduce(&able, &all_able, 1, MPI_INT, MPI_MIN, run.own);
	if (all_able) {
		PMPI_Allgather(own, 2, MPI_UNSIGNED_LONG_LONG, all, 2, MPI_UNSIGNED_LONG_LONG, run.own);
		for (int i = 0; i < run.size; i++)
			if (i != run.rank && all[2 * i + 1] == own[1])
				neighbors[neighbor_count++] = (pid_t)all[2 * i];
	}
	free(all);
}

static void tell_neighbors(void)
{
	for (int i = 0; i < neighbor_count; i++)
		kill(neighbors[i], NOTICE);
}

/* Counts the processes whose members are in the file, whole. */
static int count_members(void)
{
	struct header h;
	struct stat info;
	int count = 0, file = open(run.path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return INT_MAX;
	for (off_t at = 0; fstat(file, &info) == 0 && pread(file, &h, sizeof h, at) == (ssize_t)sizeof h;) {
		off_t size = 0;
		for (const char *c = h.size; *c >= '0' && *c <= '7' && c < h.size + sizeof h.size; c++)
			size = 8 * size + (*c - '0');
		at += (off_t)sizeof h + (size + 511) / 512 * 512;
		if (at > info.st_size)
			break;
		count += memcmp(h.name, "calls/", 6) == 0;
	}
	close(file);
	return count;
}

/* Waits until as many processes as are on this host have added what they know, at most three seconds. */
static void wait_for_neighbors(void)
{
	for (int i = 0; neighbor_count > 0 && i < 150 && count_members() <= neighbor_count; i++)
		pause_ms(20);
}

/* Where a signal interrupted the program. */
static uintptr_t address_of(const ucontext_t *at)
{
#if defined(__x86_64__)
	return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)at->uc_mcontext.pc;
#else
	(void)at;
	return 0;
#endif
}

/*
 * This process adds what it knows, once; at is where a fault is. A child that was forked has nothing to say. 0: it did.
 */
static int add_own(const char *why, int signal, uintptr_t at)
{
	sigset_t all, before_it;
	int kept = errno;
	static struct path fault; /* the stack of a signal handler may be small */
	/* Who ends the job meanwhile waits until this is written. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before_it);
	if (run.pid != getpid() || !run.there || (!run.recording && !run.end) || atomic_exchange(&run.written, 1)) {
		pthread_sigmask(SIG_SETMASK, &before_it, NULL);
		return -1;
	}
	run.recording = 0;
	lock_at_end();
	if (at == 0 && strcmp(why, "finalize") != 0)
		at = caught_at;
	if (at != 0)
		unwind(&fault, at);
	tell_end(why, signal, fault.count > 0 ? &fault : NULL);
	int failed = append(run.rank, journal.at, journal.whole, strcmp(why, "finalize") == 0 ? PATIENT : HURRIED);
	if (failed == 0)
		remove_file();
	else if (failed != ENOENT && run.rank == 0)
		say("cannot write all of", failed);
	pthread_sigmask(SIG_SETMASK, &before_it, NULL);
	errno = kept;
	return 0;
}

static _Atomic int noticed; /* another process of this host ends the job */

/* This process ends, and with it the job. */
static void stop_at(const char *why, int signal, uintptr_t at)
{
	if (run.pid == getpid() && run.there && run.recording)
		tell_neighbors();
	if (add_own(why, signal, at) == 0 || (noticed && run.pid == getpid()))
		wait_for_neighbors();
}

static void stop_alone(const char *why, int signal) { stop_at(why, signal, 0); }

static const int fatal[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FATAL = sizeof fatal / sizeof *fatal };

static int index_of(int signal)
{
	int i = FATAL - 1;
	while (i >= 0 && fatal[i] != signal)
		i--;
	return i;
}

/*
 * A program that handles such a signal itself, keeps its handler: the recorder's comes first, tells that the signal came,
 * and calls it. Whether the program goes on, and how, is up to that handler. So what the program asks of sigaction and
 * signal is kept here, and the library of C gets the recorder's handler with the program's flags and mask.
 */
static struct sigaction wanted[FATAL];
static _Atomic int catching;
static void *abort_function;

int __sigaction(int, const struct sigaction *, struct sigaction *) __attribute__((weak));

/* What sigaction does without the recorder. */
static int set_action(int signal, const struct sigaction *new, struct sigaction *old)
{
	static int (*real)(int, const struct sigaction *, struct sigaction *);
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "sigaction");
	return (real != NULL ? real : __sigaction)(signal, new, old);
}

static void on_signal(int signal, siginfo_t *info, void *context);

/* Puts the recorder's handler before what the program wants. */
static int put_before(int i, const struct sigaction *want)
{
	struct sigaction own = *want;
	if (want->sa_handler == SIG_IGN)
		return set_action(fatal[i], want, NULL);
	own.sa_sigaction = on_signal;
	own.sa_flags = (want->sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
	if (want->sa_handler == SIG_DFL) {
		own.sa_flags = SA_SIGINFO | SA_ONSTACK;
		sigfillset(&own.sa_mask);
	}
	return set_action(fatal[i], &own, NULL);
}

int sigaction(int signal, const struct sigaction *new, struct sigaction *old)
{
	int i = index_of(signal), failed = 0;
	sigset_t all, before;
	if (i < 0 || !catching || run.pid != getpid())
		return set_action(signal, new, old);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before); /* no handler waits for what this thread has locked */
	lock();
	struct sigaction was = wanted[i];
	if (new != NULL) {
		failed = put_before(i, new);
		wanted[i] = failed ? was : *new;
	}
	if (old != NULL)
		*old = was;
	unlock();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

typedef void (*handler)(int);

static handler set_handler(int signal, handler to, int flags)
{
	struct sigaction new, old;
	memset(&new, 0, sizeof new);
	new.sa_handler = to;
	new.sa_flags = flags;
	return sigaction(signal, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

handler signal(int signal, handler to)
{
	static handler (*real)(int, handler);
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "signal");
	return real != NULL && index_of(signal) < 0 ? real(signal, to) : set_handler(signal, to, SA_RESTART);
}

/* signal of programs that are compiled for System V or plain C. */
handler __sysv_signal(int signal, handler to);
handler __sysv_signal(int signal, handler to) { return set_handler(signal, to, (int)SA_RESETHAND | SA_NODEFER); }

/* What the program wants at a signal that came; a handler that it wants once gets it once. */
static struct sigaction take_wanted(int i)
{
	int own_lock = !has_lock;
	if (own_lock)
		lock();
	struct sigaction want = wanted[i];
	if (want.sa_handler != SIG_DFL && want.sa_handler != SIG_IGN && (want.sa_flags & (int)SA_RESETHAND)) {
		wanted[i].sa_handler = SIG_DFL;
		put_before(i, &wanted[i]);
	}
	if (own_lock)
		unlock();
	return want;
}

/* Whether abort was called, which ends the process when the handler returns, and asks nobody again. */
static int is_in_abort(uintptr_t from)
{
	static struct path p;
	if (from == 0 || abort_function == NULL)
		return 0;
	unwind(&p, from);
	for (int i = 0; i < p.count; i++)
		if (_Unwind_FindEnclosingFunction((void *)(p.addresses[i] - 1)) == abort_function)
			return 1;
	return 0;
}

/* The program's handler gets a signal, which came at an address if it is a fault. */
static void pass_on(const struct sigaction *own, int signal, siginfo_t *info, void *context, uintptr_t at)
{
	int tells = run.pid == getpid() && run.there && run.recording;
	if (tells)
		note_caught(signal, at);
	if (own->sa_flags & SA_SIGINFO)
		own->sa_sigaction(signal, info, context);
	else
		own->sa_handler(signal);
	if (tells && signal == SIGABRT && is_in_abort(at))
		stop_at("signal", signal, at);
}

/* Adds what is known, then lets happen what would have happened without the recorder. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	struct sigaction want = take_wanted(index_of(signal));
	if (want.sa_handler == SIG_IGN)
		return;
	/* What others sent says nothing about the place where it came. */
	int is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT;
	uintptr_t at = is_fault ? address_of(context) : 0;
	if (want.sa_handler != SIG_DFL) {
		pass_on(&want, signal, info, context, at);
		return;
	}
	stop_at("signal", signal, at);
	set_action(signal, &want, NULL);
	/* A fault strikes again when its instruction is repeated; what was sent is sent again. */
	if (info == NULL || info->si_code <= 0)
		raise(signal);
}

/* The program ends this process by itself. */
static void on_exit_handler(void)
{
	const char *path = getenv("COMMSPLIT_RECORD");
	if (run.recording && !run.begun && run.pid == getpid()) {
		if (run.rank == 0 && path != NULL && path[0] != '\0')
			fprintf(stderr, ME ": %s is not written: for that the program must call MPI_Init, or MPI_Comm_create_from_group "
			        "with all processes of mpi://WORLD\n", path);
		run.recording = 0;
	} else if (run.by_init || run.sessions_open > 0 || inside) {
		stop_alone(inside ? "abort" : "exit", 0);
	} else {
		add_own("finalize", 0, 0);
	}
}

static void on_notice(int signal)
{
	(void)signal;
	noticed = 1;
	add_own("abort", 0, 0);
}

#ifndef OPEN_MPI
/* MPICH's process that fails has no other chance. */
static void on_error(MPI_Comm *comm, int *error, ...)
{
	stop_alone("abort", 0);
	PMPI_Comm_set_errhandler(*comm, MPI_ERRORS_ARE_FATAL);
	PMPI_Comm_call_errhandler(*comm, *error);
}

/* A communicator on which errors are fatal gets a handler that adds what is known before. */
static void catch_errors(MPI_Comm comm)
{
	MPI_Errhandler there = MPI_ERRHANDLER_NULL, own;
	if (PMPI_Comm_get_errhandler(comm, &there) != MPI_SUCCESS)
		return;
	if (there == MPI_ERRORS_ARE_FATAL && PMPI_Comm_create_errhandler(on_error, &own) == MPI_SUCCESS) {
		PMPI_Comm_set_errhandler(comm, own);
		PMPI_Errhandler_free(&own);
	} else if (there != MPI_ERRORS_ARE_FATAL) {
		PMPI_Errhandler_free(&there);
	}
}
#endif

#if STANDARD >= 40
/* The call gave a communicator that has no parent to inherit an error handler from. */
static void give_first(struct call *c, MPI_Comm comm)
{
	give_comm(c, comm);
#ifndef OPEN_MPI
	if (c->result == COMM)
		catch_errors(comm);
#endif
}
#endif

/* Prepares for other ends. */
static void catch_ends(void)
{
	abort_function = dlsym(RTLD_DEFAULT, "abort");
	for (int i = 0; i < FATAL; i++)
		if (set_action(fatal[i], NULL, &wanted[i]) == 0)
			put_before(i, &wanted[i]);
	catching = 1;
	struct sigaction notice;
	if (set_action(NOTICE, NULL, &notice) == 0 && notice.sa_handler == SIG_DFL) {
		memset(&notice, 0, sizeof notice);
		notice.sa_handler = on_notice;
		notice.sa_flags = SA_RESTART | SA_ONSTACK;
		sigfillset(&notice.sa_mask);
		set_action(NOTICE, &notice, NULL);
	}
#ifndef OPEN_MPI
	if (run.by_init) {
		catch_errors(MPI_COMM_WORLD);
		catch_errors(MPI_COMM_SELF);
	}
#endif
}

/* Open MPI gives up by _exit. */
void _exit(int status)
{
	on_exit_handler();
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status) { _exit(status); }

