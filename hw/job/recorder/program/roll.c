/* ---- Who has the recorder ---- */

/*
 * Processes that have the recorder must not call anything together with one that has not: it would never come. So each
 * puts its name into a folder beside the archive before it initializes MPI, and looks afterwards whether there are as
 * many as processes. Libraries let no process out of MPI_Init before all are in it, so that the names are there. Where
 * they are not within some seconds, one process decides for all that each records alone: who makes the link is the one.
 */
enum { ROLL_CALL = 10 }; /* seconds */

/* What one process decides for all. */
struct settings {
	int on;
	int together;   /* all processes have the recorder */
	uint64_t began; /* by the clock of all hosts, where processes begin alone */
	unsigned limit;
	char id[17];
	char path[PATH_MAX];
};

static struct {
	char folder[PATH_MAX + 32], own[PATH_MAX + NAME_SIZE + 64], decision[PATH_MAX + 64];
	int failed; /* an errno */
	int trusted;
} roll;

/* Adds what tells this run from others to a text: a number that the launcher gave it. */
static void add_run(struct text *t)
{
	static const char *const names[] = {"PMIX_NAMESPACE", "PALS_APID", "FLUX_JOB_ID", "SLURM_JOB_ID", "PBS_JOBID",
		"LSB_JOBID", "JOB_ID"};
	const char *step = getenv("SLURM_STEP_ID");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (getenv(names[i]) != NULL) {
			put(t, "%s %s", getenv(names[i]), step != NULL ? step : "");
			return;
		}
}

/* Adds the words behind --control-port and --pgid of the process that MPICH's mpiexec started on this host, if any. */
static void add_hydra(struct text *t)
{
	char path[64], line[4096];
	for (long pid = getppid(), parent; pid > 1; pid = parent) {
		snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
		FILE *file = fopen(path, "r");
		size_t n = file == NULL ? 0 : fread(line, 1, sizeof line - 1, file);
		if (file != NULL)
			fclose(file);
		line[n] = '\0';
		for (const char *word = line; word < line + n; word += strlen(word) + 1)
			if (strcmp(word, "--control-port") == 0 || strcmp(word, "--pgid") == 0)
				put(t, " %s", word + strlen(word) + 1 < line + n ? word + strlen(word) + 1 : "");
		snprintf(path, sizeof path, "/proc/%ld/stat", pid);
		if (t->size > 0 || (file = fopen(path, "r")) == NULL)
			return;
		n = fread(line, 1, sizeof line - 1, file);
		line[n] = '\0';
		fclose(file);
		const char *end = strrchr(line, ')');
		if (end == NULL || sscanf(end + 1, " %*c %ld", &parent) != 1)
			return;
	}
}

