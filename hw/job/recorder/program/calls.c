/* ---- One call ---- */

struct call {
	const char *name;
	uintptr_t address, frame;
	MPI_Comm comm;    /* that it is made on */
	int is_on;        /* it is made on comm */
	int gives_up;     /* it gives comm up */
	struct known on;  /* what is known of comm: used is 0 before it was looked up, and where the call is made on none */
	int found;        /* it was not known before */
	struct {
		MPI_Group group;
		int id;
	} found_groups[2];
	int found_group_count;
	int count;
	struct value values[MAX_VALUES];
	char info[2][MAX_TEXT + 1]; /* values of an info */
	int site, result;
	unsigned seq;
	int kept; /* 0: it is only counted */
	struct known made;
	int same;  /* it has the groups of on, which a line told before */
	int again; /* the number that the same handle of a group had before, 0: none */
	uintptr_t world; /* see known */
	uint64_t began, ended;
};

enum { NOT_MADE = -2 }; /* the site of what no recorded call made */

static int start_by_session(const char *name);

/* What the library calls by itself is not the program's, and nothing is before MPI begins and after MPI_Finalize. */
static int begin(struct call *c, const char *name, uintptr_t address, uintptr_t frame)
{
	if (inside || (!atomic_load_explicit(&run.recording, memory_order_relaxed) && !start_by_session(name)))
		return 0;
	c->name = name;
	c->address = address;
	c->frame = frame + 2 * sizeof(void *); /* behind the frame pointer and return address that were saved */
	c->comm = MPI_COMM_NULL;
	c->is_on = c->gives_up = 0;
	c->on.used = 0;
	c->found = 0;
	c->found_group_count = 0;
	c->count = 0;
	c->result = PENDING;
	c->world = 0;
	c->again = 0;
	c->same = 0;
	c->made = (struct known){.used = 0};
	return 1;
}

static void take_value(struct call *c, const char *name, int kind, int number)
{
	if (c->count < MAX_VALUES)
		c->values[c->count++] = (struct value){name, kind, number, NULL};
}

/* Takes the communicator that the call is made on. */
static void take_on(struct call *c, MPI_Comm comm)
{
	c->comm = comm;
	c->is_on = 1;
}

/* Looks the communicator of the call up, with the lock. */
static void look_up(struct call *c)
{
	if (!c->is_on || c->on.used)
		return;
	if (c->comm == MPI_COMM_NULL) {
		c->on = (struct known){.used = 1, .id = -1, .site = NOT_MADE};
		return;
	}
	struct known *k = find_handle(&run.comms, (uintptr_t)c->comm);
	c->found = k == NULL;
	if (k != NULL) {
		c->on = *k;
		c->world = c->world != 0 ? c->world : k->world;
	} else {
		c->on = (struct known){(uintptr_t)c->comm, 1, run.next_comm++, NOT_MADE, -1, -1, -1, -1, -1, 0, 0, 0};
		remember(&run.comms, &c->on);
	}
}

/* Before the call, with the lock: what the library makes meanwhile may get the same handle. */
static void forget_given_up(struct call *c)
{
	next_generation();
	forget(&run.comms, (uintptr_t)c->comm);
	if (c->on.used && c->on.site != NOT_MADE) {
		tally_of(c->on.site)->alive--;
		run.alive--;
	}
}

/* Whether this process is the root of the call. */
static int is_root(struct call *c, int root)
{
	lock();
	look_up(c);
	unlock();
	return c->on.used && c->on.rank == root;
}

static void tell_carried(struct known *k);

/* Takes a communicator that need not be one in this process, and that carries messages of the call. */
static void take_peer(struct call *c, const char *name, MPI_Comm comm)
{
	lock();
	struct known *k = find_handle(&run.comms, (uintptr_t)comm);
	tell_carried(k);
	take_value(c, name, k == NULL && comm != MPI_COMM_NULL ? UNKNOWN : NUMBER, k == NULL ? -1 : k->id);
	unlock();
}

