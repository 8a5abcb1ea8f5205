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
static void report_ranks(struct text *report, MPI_Comm host, int world_rank)
{
	int rank, size, cpus;
	char name[NAME_SIZE], own[NAME_SIZE];
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

