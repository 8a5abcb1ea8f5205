/* ---- What this process says at the end ---- */

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

static void emit_class(struct sink *s, int class)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (classes[i].class == class) {
			emit_text(s, classes[i].name);
			return;
		}
	emit_number(s, class);
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

static void emit_list(struct sink *s, const int *list)
{
	if (list[0] == 0)
		emit_text(s, "[]");
	for (int i = 0; i < list[0]; i++) {
		int count = list[3 * i + 1], first = list[3 * i + 2], stride = list[3 * i + 3];
		if (i > 0)
			emit(s, ",", 1);
		emit_number(s, first);
		if (count > 1 && stride == 0) {
			emit(s, "*", 1);
			emit_number(s, count);
		} else if (count > 1) {
			emit(s, "..", 2);
			emit_number(s, first + (long)stride * (count - 1));
			if (stride != 1) {
				emit(s, ":", 1);
				emit_number(s, stride);
			}
		}
	}
}

static void emit_value(struct sink *s, const struct value *v)
{
	const char *kept = run.lists.bytes + (size_t)v->number * 8;
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
	case LIST:
		emit_list(s, (const int *)(const void *)kept);
		break;
	case TEXT:
		emit_clean(s, kept);
		break;
	case UNKNOWN:
		emit(s, "?", 1);
		break;
	default:
		emit_number(s, v->number);
	}
}

/* A world rank; - for a process of another world. */
static void emit_leader(struct sink *s, const char *name, int leader)
{
	if (leader >= 0) {
		emit_field(s, name, leader);
		return;
	}
	emit(s, "\t", 1);
	emit_text(s, name);
	emit_text(s, "=-");
}

static void emit_comm(struct sink *s, const struct known *k)
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

static void emit_result(struct sink *s, const struct record *r)
{
	switch (r->result) {
	case COMM:
		emit_field(s, "new", r->made.id);
		emit_comm(s, &r->made);
		break;
	case NO_COMM:
		emit_text(s, "\tnull");
		break;
	case GROUP:
		emit_field(s, "newgroup", r->made.id);
		emit_field(s, "size", r->made.size);
		break;
	case SESSION:
		emit_field(s, "newsession", r->made.id);
		break;
	case ERROR:
		emit_text(s, "\terror=");
		emit_class(s, r->made.id);
		break;
	case PENDING:
		emit_text(s, "\tpending");
		break;
	default:
		break;
	}
}

/* How a line about a call begins: what it is, and which call. */
static void emit_head(struct sink *s, const char *what, const struct record *r)
{
	emit_text(s, what);
	emit(s, "\t", 1);
	emit_unsigned(s, r->seq);
	emit(s, "\t", 1);
}

static void emit_found(struct sink *s, const struct record *r)
{
	emit_head(s, "found", r);
	emit_text(s, r->result == FOUND_COMM ? "comm\t" : "group\t");
	emit_number(s, r->made.id);
	if (r->result == FOUND_COMM)
		emit_comm(s, &r->made);
	else
		emit_value(s, &r->values[0]);
	emit(s, "\n", 1);
}

static void emit_call(struct sink *s, const struct record *r)
{
	emit_head(s, "call", r);
	emit_number(s, r->site);
	emit(s, "\t", 1);
	emit_text(s, r->name);
	emit(s, "\t", 1);
	if (r->on == NO_PARENT)
		emit(s, "-", 1);
	else
		emit_number(s, r->on);
	for (int i = 0; i < r->count; i++)
		emit_value(s, &r->values[i]);
	if (r->thread > 0)
		emit_field(s, "thread", r->thread);
	emit_text(s, "\t=>");
	emit_result(s, r);
	emit(s, "\t", 1);
	emit_unsigned(s, since_start(r->begin));
	emit(s, "\t", 1);
	if (r->result == PENDING)
		emit(s, "-", 1);
	else
		emit_unsigned(s, r->duration);
	emit(s, "\n", 1);
}

static void emit_tally(struct sink *s, int site, const struct tally *t)
{
	emit_text(s, "count\t");
	emit_number(s, site);
	emit(s, "\t", 1);
	emit_text(s, site < 0 ? "-" : t->name);
	emit_field(s, "calls", (long)t->calls);
	emit_field(s, "made", (long)t->made);
	emit_field(s, "freed", (long)(t->made - t->alive));
	emit_field(s, "alive", (long)t->alive);
	emit_field(s, "peak", (long)t->peak);
	emit_field(s, "ns", (long)t->ns);
	emit(s, "\n", 1);
	if (t->made == 0)
		return;
	emit_text(s, "grow\t");
	emit_number(s, site);
	int last = t->points > 0 && t->grow[t->points - 1].ns == t->latest.ns &&
	           t->grow[t->points - 1].alive == t->latest.alive;
	for (int i = 0; i < t->points + !last; i++) {
		const struct point *p = i < t->points ? &t->grow[i] : &t->latest;
		emit(s, i == 0 ? "\t" : ",", 1);
		emit_unsigned(s, since_start(p->ns));
		emit(s, ":", 1);
		emit_unsigned(s, p->alive);
	}
	emit(s, "\n", 1);
}

/* The function that nothing of the program calls; where it has no name, the C library follows. */
static int is_outermost(const char *name)
{
	const char *function = strchr(name, '\t');
	return function != NULL && strncmp(function, "\tmain+", 6) == 0;
}

static void emit_site(struct sink *s, int site)
{
	int frames[FRAMES], count = 0;
	for (int node = tallies[site].node; node >= 0; node = nodes[node].parent)
		frames[count++] = node;
	emit_text(s, "site\t");
	emit_number(s, site);
	for (int first = 1; count > 0; first = 0) {
		const char *name = node_name(frames[--count]);
		if (!first && strncmp(name, "libc.so.", 8) == 0)
			break;
		emit(s, "\t", 1);
		emit_text(s, name);
		if (is_outermost(name))
			break;
	}
	emit(s, "\n", 1);
}

/* Everything that this process recorded; why it ended: finalize, exit, abort, or signal and a number. */
static void emit_calls(struct sink *s, const char *why, int signal)
{
	emit_text(s, "commsplit calls\t1\t");
	emit_text(s, run.id);
	emit(s, "\t", 1);
	emit_number(s, run.rank);
	emit(s, "\n", 1);
	for (int i = 0; i < site_count; i++)
		emit_site(s, i);
	for (size_t at = 0; at < run.records.size;) {
		const struct record *r = (const void *)(run.records.bytes + at);
		if (r->size == 0) /* the signal came while it was written */
			break;
		if (r->result == FOUND_COMM || r->result == FOUND_GROUP)
			emit_found(s, r);
		else
			emit_call(s, r);
		at += (r->size + 7u) & ~7u;
	}
	if (run.truncated) {
		emit_text(s, "truncated\t");
		emit_unsigned(s, run.truncated_at);
		emit(s, "\n", 1);
	}
	for (int i = 0; i < site_count; i++)
		emit_tally(s, i, &tallies[i]);
	if (other.calls > 0)
		emit_tally(s, -1, &other);
	emit_text(s, "alive\t");
	emit_number(s, run.alive);
	emit_text(s, "\tpeak\t");
	emit_number(s, run.peak);
	emit(s, "\n", 1);
	if (run.end > 0) {
		emit_text(s, "clock\t");
		emit_unsigned(s, since_start(run.end));
		emit(s, "\n", 1);
	}
	emit_text(s, "end\t");
	emit_text(s, why);
	if (signal > 0) {
		emit(s, " ", 1);
		emit_number(s, signal);
	}
	emit(s, "\n", 1);
}

