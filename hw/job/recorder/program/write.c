/* ---- Lines of the journal ---- */

static const struct {
	int class;
	const char *name;
} classes[] = {
	{MPI_ERR_ARG, "MPI_ERR_ARG"}, {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"}, {MPI_ERR_COMM, "MPI_ERR_COMM"},
	{MPI_ERR_COUNT, "MPI_ERR_COUNT"}, {MPI_ERR_DIMS, "MPI_ERR_DIMS"}, {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
	{MPI_ERR_INFO, "MPI_ERR_INFO"}, {MPI_ERR_INTERN, "MPI_ERR_INTERN"}, {MPI_ERR_NAME, "MPI_ERR_NAME"},
	{MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"}, {MPI_ERR_OTHER, "MPI_ERR_OTHER"}, {MPI_ERR_PENDING, "MPI_ERR_PENDING"},
	{MPI_ERR_PORT, "MPI_ERR_PORT"}, {MPI_ERR_RANK, "MPI_ERR_RANK"}, {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
	{MPI_ERR_SPAWN, "MPI_ERR_SPAWN"}, {MPI_ERR_TAG, "MPI_ERR_TAG"}, {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY"},
	{MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},
#if STANDARD >= 40
	{MPI_ERR_SESSION, "MPI_ERR_SESSION"},
#endif
};

#if STANDARD >= 30
static const struct {
	int type;
	const char *name;
} types[] = {
	{MPI_COMM_TYPE_SHARED, "shared"}, {MPI_UNDEFINED, "undefined"},
#if STANDARD >= 40
	{MPI_COMM_TYPE_HW_GUIDED, "hw_guided"}, {MPI_COMM_TYPE_HW_UNGUIDED, "hw_unguided"},
#endif
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
	{MPI_COMM_TYPE_RESOURCE_GUIDED, "resource_guided"},
#endif
#ifdef OMPI_COMM_TYPE_NODE /* Open MPI's own, which are enumerators */
	{OMPI_COMM_TYPE_HWTHREAD, "OMPI_COMM_TYPE_HWTHREAD"}, {OMPI_COMM_TYPE_CORE, "OMPI_COMM_TYPE_CORE"},
	{OMPI_COMM_TYPE_L1CACHE, "OMPI_COMM_TYPE_L1CACHE"}, {OMPI_COMM_TYPE_L2CACHE, "OMPI_COMM_TYPE_L2CACHE"},
	{OMPI_COMM_TYPE_L3CACHE, "OMPI_COMM_TYPE_L3CACHE"}, {OMPI_COMM_TYPE_SOCKET, "OMPI_COMM_TYPE_SOCKET"},
	{OMPI_COMM_TYPE_NUMA, "OMPI_COMM_TYPE_NUMA"}, {OMPI_COMM_TYPE_BOARD, "OMPI_COMM_TYPE_BOARD"},
	{OMPI_COMM_TYPE_HOST, "OMPI_COMM_TYPE_HOST"}, {OMPI_COMM_TYPE_CU, "OMPI_COMM_TYPE_CU"},
	{OMPI_COMM_TYPE_CLUSTER, "OMPI_COMM_TYPE_CLUSTER"},
#endif
};
#endif

static __attribute__((noinline)) struct sink with_class(struct sink s, int class)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (classes[i].class == class) {
			emit_text(&s, classes[i].name);
			return s;
		}
	emit_number(&s, class);
	return s;
}

static void emit_type(struct sink *s, int type)
{
#if STANDARD >= 30
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].type == type) {
			emit_text(s, types[i].name);
			return;
		}
#endif
	emit_number(s, type);
}

static int item(const struct value *v, int i)
{
	int n = ((const int *)v->list)[i];
	return v->kind == FLAGS ? n != 0 : n;
}

/* Counts how many items from i on make one run: the same number, or numbers with a stride. */
static int run_of(const struct value *v, int i, int *stride)
{
	int count = 1, rest = v->number - i;
	*stride = 0;
	if (rest < 3)
		return 1;
	int64_t last = item(v, i), gap = (int64_t)item(v, i + 1) - last;
	if (gap > INT_MAX || gap < INT_MIN)
		return 1;
	for (; count < rest && item(v, i + count) - last == gap; count++)
		last += gap;
	*stride = (int)gap;
	return count < 3 ? 1 : count;
}

static int runs_of(const struct value *v)
{
	int runs = 0, stride;
	for (int i = 0; i < v->number; runs++)
		i += run_of(v, i, &stride);
	return runs;
}

static void emit_list(struct sink *s, const struct value *v)
{
	if (v->number == 0)
		emit_text(s, "[]");
	else if (v->number > MAX_RUNS && runs_of(v) > MAX_RUNS)
		emit_text(s, "?");
	else
		for (int i = 0, count, stride; i < v->number; i += count) {
			count = run_of(v, i, &stride);
			if (i > 0)
				emit(s, ",", 1);
			emit_number(s, item(v, i));
			if (count > 1 && stride == 0) {
				emit(s, "*", 1);
				emit_number(s, count);
			} else if (count > 1) {
				emit(s, "..", 2);
				emit_number(s, item(v, i + count - 1));
				if (stride != 1) {
					emit(s, ":", 1);
					emit_number(s, stride);
				}
			}
		}
}

static void emit_value(struct sink *s, const struct value *v)
{
	emit(s, "\t", 1);
	emit_text(s, v->name);
	emit(s, "=", 1);
	switch (v->kind) {
	case COLOR:
		if (v->number == MPI_UNDEFINED)
			emit_text(s, "undefined");
		else
			emit_number(s, v->number);
		break;
	case TYPE:
		emit_type(s, v->number);
		break;
	case INTS:
	case FLAGS:
		emit_list(s, v);
		break;
	case TEXT:
		emit_bytes(s, v->list, (size_t)v->number);
		break;
	case UNKNOWN:
		emit(s, "?", 1);
		break;
	default:
		emit_number(s, v->number);
	}
}

static __attribute__((noinline)) struct sink with_value(struct sink s, const struct value *v)
{
	emit_value(&s, v);
	return s;
}

/* A world rank; - for a process of another world. */
INLINE void emit_leader(struct sink *s, const char *name, int leader)
{
	if (leader >= 0) {
		emit_field(s, name, leader);
		return;
	}
	emit(s, "\t", 1);
	emit_text(s, name);
	emit_text(s, "=-");
}

INLINE void emit_comm(struct sink *s, const struct known *k)
{
	if (k->size < 0)
		return;
	emit_field(s, "size", k->size);
	emit_field(s, "rank", k->rank);
	emit_leader(s, "leader", k->leader);
	if (k->remote >= 0) {
		emit_field(s, "remote", k->remote);
		emit_leader(s, "remoteleader", k->remote_leader);
	}
}

INLINE void emit_result(struct sink *s, const struct call *c)
{
	switch (c->result) {
	case COMM:
		emit_field(s, "new", c->made.id);
		if (!c->same)
			emit_comm(s, &c->made);
		break;
	case NO_COMM:
		emit_text(s, "\tnull");
		break;
	case GROUP:
		emit_field(s, "newgroup", c->made.id);
		emit_field(s, "size", c->made.size);
		if (c->again > 0)
			emit_field(s, "again", c->again);
		break;
	case SESSION:
		emit_field(s, "newsession", c->made.id);
		break;
	case ERROR:
		emit_text(s, "\terror=");
		*s = with_class(*s, c->made.id);
		break;
	default:
		break;
	}
}

/* Begins a line about a call: what it is, and which call. */
INLINE struct sink line_of(const char *what, unsigned seq)
{
	struct sink s = line();
	emit_text(&s, what);
	emit(&s, "\t", 1);
	emit_unsigned(&s, seq);
	return s;
}

/* The call is made. 1: there was room for the line. */
static int tell_call(struct call *c)
{
	struct sink s = line_of("call", c->seq);
	int thread = thread_number();
	emit(&s, "\t", 1);
	emit_number(&s, c->site);
	emit(&s, "\t", 1);
	emit_text(&s, c->name);
	emit(&s, "\t", 1);
	if (c->on.used)
		emit_number(&s, c->on.id);
	else
		emit(&s, "-", 1);
	for (int i = 0; i < c->count; i++)
		s = with_value(s, &c->values[i]);
	if (thread > 0)
		emit_field(&s, "thread", thread);
	emit_text(&s, "\t=>\t");
	emit_unsigned(&s, since_start(c->began = now()));
	return has_room_for_calls() && end_line(&s);
}

/* The call has returned. */
static void tell_done(const struct call *c)
{
	struct sink s = line_of("done", c->seq);
	emit_result(&s, c);
	emit(&s, "\t", 1);
	emit_unsigned(&s, c->ended - c->began);
	end_line(&s);
}

/* Before the call that found it a communicator or a group was made by no recorded call. */
static void tell_found_comm(unsigned seq, const struct known *k)
{
	struct sink s = line_of("found", seq);
	emit_text(&s, "\tcomm\t");
	emit_number(&s, k->id);
	emit_comm(&s, k);
	end_line(&s);
}

static void tell_found_group(unsigned seq, int id, const struct value *world)
{
	struct sink s = line_of("found", seq);
	emit_text(&s, "\tgroup\t");
	emit_number(&s, id);
	s = with_value(s, world);
	end_line(&s);
}

/* This call and all later ones are only counted. */
static void tell_truncated(unsigned seq)
{
	if (run.truncated)
		return;
	run.truncated = 1;
	struct sink s = line_of("truncated", seq);
	end_line(&s);
}

static void tell_tally(int site, const struct tally *t)
{
	struct sink s = line();
	emit_text(&s, "count\t");
	emit_number(&s, site);
	emit(&s, "\t", 1);
	emit_text(&s, site < 0 ? "-" : t->name);
	emit_field(&s, "calls", (long)t->calls);
	emit_field(&s, "made", (long)t->made);
	emit_field(&s, "freed", (long)(t->made - t->alive));
	emit_field(&s, "alive", (long)t->alive);
	emit_field(&s, "peak", (long)t->peak);
	emit_field(&s, "ns", (long)t->ns);
	end_line(&s);
	if (t->made == 0)
		return;
	s = line();
	emit_text(&s, "grow\t");
	emit_number(&s, site);
	int last = t->points > 0 && t->grow[t->points - 1].ns == t->latest.ns &&
	           t->grow[t->points - 1].alive == t->latest.alive;
	for (int i = 0; i < t->points + !last; i++) {
		const struct point *p = i < t->points ? &t->grow[i] : &t->latest;
		emit(&s, i == 0 ? "\t" : ",", 1);
		emit_unsigned(&s, since_start(p->ns));
		emit(&s, ":", 1);
		emit_unsigned(&s, p->alive);
	}
	end_line(&s);
}

/* Everything that was counted until now. */
static void tell_counts(void)
{
	for (int i = 0; i < site_count; i++)
		tell_tally(i, &tallies[i]);
	if (other.calls > 0)
		tell_tally(-1, &other);
	struct sink s = line();
	emit_text(&s, "alive\t");
	emit_number(&s, run.alive);
	emit_text(&s, "\tpeak\t");
	emit_number(&s, run.peak);
	end_line(&s);
}

/* A line of a word and a number. */
static void tell_number(const char *what, uint64_t n)
{
	struct sink s = line();
	emit_text(&s, what);
	emit(&s, "\t", 1);
	emit_unsigned(&s, n);
	end_line(&s);
}

/* Once, until something else is told: handlers of some programs get signals all the time. */
static void tell_caught(void)
{
	static size_t told;
	static int which;
	owed = 0;
	if (journal.whole == told && which == caught)
		return;
	which = caught;
	tell_number("caught", (uint64_t)which);
	told = journal.whole;
}

/* The program's own handler gets a signal, at an address of the program if it is a fault. */
static void note_caught(int signal, uintptr_t address)
{
	caught = signal;
	caught_at = address;
	owed = 1;
	if (!has_lock) {
		lock();
		unlock();
	}
}

/* Tells that a communicator carried messages, once; with the lock. */
static void tell_carried(struct known *k)
{
	if (k == NULL || k->carried || !has_room_for_calls())
		return;
	k->carried = 1;
	tell_number("used", (uint64_t)k->id);
}

/* The last lines, with the lock; why the process ended: finalize, exit, abort, or signal and a number. */
static void tell_end(const char *why, int signal, const struct path *fault)
{
	if (owed)
		tell_caught();
	if (run.ahead > 0)
		tell_number("start", run.ahead);
	tell_counts();
	if (run.end > 0)
		tell_number("clock", since_start(run.end));
	if (fault != NULL)
		tell_fault(fault);
	struct sink s = line();
	emit_text(&s, "end\t");
	emit_text(&s, why);
	if (signal > 0) {
		emit(&s, " ", 1);
		emit_number(&s, signal);
	}
	end_line(&s);
}
