/*
 * probe: where the ranks of an MPI job run, and on what hardware, in one file.
 *
 *     mpicc probe.c -o probe -ldl
 *     mpirun ./probe job.tar          with the launcher and the options of the job
 *     commsplit --topo job:job.tar    anywhere, later
 *
 * It needs Linux, C11 and MPI 3.0. The file is a tar archive: job.txt says which rank ran on which host and
 * CPUs; below hosts/ is the hardware, as hwloc 2 or newer describes it or, where that library is not found
 * when the program runs (or with --sysfs), as the files of /proc and /sys that the table below lists. Hosts
 * with the same hardware share one description. Only names of hosts tell whose machines these are: nothing
 * of users, processes, serial numbers, UUIDs and network addresses is written. Nothing is changed, but that
 * one process of each host lifts its own binding for a moment (see allowed_cpus).
 *
 * Ranks that can share memory, by what MPI_COMM_TYPE_SHARED says, are on one host, whatever its names.
 * It writes a complete file or none; all ranks exit with 0 or with 1.
 */
#define _GNU_SOURCE
#ifndef __linux__
#error "the probe asks Linux for CPUs: other systems have no sched_getaffinity"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if MPI_VERSION < 3
#error "the probe needs MPI 3.0 or newer"
#endif

#ifndef ROOT
#define ROOT "" /* another folder with proc and sys, for tests */
#endif

/* ---- Texts that grow ---- */

struct text {
	char *bytes; /* ends with a NUL that is not counted */
	size_t size, room;
};

static void add(struct text *t, const void *bytes, size_t size)
{
	if (t->size + size + 1 > t->room) {
		t->room = 2 * (t->size + size) + 64;
		t->bytes = realloc(t->bytes, t->room);
		if (t->bytes == NULL) {
			fprintf(stderr, "probe: out of memory\n");
			MPI_Abort(MPI_COMM_WORLD, 1);
			abort();
		}
	}
	if (size > 0)
		memcpy(t->bytes + t->size, bytes, size);
	t->size += size;
	t->bytes[t->size] = '\0';
}

static void put(struct text *t, const char *format, ...)
{
	char line[2 * PATH_MAX];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	add(t, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void clear(struct text *t)
{
	free(t->bytes);
	*t = (struct text){NULL, 0, 0};
}

/* ---- CPUs ---- */

/* Asks for the CPUs that this process may use. Whoever calls frees the set. NULL: see errno. */
static cpu_set_t *binding(int *cpus)
{
	for (*cpus = 1024; *cpus <= 1 << 22; *cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)*cpus);
		if (set == NULL)
			return NULL;
		if (sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)*cpus), set) == 0)
			return set;
		int why = errno;
		CPU_FREE(set);
		errno = why;
		if (why != EINVAL) /* EINVAL: the kernel has more CPUs than the set */
			return NULL;
	}
	return NULL;
}

/* Adds the CPUs of a set as a list such as 0-3,8. */
static void put_list(struct text *t, const cpu_set_t *set, int cpus)
{
	size_t size = CPU_ALLOC_SIZE((size_t)cpus);
	const char *comma = "";
	for (int i = 0; i < cpus; i++) {
		if (!CPU_ISSET_S((size_t)i, size, set))
			continue;
		int first = i;
		while (i + 1 < cpus && CPU_ISSET_S((size_t)i + 1, size, set))
			i++;
		if (i > first)
			put(t, "%s%d-%d", comma, first, i);
		else
			put(t, "%s%d", comma, i);
		comma = ",";
	}
}

/*
 * Adds the CPUs that the job may use on this host. A launcher binds a process to some of them; one that asks
 * for all CPUs gets those that its cgroup allows. The binding is put back. 0: done.
 */
static int allowed_cpus(struct text *t)
{
	int cpus, all_cpus, failed = -1;
	cpu_set_t *own = binding(&cpus), *all = NULL;
	if (own == NULL)
		return -1;
	size_t size = CPU_ALLOC_SIZE((size_t)cpus);
	cpu_set_t *every = CPU_ALLOC((size_t)cpus);
	if (every != NULL) {
		memset(every, 0xff, size);
		if (sched_setaffinity(0, size, every) == 0) {
			all = binding(&all_cpus);
			failed = sched_setaffinity(0, size, own);
		}
		CPU_FREE(every);
	}
	if (all != NULL) {
		put_list(t, all, all_cpus);
		CPU_FREE(all);
	} else {
		failed = -1;
	}
	CPU_FREE(own);
	return failed;
}

