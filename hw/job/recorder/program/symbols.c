/* ---- What addresses are called: looked up once, at the end ---- */

/*
 * Executables and libraries are read as files: their tables of symbols also have functions that are not exported,
 * and .debug_line has lines. Nothing here allocates memory or takes a lock of the program's, so that a signal
 * handler can do it.
 */
struct module {
	const char *name; /* without folders */
	uintptr_t bias, low, high;
	const unsigned char *file; /* NULL: it cannot be read */
	size_t size;
	const ElfW(Shdr) *sections;
	size_t section_count;
	const char *section_names;
};

enum { MAX_MODULES = 256 };
static struct module modules[MAX_MODULES];
static int module_count;
static char program_name[PATH_MAX] = "?";
static struct store texts; /* the names of nodes */

/* Bytes of a file, with their end. */
struct bytes {
	const unsigned char *at, *end;
};

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/* Finds a section's bytes; none where it is missing, compressed or cut. */
static struct bytes section_at(const struct module *m, const ElfW(Shdr) *s)
{
	if (s->sh_type == SHT_NOBITS || (s->sh_flags & SHF_COMPRESSED) != 0 || s->sh_offset > m->size ||
	    s->sh_size > m->size - s->sh_offset)
		return (struct bytes){NULL, NULL};
	return (struct bytes){m->file + s->sh_offset, m->file + s->sh_offset + s->sh_size};
}

static struct bytes section_named(const struct module *m, const char *name)
{
	for (size_t i = 0; i < m->section_count; i++)
		if (strcmp(m->section_names + m->sections[i].sh_name, name) == 0)
			return section_at(m, &m->sections[i]);
	return (struct bytes){NULL, NULL};
}

/* Finds the sections of a module's file, whose names end within it. */
static void find_sections(struct module *m)
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

static void open_module(struct module *m, const char *path)
{
	struct stat info;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	if (fstat(file, &info) == 0 && info.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		if (bytes != MAP_FAILED) {
			m->file = bytes;
			m->size = (size_t)info.st_size;
			find_sections(m);
		}
	}
	close(file);
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
			open_module(&m, is_program ? "/proc/self/exe" : info->dlpi_name);
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
static const char *function_in(const struct module *m, const char *table, const char *strings, uintptr_t at,
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