static void take_group(struct call *c, const char *name, MPI_Group group)
{
	if (group == MPI_GROUP_NULL) {
		take_value(c, name, NUMBER, -1);
		return;
	}
	lock();
	struct known *k = find_handle(&run.groups, (uintptr_t)group);
	struct known new = {.handle = (uintptr_t)group, .site = NOT_MADE, .refs = 1};
	if (k == NULL) {
		new.id = run.next_group++;
		remember(&run.groups, &new);
		c->found_groups[c->found_group_count].group = group;
		c->found_groups[c->found_group_count++].id = new.id;
	} else if (k->world != 0) {
		c->world = k->world;
	}
	take_value(c, name, NUMBER, k == NULL ? new.id : k->id);
	unlock();
}

/* A list of ints, or of logicals. */
static void take_list(struct call *c, const char *name, const void *list, int n, int logical)
{
	take_value(c, name, n > 0 && list == NULL ? UNKNOWN : logical ? FLAGS : INTS, n > 0 ? n : 0);
	if (c->count > 0)
		c->values[c->count - 1].list = list;
}

static int sum(const int *list, int n)
{
	int all = 0;
	for (int i = 0; list != NULL && i < n; i++)
		all += list[i];
	return all;
}

/* Takes a text of C, of any length if size is -1, or of Fortran, without the blanks at its end. */
static void take_text(struct call *c, const char *name, const char *text, size_t size)
{
	if (text != NULL) {
		size = size == (size_t)-1 ? strnlen(text, MAX_TEXT) : size;
		while (size > 0 && text[size - 1] == ' ')
			size--;
		size = size > MAX_TEXT ? MAX_TEXT : size;
	}
	take_value(c, name, text == NULL ? UNKNOWN : TEXT, text == NULL ? 0 : (int)size);
	c->values[c->count - 1].list = text;
}

#if STANDARD >= 30
/* Takes the values of an info that decide what a split makes. */
static void take_info(struct call *c, MPI_Info info)
{
	static const char *const keys[] = {"mpi_hw_resource_type", "mpi_pset_name"};
	inside = 1;
	for (size_t i = 0; info != MPI_INFO_NULL && i < sizeof keys / sizeof *keys; i++) {
		int flag = 0;
		if (PMPI_Info_get(info, keys[i], MAX_TEXT, c->info[i], &flag) == MPI_SUCCESS && flag)
			take_text(c, keys[i], c->info[i], (size_t)-1);
	}
	inside = 0;
}
#endif

/* Takes the command that the root gives, without its folder. */
static void take_command(struct call *c, int root, const char *command, size_t size)
{
	if (!is_root(c, root) || command == NULL) {
		take_value(c, "command", UNKNOWN, 0);
		return;
	}
	size = size == (size_t)-1 ? strnlen(command, PATH_MAX) : size;
	size_t folder = size;
	while (folder > 0 && command[folder - 1] != '/')
		folder--;
	char *end = memchr(command + folder, '\0', size - folder);
	take_text(c, "command", command + folder, end == NULL ? size - folder : (size_t)(end - command) - folder);
}

/* The number of this thread: 0 for the one of MPI_Init. */
static int thread_number(void)
{
	static _Thread_local int number __attribute__((tls_model("initial-exec")));
	if (number == 0)
		number = ++run.threads;
	return number - 1;
}

static int tell_call(struct call *c);
static void tell_done(const struct call *c);
static void tell_found_comm(unsigned seq, const struct known *k);
static void tell_found_group(unsigned seq, int id, const struct value *world);
static void tell_truncated(unsigned seq);
static void tell_counts(void);

/* Finds the site of the call, known or new; gives the lock. */
static void find_place(struct call *c)
{
	c->site = python_site(c->name, c->address);
	lock();
	if (c->site != -2)
		return;
	c->site = find_site(c->address, c->frame);
	if (c->site >= 0 || site_count == MAX_SITES || node_count > MAX_NODES - FRAMES)
		return;
	unlock();
	c->site = new_site(c->name, c->address);
	lock();
}

/* The call goes to the library. */
static void enter(struct call *c)
{
	find_place(c);
	look_up(c);
	if (c->gives_up)
		forget_given_up(c);
	tally_of(c->site)->calls++;
	c->seq = run.seq++;
	caught_at = 0;
	c->kept = !run.truncated && c->seq < run.limit && tell_call(c);
	if (!c->kept)
		c->began = now();
	if (!c->kept && c->seq >= run.next_counts) { /* what is only counted is not lost either, but for the last calls */
		tell_truncated(c->seq);
		tell_counts();
		run.next_counts = c->seq + c->seq / 4 + 1;
	}
	unlock();
	inside = 1;
}