/* ---- Hardware: a list of files, each TYPE NAME, its SIZE and that many bytes ---- */

enum { PLAIN = '0', LINK = '2' }; /* types, as tar has them */

static void put_file(struct text *t, char type, const char *name, const char *bytes, size_t size)
{
	put(t, "%c%s\n%zu\n", type, name, size);
	add(t, bytes, size);
}

/* ---- Hardware from hwloc ---- */

/* What is kept of hwloc's infos. Others may be serial numbers, addresses, names of hosts and cgroups. */
static const char *const kept_infos[] = {
	"Architecture", "Backend", "CPUFamilyNumber", "CPUModel", "CPUModelNumber", "CPUStepping", "CPUType",
	"CPUVendor", "CoreType", "FrequencyBaseMHz", "FrequencyMaxMHz", "GPUModel", "GPUVendor", "Inclusive",
	"LinuxCapacity", "MemoryMode", "ClusterMode", "MemoryTier", "OSName", "PCIDevice", "PCIVendor",
	"hwlocVersion",
};

static int is_kept(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof kept_infos / sizeof *kept_infos; i++)
		if (strlen(kept_infos[i]) == size && memcmp(kept_infos[i], name, size) == 0)
			return 1;
	return 0;
}

/* Adds a name, up to its quote, without runs of 12 hexadecimal digits: these are network addresses. */
static const char *put_name(struct text *t, const char *name)
{
	while (*name != '\0' && *name != '"') {
		size_t hex = strspn(name, "0123456789abcdefABCDEF");
		if (hex < 12)
			add(t, name, hex > 0 ? hex : 1);
		name += hex > 0 ? hex : 1;
	}
	return name;
}

/* Adds an hwloc XML file, but for infos that are not kept and for addresses in names. */
static void put_xml(struct text *t, const char *xml)
{
	static const char info[] = "<info name=\"", name[] = " name=\"", end[] = "/>";
	while (*xml != '\0') {
		if (strncmp(xml, info, sizeof info - 1) == 0) {
			const char *value = xml + sizeof info - 1, *after = strstr(xml, end);
			after = after == NULL ? xml + strlen(xml) : after + sizeof end - 1;
			if (is_kept(value, strcspn(value, "\"")))
				add(t, xml, (size_t)(after - xml));
			else
				while (t->size > 0 && strchr(" \n", t->bytes[t->size - 1]) != NULL)
					t->size--;
			xml = after;
		} else if (strncmp(xml, name, sizeof name - 1) == 0) {
			add(t, name, sizeof name - 1);
			xml = put_name(t, xml + sizeof name - 1);
		} else {
			add(t, xml++, 1);
		}
	}
}

typedef struct hwloc_topology *topology;

/*
 * The functions of hwloc that are used, found when the program runs. Constants are hwloc's, the same in
 * versions 2 and 3.
 */
static struct {
	unsigned (*version)(void);
	int (*init)(topology *);
	int (*set_flags)(topology, unsigned long);
	int (*set_io_filter)(topology, int);
	int (*set_icache_filter)(topology, int);
	int (*load)(topology);
	int (*is_this_system)(topology);
	int (*export_xml)(topology, char **, int *, unsigned long);
	void (*free_xml)(topology, char *);
	void (*destroy)(topology);
} hwloc;

enum { INCLUDE_DISALLOWED = 1, KEEP_ALL = 0, KEEP_IMPORTANT = 3 };

