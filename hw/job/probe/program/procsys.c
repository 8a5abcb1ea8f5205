/* ---- Hardware from /proc and /sys ---- */

/* Which part of a line decides whether it is copied. The name is what stands before the first colon. */
enum part { ALL, NAME, LAST_WORD, FIRST_WORD, PROCESSOR };

struct row {
	const char *pattern;
	int essential;            /* that it cannot be read is an error */
	enum part part;
	const char *const *words; /* the lines that are copied have one of these */
	const char *link;         /* where not NULL, a link to this folder's entry of the same name is made instead */
};

/* TABLE */

/* The pieces of a line; none has a blank around it. */
struct piece {
	const char *at;
	size_t size;
};

static struct piece trimmed(const char *at, size_t size)
{
	while (size > 0 && strchr(" \t\r\n", *at) != NULL)
		at++, size--;
	while (size > 0 && strchr(" \t\r\n", at[size - 1]) != NULL)
		size--;
	return (struct piece){at, size};
}

/* Adds what is copied of a line. */
static void put_line(struct text *t, const char *line, size_t size, enum part part, const char *const *words)
{
	struct piece whole = trimmed(line, size);
	const char *colon = memchr(line, ':', size);
	struct piece name = trimmed(line, colon == NULL ? size : (size_t)(colon - line));
	if (part == PROCESSOR && whole.size == 0) {
		add(t, line, size);
		return;
	}
	if (part == PROCESSOR && name.size > 10 && memcmp(name.at, "processor ", 10) == 0) {
		/* of s390: what follows the comma identifies the processor */
		const char *comma = memchr(whole.at, ',', whole.size);
		add(t, whole.at, comma == NULL ? whole.size : (size_t)(comma - whole.at));
		add(t, "\n", 1);
		return;
	}
	if (part == FIRST_WORD) {
		const char *blank = memchr(whole.at, ' ', whole.size);
		name = (struct piece){whole.at, blank == NULL ? whole.size : (size_t)(blank - whole.at)};
	}
	if (part == LAST_WORD)
		for (size_t i = name.size; i > 0; i--)
			if (name.at[i - 1] == ' ' || name.at[i - 1] == '\t') {
				name = (struct piece){name.at + i, name.size - i};
				break;
			}
	for (; *words != NULL; words++)
		if (strlen(*words) == name.size && memcmp(*words, name.at, name.size) == 0) {
			add(t, line, size);
			return;
		}
}

/* Adds what is copied of a file. 0: done, otherwise see errno. */
static int read_file(struct text *t, const char *path, enum part part, const char *const *words)
{
	struct text all = {NULL, 0, 0};
	char buffer[16384];
	size_t n;
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return -1;
	errno = 0;
	while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
		add(&all, buffer, n);
	int why = ferror(file) ? errno : 0;
	fclose(file);
	if (part == ALL)
		add(t, all.bytes, all.size);
	else
		for (size_t at = 0; at < all.size; at += n) {
			const char *end = memchr(all.bytes + at, '\n', all.size - at);
			n = end == NULL ? all.size - at : (size_t)(end - all.bytes) - at + 1;
			put_line(t, all.bytes + at, n, part, words);
		}
	clear(&all);
	errno = why;
	return why == 0 ? 0 : -1;
}

/* Adds a file of /proc or /sys under a name. 0: done, otherwise see errno. */
static int copy_file(struct text *t, const char *path, const char *name, enum part part, const char *const *words)
{
	struct text content = {NULL, 0, 0};
	int failed = read_file(&content, path, part, words);
	if (failed == 0)
		put_file(t, PLAIN, name, content.bytes, content.size);
	int why = errno;
	clear(&content);
	errno = why;
	return failed;
}

