/* ---- Calls that carry messages past the recorder ---- */

/* Whether a name is that of a call that carries messages, for profiling, in C or Fortran: PMPI_Send, pmpi_send_f08_. */
static int is_unseen(const char *name)
{
	static const char *const ends[] = {"_f08ts_", "_f08_", "__", "_", "_c"};
	char word[80];
	if (strncasecmp(name, "pmpi_", 5) != 0)
		return 0;
	int size = snprintf(word, sizeof word - 1, " %s", name + 5);
	if (size >= (int)sizeof word - 1)
		return 0;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		int end = (int)strlen(ends[i]);
		if (size > end && strcmp(word + size - end, ends[i]) == 0) {
			size -= end;
			break;
		}
	}
	word[size] = ' ';
	word[size + 1] = '\0';
	return strcasestr(carriers, word) != NULL;
}

/* A table that a module says where it is, in memory or in its file. */
static const void *table_at(const struct dl_phdr_info *info, ElfW(Addr) at)
{
	return (const void *)(uintptr_t)(at < info->dlpi_addr ? at + info->dlpi_addr : at);
}

/* Tells a module that lacks such a function: what a module lacks comes first in its table of symbols. */
static int tell_unseen_of(struct dl_phdr_info *info, size_t size, void *nothing)
{
	const char *names = NULL, *path = info->dlpi_name[0] != '\0' ? info->dlpi_name : program_path;
	const ElfW(Sym) *symbols = NULL;
	const uint32_t *gnu = NULL, *old = NULL;
	uintptr_t here = (uintptr_t)carriers; /* of the recorder, whose wrappers call such functions */
	(void)size, (void)nothing;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (here - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
			return 0;
		const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		for (; info->dlpi_phdr[i].p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++)
			switch (d->d_tag) {
			case DT_STRTAB:
				names = table_at(info, d->d_un.d_ptr);
				break;
			case DT_SYMTAB:
				symbols = table_at(info, d->d_un.d_ptr);
				break;
			case DT_GNU_HASH:
				gnu = table_at(info, d->d_un.d_ptr);
				break;
			case DT_HASH:
				old = table_at(info, d->d_un.d_ptr);
				break;
			}
	}
	uint32_t count = gnu != NULL ? gnu[1] : old != NULL ? old[1] : 0;
	for (uint32_t i = 0; names != NULL && symbols != NULL && i < count; i++)
		if (symbols[i].st_shndx == SHN_UNDEF && is_unseen(names + symbols[i].st_name)) {
			lock();
			struct sink s = line();
			emit_text(&s, "unseen\t");
			emit_clean(&s, without_folders(path));
			emit(&s, "\t", 1);
			emit_text(&s, names + symbols[i].st_name);
			end_line(&s);
			unlock();
			break;
		}
	return 0;
}

/* A library that calls PMPI_Send, and not MPI_Send, sends unseen. Call it without the lock: the loader has one of its own. */
static void tell_unseen(void) { dl_iterate_phdr(tell_unseen_of, NULL); }
