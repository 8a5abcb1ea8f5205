/* ---- What addresses are called: looked up once, at the end ---- */

/*
 * Executables and libraries are read as files: their tables of symbols also have functions that are not exported,
 * and .debug_line has lines. What was stripped from them is read from the file beside them that has it. Nothing here
 * allocates memory or takes a lock of the program's, so that a signal handler can do it.
 */

/* An ELF file. */
struct image {
	const unsigned char *file; /* NULL: it cannot be read */
	size_t size;
	const ElfW(Shdr) *sections;
	size_t section_count;
	const char *section_names;
};

struct module {
	const char *name; /* without folders */
	uintptr_t bias, low, high;
	struct image own, debug; /* debug: what was stripped from it, if that is there */
};

enum { MAX_MODULES = 256 };
static struct module modules[MAX_MODULES];
static int module_count;
static char program_name[PATH_MAX] = "?", program_path[PATH_MAX];
static struct store texts; /* the names of nodes */

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/* Compressed sections that were unpacked. */
enum { MAX_UNPACKED = 3 * MAX_MODULES, LARGEST = 1 << 30 };
static struct {
	const ElfW(Shdr) *section;
	struct bytes bytes;
} unpacked[MAX_UNPACKED];
static int unpacked_count;

/* Finds the bytes of a compressed section; none where it cannot be unpacked. */
static struct bytes unpack(const ElfW(Shdr) *section, struct bytes packed)
{
	struct bytes none = {NULL, NULL};
	ElfW(Chdr) head;
	for (int i = 0; i < unpacked_count; i++)
		if (unpacked[i].section == section)
			return unpacked[i].bytes;
	if (unpacked_count == MAX_UNPACKED || (size_t)(packed.end - packed.at) < sizeof head)
		return none;
	memcpy(&head, packed.at, sizeof head);
	packed.at += sizeof head;
	if (head.ch_type == ELFCOMPRESS_ZLIB && head.ch_size > 0 && head.ch_size <= LARGEST) {
		unsigned char *to = pages(head.ch_size);
		if (to != NULL && inflate(packed, to, head.ch_size) == 0)
			none = (struct bytes){to, to + head.ch_size};
		else if (to != NULL)
			munmap(to, head.ch_size);
	}
	unpacked[unpacked_count].section = section;
	unpacked[unpacked_count++].bytes = none;
	return none;
}

/* Finds a section's bytes; none where it is missing or cut. */
static struct bytes section_at(const struct image *m, const ElfW(Shdr) *s)
{
	if (s->sh_type == SHT_NOBITS || s->sh_offset > m->size || s->sh_size > m->size - s->sh_offset)
		return (struct bytes){NULL, NULL};
	struct bytes bytes = {m->file + s->sh_offset, m->file + s->sh_offset + s->sh_size};
	return (s->sh_flags & SHF_COMPRESSED) != 0 ? unpack(s, bytes) : bytes;
}

static struct bytes section_named(const struct image *m, const char *name)
{
	for (size_t i = 0; i < m->section_count; i++)
		if (strcmp(m->section_names + m->sections[i].sh_name, name) == 0)
			return section_at(m, &m->sections[i]);
	return (struct bytes){NULL, NULL};
}

/* Finds the sections of a file, whose names end within it. */
static void find_sections(struct image *m)
{
	const ElfW(Ehdr) *head = (const void *)m->file;
	if (m->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shoff > m->size ||
	    head->e_shoff % sizeof(void *) != 0 || head->e_shentsize != sizeof *m->sections ||
	    head->e_shnum > (m->size - head->e_shoff) / sizeof *m->sections || head->e_shstrndx >= head->e_shnum)
		return;
	const ElfW(Shdr) *sections = (const void *)(m->file + head->e_shoff);
	struct bytes names = section_at(m, &sections[head->e_shstrndx]);
	if (names.at == names.end || names.end[-1] != '\0')
		return;
	for (size_t i = 0; i < head->e_shnum; i++)
		if (sections[i].sh_name >= (size_t)(names.end - names.at))
			return;
	m->section_names = (const char *)names.at;
	m->sections = sections;
	m->section_count = head->e_shnum;
}

static void open_image(struct image *m, const char *path)
{
	struct stat info;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return;
	if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		if (bytes != MAP_FAILED) {
			m->file = bytes;
			m->size = (size_t)info.st_size;
			find_sections(m);
		}
	}
	close(file);
}

/* The check sum of .gnu_debuglink (CRC-32, as zlib's). */
static uint32_t check_sum(const unsigned char *bytes, size_t size)
{
	static uint32_t table[256];
	uint32_t sum = 0xffffffff;
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int k = 0; k < 8; k++)
			table[i] = (table[i] & 1) != 0 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
	}
	for (size_t i = 0; i < size; i++)
		sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
	return ~sum;
}