static void find(glob_t *found, const char *pattern)
{
	memset(found, 0, sizeof *found);
	if (glob(pattern, 0, NULL, found) == GLOB_NOSPACE) {
		fprintf(stderr, ME ": out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static const char *base(const char *path) { return strrchr(path, '/') + 1; }

/* Adds the files of a row of the table. What is wrong is added to errors. */
static void copy_row(struct text *t, struct text *errors, const struct row *row)
{
	char pattern[PATH_MAX];
	glob_t found;
	snprintf(pattern, sizeof pattern, ROOT "/%s", row->pattern);
	find(&found, pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i], *name = path + sizeof ROOT - 1;
		if (row->link != NULL) {
			struct text target = {NULL, 0, 0};
			put(&target, "%s%s", row->link, base(path));
			put_file(t, LINK, name, target.bytes, target.size);
			clear(&target);
		} else if (copy_file(t, path, name, row->part, row->words) != 0 && row->essential) {
			put(errors, "e%s: %s\n", name, strerror(errno));
		}
	}
	globfree(&found);
}

/* Adds which NUMA nodes are the memory of GPUs, without the GPUs' addresses. */
static void copy_gpus(struct text *t)
{
	static const char *const words[] = {"Node", NULL};
	glob_t found;
	find(&found, ROOT "/proc/driver/nvidia/gpus/*/numa_status");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char name[PATH_MAX];
		snprintf(name, sizeof name, "/proc/driver/nvidia/gpus/gpu%zu/numa_status", i);
		copy_file(t, found.gl_pathv[i], name, NAME, words);
	}
	globfree(&found);
}

/*
 * Adds which NUMA nodes are memory of a device, and whether it is on a bus of non-volatile modules: that much
 * of a device's path, and no more, tells the kind of memory.
 */
static void copy_dax(struct text *t)
{
	glob_t found;
	int n = 0;
	find(&found, ROOT "/sys/bus/dax/drivers/kmem/*");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char path[PATH_MAX], target[PATH_MAX], name[PATH_MAX];
		snprintf(path, sizeof path, ROOT "/sys/bus/dax/devices/%.255s", base(found.gl_pathv[i]));
		ssize_t size = readlink(path, target, sizeof target - 1);
		if (size < 0)
			continue; /* a setting of the driver */
		target[size] = '\0';
		const char *parent = strstr(target, "ndbus") != NULL ? "ndbus0" : "platform";
		snprintf(name, sizeof name, "/sys/devices/%s/dax%d.0/target_node", parent, n);
		snprintf(path, sizeof path, ROOT "/sys/bus/dax/devices/%.255s/target_node", base(found.gl_pathv[i]));
		if (copy_file(t, path, name, ALL, NULL) != 0)
			continue;
		size = snprintf(target, sizeof target, "../../../devices/%s/dax%d.0", parent, n);
		snprintf(name, sizeof name, "/sys/bus/dax/devices/dax%d.0", n);
		put_file(t, LINK, name, target, (size_t)size);
		size = snprintf(target, sizeof target, "../../../../devices/%s/dax%d.0", parent, n);
		snprintf(name, sizeof name, "/sys/bus/dax/drivers/kmem/dax%d.0", n);
		put_file(t, LINK, name, target, (size_t)size);
		n++;
	}
	globfree(&found);
}

/* Whether a part of a device's path is kept: a bus of the host, pci0000:00, or a PCI address, 0000:00:02.0. */
static int on_bus(const char *part)
{
	const char *at = strncmp(part, "pci", 3) == 0 ? part + 3 : part, *digits = "0123456789abcdefABCDEF";
	size_t domain = strspn(at, digits);
	if (domain < 4 || domain > 8 || at[domain] != ':' || strspn(at + domain + 1, digits) != 2)
		return 0;
	at += domain + 3;
	return *at == '\0' || (*at == ':' && strspn(at + 1, digits) == 2 && at[3] == '.' && at[4] >= '0' && at[4] <= '7' && at[5] == '\0');
}

/* Adds the parts of a path that are kept. */
static void put_bus_path(struct text *t, char *path)
{
	for (char *rest = path, *part; (part = strsep(&rest, "/")) != NULL;)
		if (on_bus(part))
			put(t, "%s%s", t->size > 0 ? "/" : "", part);
}

/* Reads a link. 0: done. */
static int read_link(const char *path, char target[PATH_MAX])
{
	ssize_t size = readlink(path, target, PATH_MAX - 1);
	target[size < 0 ? 0 : size] = '\0';
	return size < 0 ? -1 : 0;
}

/* Adds the PCI devices, below paths of PCI addresses alone: other parts can be UUIDs. */
static void copy_pci(struct text *t)
{
	static const char *const files[] = {"class", "vendor", "device", "subsystem_vendor", "subsystem_device", "revision",
	                                    "numa_node", "local_cpus"};
	glob_t found;
	find(&found, ROOT "/sys/bus/pci/devices/*");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i], *name = base(path);
		char target[PATH_MAX], from[2 * PATH_MAX], to[2 * PATH_MAX];
		struct text own = {NULL, 0, 0};
		if (strncmp(name, "pci", 3) == 0 || !on_bus(name))
			continue;
		if (read_link(path, target) == 0)
			put_bus_path(&own, target);
		else
			put(&own, "pci%.*s/%s", (int)(strrchr(name, ':') - name), name, name);
		put(&own, "%s", "");
		snprintf(to, sizeof to, "../../../devices/%s", own.bytes);
		put_file(t, LINK, path + sizeof ROOT - 1, to, strlen(to));
		for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
			snprintf(from, sizeof from, "%s/%s", path, files[f]);
			snprintf(to, sizeof to, "/sys/devices/%s/%s", own.bytes, files[f]);
			copy_file(t, from, to, ALL, NULL);
		}
		clear(&own);
	}
	globfree(&found);
}

