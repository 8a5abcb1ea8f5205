/* ---- What rank 0 gathers ---- */

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
		fprintf(stderr, ME ": out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
		abort();
	}
	return room;
}

static void fail(struct job *job, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, ME ": ");
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
		fprintf(stderr, ME ": another host is called %s, and shares no memory with it: it is %s in the file\n",
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
				fprintf(stderr, ME ": note: %s: %s\n", job->hosts[job->host_count].name, said);
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
	/* A file of hwloc's is a member as it is. Those of /proc and /sys are in one member: tar would make a kilobyte of each. */
	struct known_topology *t = &job->topologies[job->topology_count++];
	size_t head = files->size > 1 && files->bytes[1] == '.' ? (size_t)(strchr(strchr(files->bytes, '\n') + 1, '\n') + 1 - files->bytes) : 0;
	t->size = what[0];
	t->hash = what[1];
	snprintf(t->name, sizeof t->name, "hosts/%s%s", host->name, head > 0 ? ".xml" : ".files");
	if (write_entry(job->archive, t->name, files->bytes + head, files->size - head) != 0)
		fail(job, "%s: cannot write %s: %s", job->path, t->name, strerror(errno));
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

/* Writes job.txt. */
static void write_list(struct job *job, int ranks)
{
	struct text t = {NULL, 0, 0};
	put(&t, "commsplit job 1\n");
	for (size_t i = 0; i < job->host_count; i++)
		put(&t, "host\t%s\t%s\n", job->hosts[i].name, job->topologies[job->hosts[i].topology].name);
	for (int i = 0; i < ranks; i++) {
		put(&t, "rank\t%d\t%s\t", i, job->hosts[job->host_of[i]].name);
		add(&t, job->cpus[i].bytes, job->cpus[i].size);
		put(&t, "\n");
	}
	if (write_entry(job->archive, "job.txt", t.bytes, t.size) != 0)
		fail(job, "%s: cannot write: %s", job->path, strerror(errno));
	clear(&t);
}

/* What there was to gather. */
struct summary {
	int ranks, hosts, by_hwloc;
};

/* Rank 0 gathers what all hosts report, and writes it. Gives 0 or 1. */
static int gather(FILE *archive, const char *path, struct text *report, struct text *files, MPI_Comm firsts,
                  int ranks, struct summary *summary)
{
	struct job job = {.archive = archive, .path = path};
	int hosts, by_hwloc = 0;
	MPI_Comm_size(firsts, &hosts);
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
	*summary = (struct summary){ranks, hosts, by_hwloc};
	for (int i = 0; i < ranks; i++)
		clear(&job.cpus[i]);
	free(job.cpus);
	free(job.host_of);
	free(job.hosts);
	free(job.topologies);
	return job.failed;
}

