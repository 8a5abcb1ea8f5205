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