/* Finds hwloc. NULL: done; otherwise why not. */
static const char *find_hwloc(void)
{
	static const struct {
		const char *name;
		void *function;
	} wanted[] = {
		{"hwloc_get_api_version", &hwloc.version},
		{"hwloc_topology_init", &hwloc.init},
		{"hwloc_topology_set_flags", &hwloc.set_flags},
		{"hwloc_topology_set_io_types_filter", &hwloc.set_io_filter},
		{"hwloc_topology_set_icache_types_filter", &hwloc.set_icache_filter},
		{"hwloc_topology_load", &hwloc.load},
		{"hwloc_topology_is_thissystem", &hwloc.is_this_system},
		{"hwloc_topology_export_xmlbuffer", &hwloc.export_xml},
		{"hwloc_free_xmlbuffer", &hwloc.free_xml},
		{"hwloc_topology_destroy", &hwloc.destroy},
	};
	void *library = dlopen("libhwloc.so.15", RTLD_NOW);
	if (library == NULL)
		library = dlopen("libhwloc.so", RTLD_NOW);
	if (library == NULL)
		return "there is no libhwloc.so.15 or libhwloc.so";
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if ((*(void **)wanted[i].function = dlsym(library, wanted[i].name)) == NULL)
			return "libhwloc is older than version 2";
	return hwloc.version() < 0x20000 ? "libhwloc is older than version 2" : NULL;
}

/* Adds what hwloc says of the whole machine, what the job may not use included. NULL: done. */
static const char *ask_hwloc(struct text *t)
{
	const char *why = find_hwloc();
	if (why != NULL)
		return why;
	topology machine;
	char *xml = NULL;
	int size = 0;
	if (hwloc.init(&machine) != 0)
		return "hwloc does not start";
	why = "hwloc cannot read this machine";
	if (hwloc.set_flags(machine, INCLUDE_DISALLOWED) == 0 && hwloc.set_io_filter(machine, KEEP_IMPORTANT) == 0 &&
	    hwloc.set_icache_filter(machine, KEEP_ALL) == 0 && hwloc.load(machine) == 0) {
		if (!hwloc.is_this_system(machine)) {
			why = "hwloc tells of another machine, as HWLOC_XMLFILE or the like makes it";
		} else if (hwloc.export_xml(machine, &xml, &size, 0) == 0) {
			struct text cleaned = {NULL, 0, 0};
			put_xml(&cleaned, xml);
			put_file(t, PLAIN, ".xml", cleaned.bytes, cleaned.size);
			clear(&cleaned);
			hwloc.free_xml(machine, xml);
			why = NULL;
		}
	}
	hwloc.destroy(machine);
	return why;
}

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
		fprintf(stderr, "probe: out of memory\n");
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
	copy_limits(t);
}

/* ---- Texts between ranks, in pieces whose size an int holds ---- */

enum { PIECE = 1 << 20 };

static void send_text(const struct text *t, int to, MPI_Comm comm)
{
	unsigned long long size = t->size;
	MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, to, 0, comm);
	for (size_t at = 0; at < t->size; at += PIECE) {
		size_t n = t->size - at;
		MPI_Send(t->bytes + at, n < PIECE ? (int)n : PIECE, MPI_CHAR, to, 0, comm);
	}
}

static void receive_text(struct text *t, int from, MPI_Comm comm)
{
	unsigned long long size;
	MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, from, 0, comm, MPI_STATUS_IGNORE);
	char *piece = malloc(PIECE);
	if (piece == NULL) {
		fprintf(stderr, "probe: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	while (t->size < size) {
		size_t n = size - t->size;
		n = n < PIECE ? n : PIECE;
		MPI_Recv(piece, (int)n, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE);
		add(t, piece, n);
	}
	free(piece);
}

/* ---- What a host reports: lines of a letter (h its name, r a rank, n a note, e an error) and what it says ---- */

enum { NAME_SIZE = 256 };

/* The name of this host, of letters, digits, '.', '-' and '_'. */
static void host_name(char name[NAME_SIZE])
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	memset(name, 0, NAME_SIZE);
	if (gethostname(name, NAME_SIZE - 1) != 0 || name[0] == '\0')
		strcpy(name, "host");
	for (char *c = name; *c != '\0'; c++)
		if (strchr(good, *c) == NULL)
			*c = '_';
}

/* Gathers what the ranks of a host say at its first rank. */
static void report_ranks(struct text *report, MPI_Comm host)
{
	int world_rank, rank, size, cpus;
	char name[NAME_SIZE], own[NAME_SIZE];
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_size(host, &size);
	host_name(own);
	memcpy(name, own, NAME_SIZE);
	MPI_Bcast(name, NAME_SIZE, MPI_CHAR, 0, host);
	if (rank == 0)
		put(report, "h%s\n", name);
	if (strcmp(own, name) != 0)
		put(report, "nrank %d calls its host %s: it shares memory with ranks on %s and counts as one there\n",
		    world_rank, own, name);
	cpu_set_t *set = binding(&cpus);
	if (set != NULL) {
		put(report, "r%d\t", world_rank);
		put_list(report, set, cpus);
		put(report, "\n");
		CPU_FREE(set);
	} else {
		put(report, "ethe CPUs of rank %d are not known: %s\n", world_rank, strerror(errno));
	}
	if (rank != 0)
		send_text(report, 0, host);
	else
		for (int i = 1; i < size; i++) {
			struct text one = {NULL, 0, 0};
			receive_text(&one, i, host);
			add(report, one.bytes, one.size);
			clear(&one);
		}
}