/* The library gave an error, or MPI_SUCCESS. */
static void leave(struct call *c, int error)
{
	c->ended = now();
	c->result = NOTHING;
	if (error != MPI_SUCCESS) {
		c->result = ERROR;
		if (PMPI_Error_class(error, &c->made.id) != MPI_SUCCESS)
			c->made.id = error;
	}
}

/*
 * Gives the world ranks of a group's processes, -1 for one of another world. 0: done. Objects of different sessions
 * may not meet in a call: world is the group of those that the group belongs to.
 */
static int translate(MPI_Group group, int count, int *ranks, uintptr_t world, int *world_ranks)
{
	MPI_Group of = (MPI_Group)(world != 0 ? world : run.world);
	if ((world == 0 && run.world == 0) ||
	    PMPI_Group_translate_ranks(group, count, ranks, of, world_ranks) != MPI_SUCCESS)
		return -1;
	for (int i = 0; i < count; i++)
		if (world_ranks[i] == MPI_UNDEFINED)
			world_ranks[i] = -1;
	return 0;
}

/* The world rank of a group's first process, -1: it is of another world. */
static int first_of(MPI_Group group, uintptr_t world)
{
	int first = 0, leader;
	return translate(group, 1, &first, world, &leader) == 0 ? leader : -1;
}

/* Asks the library about a communicator. */
static void describe(struct known *k, MPI_Comm comm)
{
	MPI_Group group;
	int inter = 0;
	k->remote = k->remote_leader = -1;
	PMPI_Comm_size(comm, &k->size);
	PMPI_Comm_rank(comm, &k->rank);
	PMPI_Comm_test_inter(comm, &inter);
	k->leader = run.rank;
	if (k->rank != 0 && PMPI_Comm_group(comm, &group) == MPI_SUCCESS) {
		k->leader = first_of(group, k->world);
		PMPI_Group_free(&group);
	}
	if (!inter)
		return;
	PMPI_Comm_remote_size(comm, &k->remote);
	if (PMPI_Comm_remote_group(comm, &group) == MPI_SUCCESS) {
		k->remote_leader = first_of(group, k->world);
		PMPI_Group_free(&group);
	}
}

/* The call gave a communicator. */
static void give_comm(struct call *c, MPI_Comm comm)
{
	if (c->result == ERROR)
		return;
	c->result = comm == MPI_COMM_NULL ? NO_COMM : COMM;
	c->made.world = c->world;
	if (c->result == COMM)
		describe(&c->made, comm);
	c->made.handle = (uintptr_t)comm;
}

/* The call gave a communicator with the groups of the one that it was made on, which may not be complete yet. */
static void give_same(struct call *c, MPI_Comm comm)
{
	if (c->result == ERROR)
		return;
	c->result = COMM;
	c->same = c->found || c->on.size >= 0;
	if (c->on.size < 0)
		describe(&c->on, c->comm);
	c->made = c->on;
	c->made.carried = 0;
	c->made.handle = (uintptr_t)comm;
}

static void give_group(struct call *c, MPI_Group group)
{
	if (c->result == ERROR)
		return;
	c->result = GROUP;
	c->made.handle = (uintptr_t)group;
	c->made.world = c->world;
	PMPI_Group_size(group, &c->made.size);
}

#if STANDARD >= 40
static void give_session(struct call *c, MPI_Session session)
{
	if (c->result == ERROR)
		return;
	c->result = SESSION;
	c->made.handle = (uintptr_t)session;
	MPI_Group world;
	if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) != MPI_SUCCESS)
		return;
	c->made.world = (uintptr_t)world;
	lock();
	run.sessions_open++;
	if (run.world == 0) {
		run.world = (uintptr_t)world;
		PMPI_Group_rank(world, &run.rank);
		PMPI_Group_size(world, &run.size);
	}
	unlock();
}

static void take_session(struct call *c, MPI_Session session)
{
	lock();
	struct known *k = find_handle(&run.sessions, (uintptr_t)session);
	take_value(c, "session", k == NULL ? UNKNOWN : NUMBER, k == NULL ? 0 : k->id);
	c->world = k == NULL ? 0 : k->world;
	unlock();
}