/* The number that the linker gave a file and what is stripped from it. */
static struct bytes build_id(const struct image *m)
{
	struct bytes note = section_named(m, ".note.gnu.build-id");
	if ((size_t)(note.end - note.at) <= 16)
		return (struct bytes){NULL, NULL};
	note.at += 16; /* three numbers and "GNU" */
	return note;
}

/* Takes a file with what was stripped, if it belongs to the module. link is its .gnu_debuglink, or NULL. */
static int take_debug(struct module *m, const char *path, const struct bytes *link)
{
	struct image debug = {.file = NULL};
	open_image(&debug, path);
	if (debug.file == NULL)
		return 0;
	struct bytes own = build_id(&m->own), its = build_id(&debug);
	uint32_t sum;
	int right = own.at != NULL && own.end - own.at == its.end - its.at &&
	            memcmp(own.at, its.at, (size_t)(own.end - own.at)) == 0;
	if (!right && own.at == NULL && link != NULL) {
		memcpy(&sum, link->end - sizeof sum, sizeof sum);
		right = sum == check_sum(debug.file, debug.size);
	}
	if (right)
		m->debug = debug;
	else
		munmap((void *)(uintptr_t)debug.file, debug.size);
	return right;
}

/* Finds what was stripped from a module: where debuggers look for it. */
static void find_debug(struct module *m, const char *path)
{
	struct bytes id = build_id(&m->own), link = section_named(&m->own, ".gnu_debuglink");
	static char at[2 * PATH_MAX]; /* the stack of a signal handler may be small */
	struct sink s = {.to = at, .room = sizeof at - 1};
	if (id.at != NULL) {
		emit_text(&s, "/usr/lib/debug/.build-id/");
		for (const unsigned char *c = id.at; c < id.end; c++) {
			emit(&s, &"0123456789abcdef"[*c >> 4], 1);
			emit(&s, &"0123456789abcdef"[*c & 15], 1);
			if (c == id.at)
				emit(&s, "/", 1);
		}
		emit_text(&s, ".debug");
		at[s.size] = '\0';
		if (take_debug(m, at, NULL))
			return;
	}
	if ((size_t)(link.end - link.at) < 8 || memchr(link.at, '\0', (size_t)(link.end - link.at) - 4) == NULL)
		return;
	static const char *const folders[][2] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		s.size = 0;
		emit_text(&s, folders[i][0]);
		emit(&s, path, (size_t)(without_folders(path) - path));
		emit_text(&s, folders[i][1]);
		emit_text(&s, (const char *)link.at);
		at[s.size] = '\0';
		if (take_debug(m, at, &link))
			return;
	}
}

/* Takes in a module if it has addresses that a site has. */
static int take_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	struct module m = {.bias = info->dlpi_addr, .low = UINTPTR_MAX};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD)
			continue;
		uintptr_t low = m.bias + p->p_vaddr;
		m.low = low < m.low ? low : m.low;
		m.high = low + p->p_memsz > m.high ? low + p->p_memsz : m.high;
	}
	int is_program = info->dlpi_name == NULL || info->dlpi_name[0] == '\0';
	for (int i = 0; i < node_count && module_count < MAX_MODULES; i++)
		if (nodes[i].address > m.low && nodes[i].address <= m.high) {
			m.name = is_program ? program_name : without_folders(info->dlpi_name);
			open_image(&m.own, is_program ? "/proc/self/exe" : info->dlpi_name);
			if (section_named(&m.own, ".debug_line").at == NULL)
				find_debug(&m, is_program ? program_path : info->dlpi_name);
			modules[module_count++] = m;
			break;
		}
	return 0;
}

static const struct module *module_of(uintptr_t address)
{
	for (int i = 0; i < module_count; i++)
		if (address > modules[i].low && address <= modules[i].high)
			return &modules[i];
	return NULL;
}

/* Finds the function that an address of the file is in, in a table of symbols, or NULL. */
static const char *function_in(const struct image *m, const char *table, const char *strings, uintptr_t at,
                               uintptr_t *offset)
{
	struct bytes symbols = section_named(m, table), names = section_named(m, strings);
	if (symbols.at == NULL || names.at == names.end || names.end[-1] != '\0')
		return NULL;
	for (; (size_t)(symbols.end - symbols.at) >= sizeof(ElfW(Sym)); symbols.at += sizeof(ElfW(Sym))) {
		ElfW(Sym) s;
		memcpy(&s, symbols.at, sizeof s);
		if ((s.st_info & 0xf) == STT_FUNC && s.st_shndx != SHN_UNDEF && at >= s.st_value &&
		    at - s.st_value < s.st_size && s.st_name < (size_t)(names.end - names.at)) {
			*offset = at - s.st_value;
			return (const char *)names.at + s.st_name;
		}
	}
	return NULL;
}