/* Puts this process's name into the folder. */
static void enter_roll(void)
{
	const char *path = getenv("COMMSPLIT_RECORD"), *all = getenv("COMMSPLIT_RECORD_ALL");
	char here[PATH_MAX] = "", host[NAME_SIZE];
	struct text key = {NULL, 0, 0};
	roll.trusted = all != NULL && strcmp(all, "1") == 0;
	if (path == NULL || path[0] == '\0' || roll.own[0] != '\0' || roll.trusted)
		return;
	if (path[0] != '/' && getcwd(here, sizeof here) != NULL)
		strncat(here, "/", sizeof here - strlen(here) - 1);
	add_run(&key);
	if (key.size == 0)
		add_hydra(&key);
	int n = snprintf(roll.folder, sizeof roll.folder, "%s%s.roll-%016llx", here, path, hash(&key));
	clear(&key);
	if (n >= (int)sizeof roll.folder) {
		roll.failed = ENAMETOOLONG;
		return;
	}
	host_name(host);
	snprintf(roll.decision, sizeof roll.decision, "%s/decision", roll.folder);
	snprintf(roll.own, sizeof roll.own, "%s/%s:%ld", roll.folder, host, (long)getpid());
	int file = mkdir(roll.folder, 0777) != 0 && errno != EEXIST ? -1 : open(roll.own, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (file < 0) {
		roll.failed = errno;
		roll.own[0] = '\0';
		return;
	}
	close(file);
}

/* Counts the names in the folder, but for those of processes of this host that are gone. */
static int count_names(void)
{
	char host[NAME_SIZE];
	int count = 0;
	DIR *folder = opendir(roll.folder);
	host_name(host);
	for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
		const char *colon = strchr(e->d_name, ':');
		if (colon == NULL)
			continue;
		int here = (size_t)(colon - e->d_name) == strlen(host) && strncmp(e->d_name, host, strlen(host)) == 0;
		count += !here || kill((pid_t)atol(colon + 1), 0) == 0 || errno != ESRCH;
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

/* Takes this process's name out, and the folder with the last one. */
static void leave_roll(void)
{
	if (roll.own[0] == '\0')
		return;
	unlink(roll.own);
	roll.own[0] = '\0';
	if (count_names() == 0) {
		unlink(roll.decision);
		rmdir(roll.folder);
	}
}

/* Reads what was decided: settings; none are on where all record together. -1: nothing yet. */
static int read_decision(struct settings *s)
{
	int file = open(roll.decision, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	ssize_t n = read(file, s, sizeof *s);
	close(file);
	return n == (ssize_t)sizeof *s ? 0 : -1;
}

/* Makes a decision, or learns the one that was made before. Gives an errno. */
static int make_decision(struct settings *s, const struct settings *mine)
{
	int file = open(roll.own, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int failed = file < 0 ? errno : write_all(file, (const char *)mine, sizeof *mine);
	if (file >= 0 && close(file) != 0 && failed == 0)
		failed = errno;
	if (failed == 0 && link(roll.own, roll.decision) != 0 && errno != EEXIST)
		failed = errno;
	if (failed == 0 && read_decision(s) != 0)
		failed = EIO;
	return failed;
}

static FILE *decide(struct settings *s, int ranks);
static int write_record(FILE *archive, const struct settings *s);

/* Decides that each process records alone, unless something was decided before. Gives an errno. */
static int decide_alone(struct settings *s, int count)
{
	struct settings mine;
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	memset(&mine, 0, sizeof mine);
	FILE *archive = decide(&mine, run.size);
	mine.together = 0;
	mine.began = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	if (archive != NULL && (errno = write_record(archive, &mine)) != 0) {
		fprintf(stderr, ME ": cannot write %s: %s; nothing is recorded\n", mine.path, strerror(errno));
		remove(mine.path);
		mine.on = 0;
	}
	int failed = make_decision(s, &mine);
	if (failed != 0 || strcmp(s->id, mine.id) != 0)
		remove(mine.path);
	else if (mine.on)
		fprintf(stderr, ME ": %d of %d processes have the recorder and see the folder of %s: each of them records alone, "
		        "and no hosts are recorded. If all have it, set COMMSPLIT_RECORD_ALL=1\n", count, run.size, mine.path);
	return failed;
}

/* Whether all processes have the recorder. Otherwise alone is how this one begins. */
static int all_came(struct settings *alone)
{
	struct settings together = {.together = 1};
	int count = 0, failed = roll.failed;
	memset(alone, 0, sizeof *alone);
	if (run.size == 1 || roll.trusted)
		return 1;
	if (roll.own[0] == '\0') {
		if (failed != 0 && run.rank == 0)
			fprintf(stderr, ME ": cannot write %s: %s; nothing is recorded\n", getenv("COMMSPLIT_RECORD"), strerror(failed));
		return 0;
	}
	for (int ms = 0; read_decision(alone) != 0; ms += 5) {
		count = count_names();
		if (count >= run.size)
			failed = make_decision(alone, &together);
		else if (ms >= 1000 * ROLL_CALL)
			failed = decide_alone(alone, count);
		if (failed != 0) {
			fprintf(stderr, ME ": cannot write %s: %s; nothing is recorded\n", roll.folder, strerror(failed));
			memset(alone, 0, sizeof *alone);
			return 0;
		}
		pause_ms(5);
	}
	return alone->together;
}
