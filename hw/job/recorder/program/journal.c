/* ---- The journal: what this process tells, line by line, in memory that is a file ---- */

/*
 * A process that is killed says nothing at its end. So each line is written when it is known, into pages of a file
 * beside the archive, which the system keeps when the process is gone. The file belongs to the disk before the pages
 * are touched: where the disk is full, the journal goes on in memory alone, as it does where there is no file.
 */
enum { CHUNK = 1 << 17, RESERVED = 48 << 20 }; /* RESERVED: room that only what is counted may use */

static struct {
	char *at;          /* it never moves */
	size_t whole;      /* bytes of whole lines */
	size_t room, most; /* bytes that can be written, and that there can be */
	int file;          /* 0: there is none, or none any more */
	char path[PATH_MAX + 32];
} journal;

static void reserve_journal(unsigned limit)
{
	journal.most = ((size_t)limit * 400 + 2 * RESERVED) / CHUNK * CHUNK;
	void *room = mmap(NULL, journal.most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		journal.most = 0;
	else
		journal.at = room;
}

/*
 * Makes a piece of the file belong to the disk. 0: done. Zeros are written, since the kernel then holds the piece in
 * few large parts: with posix_fallocate it makes each page by itself when the page is touched, which takes three times longer.
 */
static int claim_chunk(size_t from)
{
	static const char zeros[CHUNK];
	for (size_t done = 0; done < CHUNK;) {
		ssize_t n = pwrite(journal.file, zeros + done, CHUNK - done, (off_t)(from + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		done += (size_t)n;
	}
	return 0;
}

/* Puts a piece of the file where the journal has that piece. Gives an errno. */
static int map_chunk(size_t from)
{
	return mmap(journal.at + from, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, journal.file, (off_t)from) ==
	       MAP_FAILED ? errno : 0;
}

/* Gives how many bytes there are more, 0 for none. A signal handler can call it. */
static size_t enlarge_journal(void)
{
	if (journal.room + CHUNK > journal.most)
		return 0;
	if (journal.file > 0 && (claim_chunk(journal.room) != 0 || map_chunk(journal.room) != 0))
		journal.file = 0;
	if (journal.file == 0 && mprotect(journal.at + journal.room, CHUNK, PROT_READ | PROT_WRITE) != 0)
		return 0;
	journal.room += CHUNK;
	return CHUNK;
}

static int has_room_for_calls(void) { return journal.whole + RESERVED < journal.most; }

/* Begins a line, with the lock. */
INLINE struct sink line(void)
{
	return (struct sink){.to = journal.at + journal.whole, .room = journal.room - journal.whole, .grows = 1};
}

/* Ends it: now it is told. 0: there was no room. */
INLINE int end_line(struct sink *s)
{
	emit(s, "\n", 1);
	if (s->failed)
		return 0;
	atomic_signal_fence(memory_order_release); /* a handler that interrupts this sees a whole line, or none */
	journal.whole += s->size;
	return 1;
}

/* Puts the first line before all others, with the lock. */
static void title_journal(void)
{
	char text[80];
	struct sink s = {.to = text, .room = sizeof text};
	emit_text(&s, "commsplit calls\t2\t");
	emit_text(&s, run.id);
	emit(&s, "\t", 1);
	emit_number(&s, run.rank);
	emit(&s, "\n", 1);
	while (journal.room < journal.whole + s.size)
		if (enlarge_journal() == 0)
			return;
	memmove(journal.at + s.size, journal.at, journal.whole);
	memcpy(journal.at, text, s.size);
	journal.whole += s.size;
}

/* Writes what there is into a file of the folder beside the archive, and all that follows. Gives an errno. */
static int keep_in_file(void)
{
	int n = snprintf(journal.path, sizeof journal.path, "%s.parts", run.path);
	if (mkdir(journal.path, 0777) != 0 && errno != EEXIST)
		return errno;
	snprintf(journal.path + n, sizeof journal.path - (size_t)n, "/%d.txt", run.rank);
	journal.file = open(journal.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (journal.file < 0) {
		journal.file = 0;
		return errno;
	}
	int failed = 0;
	for (size_t at = 0; failed == 0 && at < journal.room; at += CHUNK)
		failed = claim_chunk(at);
	if (failed == 0)
		failed = write_all(journal.file, journal.at, journal.whole);
	for (size_t at = 0; failed == 0 && at < journal.room; at += CHUNK)
		failed = map_chunk(at);
	return failed;
}

/* What was told is in the archive: the file goes, and its folder with the last one. */
static void remove_file(void)
{
	char *slash = strrchr(journal.path, '/');
	if (slash == NULL)
		return;
	unlink(journal.path);
	*slash = '\0';
	rmdir(journal.path);
	journal.path[0] = '\0';
}