/* Adds the hardware of this host to files, and what is wrong to its report. */
static void report_hardware(struct text *report, struct text *files, int sysfs)
{
	const char *why = sysfs ? "" : ask_hwloc(files);
	if (why == NULL)
		return;
	if (!sysfs)
		put(report, "n%s: /proc and /sys are read instead\n", why);
	ask_sysfs(files, report);
}

/* ---- The archive, written by rank 0 ---- */

static void octal(char *field, size_t digits, unsigned long long n)
{
	for (; digits > 0; digits--, n /= 8)
		field[digits - 1] = (char)('0' + n % 8);
}

/* Writes a file or link into a tar archive (ustar), without owner and time. 0: done, otherwise see errno. */
static int write_entry(FILE *archive, char type, const char *name, const char *bytes, size_t size)
{
	struct {
		char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100], magic[6],
			version[2], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
	} h;
	static const char zeros[512];
	const char *rest = name;
	unsigned long sum = 0;
	memset(&h, 0, sizeof h);
	while (strlen(rest) > sizeof h.name && strchr(rest, '/') != NULL)
		rest = strchr(rest, '/') + 1;
	size_t prefix = rest > name ? (size_t)(rest - name) - 1 : 0;
	if (strlen(rest) > sizeof h.name || prefix > sizeof h.prefix || (type == LINK && size > sizeof h.link)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(h.prefix, name, prefix);
	memcpy(h.name, rest, strlen(rest));
	octal(h.mode, 7, type == LINK ? 0777 : 0644);
	octal(h.uid, 7, 0);
	octal(h.gid, 7, 0);
	octal(h.size, 11, type == LINK ? 0 : size);
	octal(h.time, 11, 0);
	h.type = type;
	memcpy(h.magic, "ustar", 6);
	memcpy(h.version, "00", 2);
	if (type == LINK)
		memcpy(h.link, bytes, size);
	memset(h.sum, ' ', sizeof h.sum);
	for (size_t i = 0; i < sizeof h; i++)
		sum += ((const unsigned char *)&h)[i];
	octal(h.sum, 6, sum);
	h.sum[6] = '\0';
	if (fwrite(&h, sizeof h, 1, archive) != 1)
		return -1;
	if (type == LINK || size == 0)
		return 0;
	if (fwrite(bytes, size, 1, archive) != 1)
		return -1;
	return size % 512 == 0 || fwrite(zeros, 512 - size % 512, 1, archive) == 1 ? 0 : -1;
}

/* What rank 0 knows of the job. */
struct known_host {
	char name[NAME_SIZE];
	size_t topology;
};
struct known_topology {
	unsigned long long size, hash;
	char name[NAME_SIZE + 16]; /* in the archive */
};
struct job {
	FILE *archive;
	const char *path;
	int failed;
	char note[PATH_MAX]; /* the last one told */
	struct text *cpus;   /* by rank */
	size_t *host_of;     /* by rank */
	struct known_host *hosts;
	struct known_topology *topologies;
	size_t host_count, topology_count;
};

