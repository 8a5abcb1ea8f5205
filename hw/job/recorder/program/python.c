/* ---- Lines of Python ---- */

/*
 * Where an interpreter of Python 3.9 or later runs in the process, it tells the functions and lines that led to a call:
 * its own frames on the stack are the same for all of them. A place is then the address of the call with these lines.
 */
enum { MAX_LINES = 4096, OF_PYTHON = -3 }; /* OF_PYTHON: the parent of the addresses that lines follow */

static struct {
	int (*is_initialized)(void);
	void *(*thread)(void);
	int (*ensure)(void);
	void (*release)(int);
	void *(*frame)(void);
	void *(*back)(void *);
	void *(*code)(void *);
	int (*line)(void *);
	void *(*attribute)(void *, const char *);
	const char *(*text)(void *);
	void (*drop)(void *);
	void (*clear)(void);
	uintptr_t module; /* where the interpreter is loaded */
} python;

static struct {
	void *code; /* kept, so that no other gets its address */
	int line;
} lines[MAX_LINES];
static int line_count;
static _Atomic int python_asked; /* 1: there is an interpreter, 2: there is none */

static int find_function(void *to, const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	memcpy(to, &found, sizeof found);
	return found != NULL;
}

static int find_python(void)
{
	Dl_info where;
	int all = find_function(&python.is_initialized, "Py_IsInitialized") && find_function(&python.ensure, "PyGILState_Ensure") &&
	          find_function(&python.thread, "PyGILState_GetThisThreadState") &&
	          find_function(&python.release, "PyGILState_Release") && find_function(&python.frame, "PyEval_GetFrame") &&
	          find_function(&python.back, "PyFrame_GetBack") && find_function(&python.code, "PyFrame_GetCode") &&
	          find_function(&python.line, "PyFrame_GetLineNumber") &&
	          find_function(&python.attribute, "PyObject_GetAttrString") && find_function(&python.text, "PyUnicode_AsUTF8") &&
	          find_function(&python.drop, "Py_DecRef") && find_function(&python.clear, "PyErr_Clear");
	void *function = NULL;
	memcpy(&function, &python.ensure, sizeof function);
	if (all && dladdr(function, &where) != 0)
		python.module = (uintptr_t)where.dli_fbase;
	return all;
}

/* Adds a text that is an attribute of a code object. */
static void emit_attribute(struct sink *s, void *code, const char *name)
{
	void *value = python.attribute(code, name);
	const char *text = value == NULL ? NULL : python.text(value);
	emit(s, "\t", 1);
	emit_clean(s, text == NULL ? "?" : text);
	if (value != NULL)
		python.drop(value);
	python.clear();
}

/* The number of a line, which is told when it is new; -1 where there are too many. Takes over the code object. */
static int number_of_line(void *code, int number)
{
	static int by_hash[2 * MAX_LINES]; /* a number plus 1 */
	size_t i = (size_t)(((uint64_t)(uintptr_t)code * 31 + (unsigned)number) * 0x9e3779b97f4a7c15u >> 51) & (2 * MAX_LINES - 1);
	for (; by_hash[i] != 0; i = (i + 1) & (2 * MAX_LINES - 1))
		if (lines[by_hash[i] - 1].code == code && lines[by_hash[i] - 1].line == number) {
			python.drop(code);
			return by_hash[i] - 1;
		}
	if (line_count == MAX_LINES) {
		python.drop(code);
		return -1;
	}
	char told[PATH_MAX];
	struct sink text = {.to = told, .room = sizeof told};
	emit_attribute(&text, code, "co_qualname");
	if (memcmp(told, "\t?", 2) == 0) { /* before Python 3.11 */
		text.size = 0;
		emit_attribute(&text, code, "co_name");
	}
	emit_attribute(&text, code, "co_filename");
	lock();
	struct sink s = line();
	emit_text(&s, "line\t");
	emit_number(&s, line_count);
	emit(&s, told, text.size);
	emit(&s, "\t", 1);
	emit_number(&s, number);
	end_line(&s);
	lines[line_count].code = code;
	lines[line_count].line = number;
	by_hash[i] = ++line_count;
	unlock();
	return line_count - 1;
}

/* Finds the lines that led to a call, nearest first, as numbers. 0: Python did not make it. */
static int python_lines(int *found, int most)
{
	int count = 0;
	if (python_asked == 0)
		python_asked = find_python() ? 1 : 2;
	/* A thread that is not the interpreter's must not wait for one that is: that one may wait for it. */
	if (python_asked == 2 || !python.is_initialized() || python.thread() == NULL)
		return 0;
	int state = python.ensure();
	void *frame = python.frame(), *kept = NULL; /* the first frame is borrowed */
	while (frame != NULL && count < most) {
		int number = number_of_line(python.code(frame), python.line(frame));
		if (number < 0)
			break;
		found[count++] = number;
		frame = python.back(frame);
		if (kept != NULL)
			python.drop(kept);
		kept = frame;
	}
	if (kept != NULL)
		python.drop(kept);
	python.release(state);
	return count;
}

/* An address that stands for a line: no code is there. */
static uintptr_t address_of_line(int number) { return (uintptr_t)number + 1; }

/* Tells a new site: the frames from the call to the interpreter, and the lines. Call it without the lock. */
static int new_python_site(const char *name, uintptr_t address, const int *found, int count)
{
	struct path p;
	int native = 0, at = OF_PYTHON;
	Dl_info where;
	unwind(&p, address);
	while (native < p.count && native + count < FRAMES &&
	       (dladdr((void *)p.addresses[native], &where) == 0 || (uintptr_t)where.dli_fbase != python.module))
		native++;
	lock();
	for (int i = 0; i <= count; i++) {
		uintptr_t next = i == 0 ? address : address_of_line(found[i - 1]);
		int node = find_node(at, next);
		if (node < 0)
			node = add_node(at, next, 0, -1);
		if (node < 0)
			break;
		at = node;
	}
	int site = at < 0 ? -1 : nodes[at].site;
	if (at >= 0 && site < 0 && site_count < MAX_SITES) {
		tallies[site_count].name = name;
		tallies[site_count].node = at;
		struct sink s = line();
		emit_text(&s, "stack\t");
		emit_number(&s, site_count);
		for (int i = 0; i < native; i++)
			emit_place(&s, p.modules[i], p.addresses[i]);
		for (int i = 0; i < count; i++) {
			emit_text(&s, "\tl");
			emit_number(&s, found[i]);
		}
		end_line(&s);
		site = nodes[at].site = site_count++;
	}
	unlock();
	return site;
}

/* The site of a call that Python made, known or new, -1 beyond those that are kept; -2 for another call. */
static int python_site(const char *name, uintptr_t address)
{
	int found[FRAMES - 1], at;
	if (python_asked == 2)
		return -2;
	inside = 1;
	int count = python_lines(found, FRAMES - 1);
	if (count == 0) {
		inside = 0;
		return -2;
	}
	lock();
	at = find_node(OF_PYTHON, address);
	for (int i = 0; at >= 0 && i < count; i++)
		at = find_node(at, address_of_line(found[i]));
	int site = at < 0 ? -1 : nodes[at].site;
	int room = site_count < MAX_SITES && node_count <= MAX_NODES - FRAMES;
	unlock();
	if (site < 0 && room)
		site = new_python_site(name, address, found, count);
	inside = 0;
	return site;
}