/* The call gives its session up. */
static void give_up_session(struct call *c, MPI_Session session)
{
	lock();
	forget(&run.sessions, (uintptr_t)session);
	MPI_Group world = (MPI_Group)c->world;
	if (c->world != 0)
		run.sessions_open--;
	if (run.world == c->world)
		run.world = 0;
	unlock();
	if (c->world != 0)
		PMPI_Group_free(&world);
	c->world = 0;
}
#endif

/* The call gives its communicator up. */
static void give_up(struct call *c) { c->gives_up = 1; }

/* The library refused to give it up. */
static void keep_if_failed(struct call *c)
{
	if (c->result != ERROR || c->comm == MPI_COMM_NULL)
		return;
	lock();
	remember(&run.comms, &c->on);
	if (c->on.site != NOT_MADE) {
		tally_of(c->on.site)->alive++;
		run.alive++;
	}
	unlock();
}

static void give_up_group(struct call *c, MPI_Group group)
{
	(void)c;
	lock();
	struct known *k = find_handle(&run.groups, (uintptr_t)group);
	if (k != NULL && k->id > 0 && --k->refs == 0)
		forget(&run.groups, (uintptr_t)group);
	unlock();
}

/* Takes in what the call made, with the lock. */
static void take_in(struct call *c)
{
	struct known *there;
	c->made.site = c->site;
	c->made.used = 1;
	switch (c->result) {
	case COMM:
		there = c->is_on ? NULL : find_handle(&run.comms, c->made.handle);
		if (there != NULL && strcmp(c->name, "MPI_Comm_get_parent") == 0) { /* the same each time */
			c->made.id = there->id;
			break;
		}
		next_generation();
		c->made.id = run.next_comm++;
		c->made.carried = !c->kept;
		remember(&run.comms, &c->made);
		count_made(tally_of(c->site), c->ended);
		if (++run.alive > run.peak)
			run.peak = run.alive;
		break;
	case GROUP:
		there = find_handle(&run.groups, c->made.handle);
		c->made.refs = there == NULL ? 1 : there->refs + 1;
		c->again = there == NULL ? 0 : there->id;
		c->made.id = c->made.size == 0 ? 0 : run.next_group++;
		remember(&run.groups, &c->made);
		break;
	case SESSION:
		c->made.id = run.next_session++;
		remember(&run.sessions, &c->made);
		break;
	default:
		break;
	}
}

/* Tells the world ranks of a group that no recorded call made. */
static void tell_group(const struct call *c, MPI_Group group, int id)
{
	int size = 0;
	PMPI_Group_size(group, &size);
	int *ranks = malloc(2 * sizeof *ranks * (size_t)(size + 1));
	struct value world = {"world", UNKNOWN, size, NULL};
	for (int i = 0; ranks != NULL && i < size; i++)
		ranks[i] = i;
	if (ranks != NULL && translate(group, size, ranks, c->world, ranks + size) == 0) {
		world.kind = INTS;
		world.list = ranks + size;
	}
	lock();
	if (c->kept)
		tell_found_group(c->seq, id, &world);
	unlock();
	free(ranks);
}

static void tell_found(struct call *c)
{
	if (c->result == ERROR)
		return;
	if (c->found) {
		lock();
		int alive = find_handle(&run.comms, (uintptr_t)c->comm) != NULL;
		unlock();
		if (alive)
			describe(&c->on, c->comm);
		lock();
		if (alive)
			remember(&run.comms, &c->on);
		if (c->kept)
			tell_found_comm(c->seq, &c->on);
		unlock();
	}
	for (int i = 0; i < c->found_group_count; i++)
		tell_group(c, c->found_groups[i].group, c->found_groups[i].id);
}

/* The call is over. */
static void finish(struct call *c)
{
	if (c->found || c->found_group_count > 0)
		tell_found(c);
	lock();
	if (run.recording) {
		struct tally *t = tally_of(c->site);
		t->ns += c->ended - c->began;
		take_in(c);
		if (c->kept)
			tell_done(c);
	}
	unlock();
	inside = 0;
}

