/* ---- The program and its libraries ---- */

/*
 * An address is written as its module and where it is in that file. Its name and line are looked up when the recording
 * is read, in a file with the same build id.
 */
struct module {
	uintptr_t bias;
	char *path;
};

enum { MAX_MODULES = 1024, MAX_ID = 64 };
static struct module modules[MAX_MODULES];
static int module_count;
static char program_name[PATH_MAX] = "?", program_path[PATH_MAX];

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

static void find_program_name(void)
{
	if (program_path[0] != '\0' || readlink("/proc/self/exe", program_path, sizeof program_path - 1) <= 0)
		return;
	snprintf(program_name, sizeof program_name, "%s", without_folders(program_path));
}

/* The number that the linker gave a file, as digits; "" where it gave none. */
static void build_id(const struct dl_phdr_info *info, struct sink *s)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
		if (p->p_type != PT_NOTE)
			continue;
		while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)at;
			const char *name = at + sizeof *note, *text = name + (note->n_namesz + 3u) / 4 * 4;
			if ((size_t)(end - name) < (size_t)note->n_namesz + note->n_descsz)
				break;
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
				for (unsigned k = 0; k < note->n_descsz && k < MAX_ID / 2; k++) {
					emit(s, &"0123456789abcdef"[(unsigned char)text[k] >> 4], 1);
					emit(s, &"0123456789abcdef"[text[k] & 15], 1);
				}
				return;
			}
			at = text + (note->n_descsz + 3u) / 4 * 4;
		}
	}
}

/* Tells a module: its number, its build id or else the size and time of its file, and its path. */
static void tell_module(int number, const struct dl_phdr_info *info)
{
	char id[MAX_ID];
	struct sink s, digits = {.to = id, .room = sizeof id};
	struct stat file;
	build_id(info, &digits);
	if (digits.size == 0 && stat(modules[number].path, &file) == 0) {
		emit_unsigned(&digits, (uint64_t)file.st_size);
		emit(&digits, ".", 1);
		emit_unsigned(&digits, (uint64_t)file.st_mtime);
	}
	s = line();
	emit_text(&s, "module\t");
	emit_number(&s, number);
	emit(&s, "\t", 1);
	emit(&s, id, digits.size);
	emit(&s, "\t", 1);
	emit_clean(&s, modules[number].path);
	end_line(&s);
}

/* The number of a module, which is told when it is new; -1 where there are too many. */
static int number_of(const struct dl_phdr_info *info)
{
	static char absolute[PATH_MAX];
	const char *path = info->dlpi_name;
	if (path == NULL || path[0] == '\0')
		path = program_path;
	else if (path[0] != '/' && realpath(path, absolute) != NULL)
		path = absolute;
	for (int i = 0; i < module_count; i++)
		if (modules[i].bias == info->dlpi_addr && strcmp(modules[i].path, path) == 0)
			return i;
	size_t size = strlen(path) + 1;
	char *kept = module_count == MAX_MODULES ? NULL : pages(size);
	if (kept == NULL)
		return -1;
	memcpy(kept, path, size);
	modules[module_count] = (struct module){info->dlpi_addr, kept};
	tell_module(module_count, info);
	return module_count++;
}

/* Addresses and frames, nearest first. */
enum { FRAMES = 32 };
struct path {
	uintptr_t first; /* what precedes it is the recorder's */
	int count;
	uintptr_t addresses[FRAMES + 1], frames[FRAMES + 1];
	int modules[FRAMES + 1]; /* -1: none is known */
};

/* Finds the addresses of a path that are in a module. */
static int find_in_module(struct dl_phdr_info *info, size_t size, void *to)
{
	struct path *p = to;
	int number = -2; /* not asked for yet */
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + h->p_vaddr;
		for (int k = 0; k < p->count && h->p_type == PT_LOAD; k++) {
			if (p->addresses[k] <= low || p->addresses[k] > low + h->p_memsz)
				continue;
			if (number == -2) {
				lock();
				number = number_of(info);
				unlock();
			}
			p->modules[k] = number;
		}
	}
	return 0;
}

/* Finds the modules of all addresses. Without the lock: the loader has one of its own. */
static void find_modules(struct path *p)
{
	for (int i = 0; i <= FRAMES; i++)
		p->modules[i] = -1;
	dl_iterate_phdr(find_in_module, p);
}

/* A tab, and where an address is: MODULE+0xOFFSET. */
static void emit_place(struct sink *s, int module, uintptr_t address)
{
	emit(s, "\t", 1);
	if (module < 0)
		emit(s, "?", 1);
	else
		emit_number(s, module);
	emit(s, "+", 1);
	emit_hex(s, module < 0 ? address : address - modules[module].bias);
}