/*
 * Finds where a device of a class is. 0: done; otherwise it is a partition, a connector of a card, or made up by
 * the kernel. A disk that is reached in several ways, nvme0n1, is where its controller nvme0 is.
 */
static int find_device(const char *class, const char *path, char target[PATH_MAX])
{
	const char *name = base(path);
	char other[2 * PATH_MAX];
	snprintf(other, sizeof other, "%s/partition", path);
	if (read_link(path, target) != 0 || access(other, F_OK) == 0 ||
	    (strcmp(class, "drm") == 0 && (strncmp(name, "card", 4) != 0 || strchr(name, '-') != NULL)))
		return -1;
	const char *controller = strncmp(name, "nvme", 4) == 0 ? name + 4 : name, *rest = strchr(controller, 'n');
	if (rest != NULL && strstr(target, "/virtual/") != NULL) {
		snprintf(other, sizeof other, ROOT "/sys/class/nvme/nvme%.*s", (int)(rest - controller), controller);
		if (read_link(other, target) != 0)
			return -1;
	}
	return strstr(target, "/virtual/") == NULL ? 0 : -1;
}

/* Adds what has a name that programs know. In a name a network address is replaced by a number. */
static void copy_named(struct text *t)
{
	static const char *const classes[] = {"block", "drm", "infiniband", "net"};
	static const char *const files[] = {"device/model", "device/numa_node"};
	int renamed = 0;
	for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
		char target[PATH_MAX], from[2 * PATH_MAX], to[2 * PATH_MAX];
		glob_t found;
		snprintf(from, sizeof from, ROOT "/sys/class/%s/*", classes[c]);
		find(&found, from);
		for (size_t i = 0; i < found.gl_pathc; i++) {
			struct text name = {NULL, 0, 0}, own = {NULL, 0, 0};
			const char *path = found.gl_pathv[i];
			if (find_device(classes[c], path, target) != 0)
				continue;
			put_name(&name, base(path));
			if (name.size != strlen(base(path)))
				put(&name, "%d", renamed++);
			put_bus_path(&own, target);
			put(&own, "%s/%s/%s", own.size > 0 ? "" : "platform", classes[c], name.bytes);
			snprintf(from, sizeof from, "/sys/class/%s/%s", classes[c], name.bytes);
			snprintf(to, sizeof to, "../../devices/%s", own.bytes);
			put_file(t, LINK, from, to, strlen(to));
			for (size_t f = strcmp(classes[c], "block") == 0 ? 0 : 1; f < 2; f++) {
				snprintf(from, sizeof from, "%s/%s", path, files[f]);
				snprintf(to, sizeof to, "/sys/devices/%s/%s", own.bytes, files[f]);
				copy_file(t, from, to, ALL, NULL);
			}
			clear(&name);
			clear(&own);
		}
		globfree(&found);
	}
}

/* Adds a short file of one line. */
static void put_short(struct text *t, const char *name, const char *line)
{
	put_file(t, PLAIN, name, line, strlen(line));
}

/* Adds what the job may use, as the limits of a root cgroup: the names of real ones tell too much. */
static void copy_limits(struct text *t)
{
	static const char *const words[] = {"Mems_allowed_list", NULL};
	struct text cpus = {NULL, 0, 0}, memory = {NULL, 0, 0};
	if (allowed_cpus(&cpus) == 0) {
		put(&cpus, "\n");
		put_short(t, "/proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
		put_short(t, "/proc/self/cgroup", "0::/\n");
		put_short(t, "/sys/fs/cgroup/cgroup.controllers", "cpuset\n");
		put_short(t, "/sys/fs/cgroup/cpuset.cpus.effective", cpus.bytes);
		if (read_file(&memory, "/proc/self/status", NAME, words) == 0 && memory.size > 0)
			put_short(t, "/sys/fs/cgroup/cpuset.mems.effective", strchr(memory.bytes, ':') + 1);
	}
	clear(&cpus);
	clear(&memory);
}

/* Adds the files that tell of this machine. What is wrong is added to errors. */
static void ask_sysfs(struct text *t, struct text *errors)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		copy_row(t, errors, &rows[i]);
	if (t->size == 0 || strstr(t->bytes, "/sys/devices/system/cpu/cpu") == NULL)
		put(errors, "e/sys/devices/system/cpu tells of no CPUs\n");
	copy_gpus(t);
	copy_dax(t);
	copy_pci(t);
	copy_named(t);
	copy_limits(t);
}

