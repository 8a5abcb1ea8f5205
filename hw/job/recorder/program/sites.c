/* ---- Places in the program ---- */

/*
 * A site is the return address of a call and those of its callers, nearest first. Sites are the leaves of a tree of
 * addresses. Unwinding the stack takes microseconds, so it is done once for each path: how far the frame of a caller
 * is from that of its callee does not change (but where a function takes room on the stack as it runs; then the
 * address found is not one of the tree, and the stack is unwound again).
 */
enum { MAX_SITES = 4096, MAX_NODES = FRAMES * MAX_SITES, NODE_HEADS = 8192, POINTS = 63 };

struct node {
	uintptr_t address;
	int parent, next;  /* next: of those with the same hash, -1: none */
	int latest;        /* the caller found last: most functions are called from one place. 0: none */
	int site;          /* of a leaf, otherwise -1 */
	intptr_t distance; /* to the frame of the caller, 0: not known */
	int module;
};

/* What is known of a site, for as long as the program runs. */
struct tally {
	const char *name;
	int node;
	unsigned long calls, made, alive, peak;
	uint64_t ns;
	unsigned long step, next; /* each step-th communicator is a point; next is the number of the next such one, from 0 */
	int points;
	struct point {
		uint64_t ns;
		unsigned long alive;
	} grow[POINTS], latest;
};

static struct node nodes[MAX_NODES];
static int node_heads[NODE_HEADS]; /* an index plus 1 */
static int node_count, site_count;
static struct tally tallies[MAX_SITES], other; /* other: site -1 */

static struct tally *tally_of(int site) { return site < 0 ? &other : &tallies[site]; }

static int *head_of(int parent, uintptr_t address)
{
	uint64_t h = ((uint64_t)address ^ ((uint64_t)(unsigned)parent << 40)) * 0x9e3779b97f4a7c15u;
	return &node_heads[h >> 51];
}

/* Finds the node of an address below another, or -1. */
static int find_node(int parent, uintptr_t address)
{
	int i = *head_of(parent, address) - 1;
	while (i >= 0 && (nodes[i].address != address || nodes[i].parent != parent))
		i = nodes[i].next;
	return i;
}

static int add_node(int parent, uintptr_t address, intptr_t distance, int module)
{
	if (node_count == MAX_NODES)
		return -1;
	int *head = head_of(parent, address);
	nodes[node_count] = (struct node){address, parent, *head - 1, 0, -1, distance, module};
	*head = ++node_count;
	return node_count - 1;
}

/* Where this thread's stack is, so that no other memory is read. */
static _Thread_local uintptr_t stack_low __attribute__((tls_model("initial-exec")));
static _Thread_local uintptr_t stack_high __attribute__((tls_model("initial-exec")));

static void find_stack(void)
{
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
		stack_low = (uintptr_t)low;
		stack_high = stack_low + size;
	}
	pthread_attr_destroy(&attributes);
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *to)
{
	struct path *p = to;
	uintptr_t address = _Unwind_GetIP(context);
	if (address == 0 || p->count > FRAMES)
		return _URC_END_OF_STACK;
	if (p->count == 0 && address != p->first)
		return _URC_NO_REASON;
	p->addresses[p->count] = address;
	p->frames[p->count++] = _Unwind_GetCFA(context);
	return _URC_NO_REASON;
}

/* Tells a site, which ends at a node. */
static void tell_site(int site, int node)
{
	int frames[FRAMES], count = 0;
	for (; node >= 0; node = nodes[node].parent)
		frames[count++] = node;
	struct sink s = line();
	emit_text(&s, "stack\t");
	emit_number(&s, site);
	while (count-- > 0)
		emit_place(&s, nodes[frames[count]].module, nodes[frames[count]].address);
	end_line(&s);
}

/* Tells where the program died: its own address, which is not a return address, and those of its callers. */
static void tell_fault(const struct path *p)
{
	struct sink s = line();
	emit_text(&s, "fault");
	for (int i = 0; i < p->count && i < FRAMES; i++)
		emit_place(&s, p->modules[i], p->addresses[i] + (i == 0));
	end_line(&s);
}

/* Adds a path to the tree and gives its site, -1 where there are too many. */
static int add_path(const struct path *p, const char *name)
{
	int at = -1, count = p->count < FRAMES ? p->count : FRAMES;
	for (int i = 0; i < count; i++) {
		intptr_t distance = i + 1 < p->count ? (intptr_t)(p->frames[i + 1] - p->frames[i]) : 0;
		int node = find_node(at, p->addresses[i]);
		if (distance < 0 || (distance > 0 && *(uintptr_t *)(p->frames[i + 1] - sizeof(uintptr_t)) != p->addresses[i + 1]))
			distance = 0;
		if (node < 0)
			node = add_node(at, p->addresses[i], distance, p->modules[i]);
		else
			nodes[node].distance = distance;
		if (node < 0)
			return -1;
		at = node;
	}
	if (at < 0)
		return -1;
	if (nodes[at].site < 0 && site_count < MAX_SITES) {
		tallies[site_count].name = name;
		tallies[site_count].node = at;
		tell_site(site_count, at);
		nodes[at].site = site_count++;
	}
	return nodes[at].site;
}

#ifdef __x86_64__
/* Finds the node of an address below that of its callee, or -1. */
static int find_caller(int callee, uintptr_t address)
{
	int latest = nodes[callee].latest;
	if (latest == 0 || nodes[latest].address != address) {
		latest = find_node(callee, address);
		nodes[callee].latest = latest < 0 ? 0 : latest;
	}
	return latest;
}
#endif

/* The site of a known path, or -1. frame is what the stack was before the call. */
static int find_site(uintptr_t address, uintptr_t frame)
{
#ifdef __x86_64__
	int at = find_node(-1, address);
	for (int depth = 1; at >= 0; depth++) {
		if (depth == FRAMES || nodes[at].site >= 0)
			return nodes[at].site;
		frame += (uintptr_t)nodes[at].distance;
		if (nodes[at].distance == 0 || frame - sizeof address < stack_low || frame > stack_high)
			return -1;
		at = find_caller(at, *(uintptr_t *)(frame - sizeof address));
	}
#else
	(void)address, (void)frame;
#endif
	return -1;
}

/* Finds the path to an address. */
static void unwind(struct path *p, uintptr_t address)
{
	p->first = address;
	p->count = 0;
	_Unwind_Backtrace(step, p);
	if (p->count == 0) {
		p->addresses[0] = address;
		p->count = 1;
	}
	find_modules(p);
}

/* The site of a call, known or new. Call it without the lock: unwinding takes locks of its own. */
static __attribute__((noinline)) int new_site(const char *name, uintptr_t address)
{
	struct path p;
	if (stack_high == 0)
		find_stack();
	unwind(&p, address);
	lock();
	int site = add_path(&p, name);
	unlock();
	return site;
}

/* Counts a communicator that a site made, at a time. */
static void count_made(struct tally *t, uint64_t ns)
{
	t->made++;
	if (++t->alive > t->peak)
		t->peak = t->alive;
	t->latest = (struct point){ns, t->alive};
	if (t->made <= t->next)
		return;
	if (t->points < POINTS) {
		t->grow[t->points++] = t->latest;
	} else { /* each other point goes, and this one comes too early for those that remain */
		for (int i = 0; i < (POINTS + 1) / 2; i++)
			t->grow[i] = t->grow[2 * i];
		t->points = (POINTS + 1) / 2;
		t->step *= 2;
	}
	t->step += t->step == 0;
	t->next = (unsigned long)t->points * t->step;
}