static void *rooms(size_t count, size_t size)
{
	void *room = calloc(count, size);
	if (room == NULL) {
		fprintf(stderr, "probe: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
		abort();
	}
	return room;
}

static void fail(struct job *job, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "probe: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	job->failed = 1;
}

static int is_known(const struct job *job, const char *name)
{
	for (size_t i = 0; i < job->host_count; i++)
		if (strcmp(job->hosts[i].name, name) == 0)
			return 1;
	return 0;
}

/* Takes in a host by its name, or the name with a number where another host has it. */
static void take_name(struct job *job, const char *name)
{
	char unique[NAME_SIZE];
	snprintf(unique, sizeof unique, "%s", name);
	for (int i = 2; is_known(job, unique); i++)
		snprintf(unique, sizeof unique, "%.200s-%d", name, i);
	if (strcmp(unique, name) != 0)
		fprintf(stderr, "probe: another host is called %s, and shares no memory with it: it is %s in the file\n",
			name, unique);
	memcpy(job->hosts[job->host_count].name, unique, sizeof unique);
}

/* Takes in the report of a host. */
static void take_report(struct job *job, struct text *report)
{
	for (char *line = strtok(report->bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		const char *said = line + 1;
		switch (line[0]) {
		case 'h':
			take_name(job, said);
			break;
		case 'r': {
			int rank = atoi(said);
			job->host_of[rank] = job->host_count;
			add(&job->cpus[rank], strchr(said, '\t') + 1, strlen(strchr(said, '\t') + 1));
			break;
		}
		case 'n':
			if (strcmp(job->note, said) != 0)
				fprintf(stderr, "probe: note: %s: %s\n", job->hosts[job->host_count].name, said);
			snprintf(job->note, sizeof job->note, "%s", said);
			break;
		default:
			fail(job, "%s: %s", job->hosts[job->host_count].name, said);
		}
	}
}

/* A number for a text, the same for the same text (FNV-1a). */
static unsigned long long hash(const struct text *t)
{
	unsigned long long h = 14695981039346656037ULL;
	for (size_t i = 0; i < t->size; i++)
		h = (h ^ (unsigned char)t->bytes[i]) * 1099511628211ULL;
	return h;
}

/* Writes the files of a host's hardware into the archive. */
static void write_files(struct job *job, const struct text *files, const char *folder)
{
	for (const char *at = files->bytes; !job->failed && at < files->bytes + files->size;) {
		char type = *at++;
		struct text name = {NULL, 0, 0};
		put(&name, "%s", folder);
		add(&name, at, strcspn(at, "\n"));
		at = strchr(at, '\n') + 1;
		size_t size = strtoul(at, NULL, 10);
		at = strchr(at, '\n') + 1;
		if (write_entry(job->archive, type, name.bytes, at, size) != 0)
			fail(job, "%s: cannot write %s: %s", job->path, name.bytes, strerror(errno));
		clear(&name);
		at += size;
	}
}

/*
 * The hardware of host number i comes to rank 0, the first of them: its size and hash, and the files only
 * when it is none that is there already.
 */
static void take_hardware(struct job *job, int i, struct text *files, MPI_Comm firsts)
{
	unsigned long long what[2] = {files->size, hash(files)};
	struct known_host *host = &job->hosts[job->host_count];
	if (i > 0)
		MPI_Recv(what, 2, MPI_UNSIGNED_LONG_LONG, i, 0, firsts, MPI_STATUS_IGNORE);
	size_t k = 0;
	while (k < job->topology_count &&
	       (job->topologies[k].size != what[0] || job->topologies[k].hash != what[1]))
		k++;
	host->topology = k;
	int wanted = k == job->topology_count && !job->failed;
	if (i > 0) {
		MPI_Send(&wanted, 1, MPI_INT, i, 0, firsts);
		if (wanted)
			receive_text(files, i, firsts);
	}
	if (!wanted)
		return;
	char folder[NAME_SIZE + 8];
	snprintf(folder, sizeof folder, "hosts/%s", host->name);
	write_files(job, files, folder);
	struct known_topology *t = &job->topologies[job->topology_count++];
	t->size = what[0];
	t->hash = what[1];
	snprintf(t->name, sizeof t->name, "%s%s", folder, files->size > 1 && files->bytes[1] == '.' ? ".xml" : "");
}

/* Sends what the first rank of a host has to rank 0. */
static void give_hardware(const struct text *files, MPI_Comm firsts)
{
	unsigned long long what[2] = {files->size, hash(files)};
	int wanted;
	MPI_Send(what, 2, MPI_UNSIGNED_LONG_LONG, 0, 0, firsts);
	MPI_Recv(&wanted, 1, MPI_INT, 0, 0, firsts, MPI_STATUS_IGNORE);
	if (wanted)
		send_text(files, 0, firsts);
}

/* Writes job.txt, which makes the archive complete. */
static void write_list(struct job *job, int ranks)
{
	static const char end[1024]; /* two empty blocks */
	struct text t = {NULL, 0, 0};
	put(&t, "commsplit job 1\n");
	for (size_t i = 0; i < job->host_count; i++)
		put(&t, "host\t%s\t%s\n", job->hosts[i].name, job->topologies[job->hosts[i].topology].name);
	for (int i = 0; i < ranks; i++) {
		put(&t, "rank\t%d\t%s\t", i, job->hosts[job->host_of[i]].name);
		add(&t, job->cpus[i].bytes, job->cpus[i].size);
		put(&t, "\n");
	}
	if (write_entry(job->archive, PLAIN, "job.txt", t.bytes, t.size) != 0 ||
	    fwrite(end, sizeof end, 1, job->archive) != 1)
		fail(job, "%s: cannot write: %s", job->path, strerror(errno));
	clear(&t);
}

/* Rank 0 gathers what all hosts report, and writes it. Gives 0 or 1. */
static int gather(FILE *archive, const char *path, struct text *report, struct text *files, MPI_Comm firsts)
{
	struct job job = {.archive = archive, .path = path};
	int hosts, ranks, by_hwloc = 0;
	MPI_Comm_size(firsts, &hosts);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	job.cpus = rooms((size_t)ranks, sizeof *job.cpus);
	job.host_of = rooms((size_t)ranks, sizeof *job.host_of);
	job.hosts = rooms((size_t)hosts, sizeof *job.hosts);
	job.topologies = rooms((size_t)hosts, sizeof *job.topologies);
	for (int i = 0; i < hosts; i++) {
		if (i > 0) {
			clear(report);
			clear(files);
			receive_text(report, i, firsts);
		}
		take_report(&job, report);
		take_hardware(&job, i, files, firsts);
		by_hwloc += !job.failed && strstr(job.topologies[job.hosts[i].topology].name, ".xml") != NULL;
		job.host_count++;
	}
	if (!job.failed)
		write_list(&job, ranks);
	if (fclose(archive) != 0 && !job.failed)
		fail(&job, "%s: cannot write: %s", path, strerror(errno));
	if (job.failed) {
		remove(path);
		fprintf(stderr, "probe: %s is not written\n", path);
	} else {
		printf("%s: %d rank%s on %d host%s, the hardware of %d from hwloc and of %d from /proc and /sys\n", path,
		       ranks, ranks == 1 ? "" : "s", hosts, hosts == 1 ? "" : "s", by_hwloc, hosts - by_hwloc);
	}
	for (int i = 0; i < ranks; i++)
		clear(&job.cpus[i]);
	free(job.cpus);
	free(job.host_of);
	free(job.hosts);
	free(job.topologies);
	return job.failed;
}

/* Every rank tells what it knows. Gives 0 or 1, the same on all. */
static int probe(FILE *archive, const char *path, int sysfs)
{
	struct text report = {NULL, 0, 0}, files = {NULL, 0, 0};
	int world_rank, rank, failed = 0;
	MPI_Comm host, firsts;
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL, &host);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, world_rank, &firsts);
	report_ranks(&report, host);
	if (rank == 0)
		report_hardware(&report, &files, sysfs);
	if (world_rank == 0) {
		failed = gather(archive, path, &report, &files, firsts);
	} else if (rank == 0) {
		send_text(&report, 0, firsts);
		give_hardware(&files, firsts);
	}
	clear(&report);
	clear(&files);
	MPI_Comm_free(&host);
	if (firsts != MPI_COMM_NULL)
		MPI_Comm_free(&firsts);
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return failed;
}

int main(int argc, char **argv)
{
	int rank, failed = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	int sysfs = argc > 1 && strcmp(argv[1], "--sysfs") == 0;
	const char *path = argc == sysfs + 2 ? argv[sysfs + 1] : "-";
	if (path[0] == '-') {
		if (rank == 0)
			fprintf(stderr, "usage: probe [--sysfs] FILE.tar\n");
		MPI_Finalize();
		return 1;
	}
	FILE *archive = NULL;
	if (rank == 0) {
		archive = fopen(path, "wx"); /* not over a file that is there */
		failed = archive == NULL;
		if (failed)
			fprintf(stderr, "probe: cannot write %s: %s\n", path, strerror(errno));
	}
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!failed)
		failed = probe(archive, path, sysfs);
	MPI_Finalize();
	return failed;
}
