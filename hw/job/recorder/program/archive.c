/* ---- The archive, to which each process can add by itself ---- */

/*
 * How long a process waits for the lock. A process that something ends may have little time; where each process ends
 * by itself, all may come at once.
 */
enum { HURRIED = 3, PATIENT = 300 }; /* seconds */

/* Locks the whole file. A file system that has no locks is used without; after the time, too. */
static void lock_file(int file, int seconds)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	for (int i = 0; i < seconds * 100; i++) {
		if (fcntl(file, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN && errno != EINTR))
			return;
		pause_ms(10);
	}
}

/* Opens the archive at its end. A negative errno where it cannot. */
static int open_archive(off_t *end, int seconds)
{
	int file = open(run.path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return -errno;
	lock_file(file, seconds);
	*end = lseek(file, 0, SEEK_END);
	return file;
}

/* Ends what was added at the end; all of it goes if something failed. Gives an errno. */
static int close_archive(int file, off_t end, int failed)
{
	if (failed != 0 && ftruncate(file, end) != 0)
		failed = errno;
	if (close(file) != 0 && failed == 0)
		failed = errno;
	return failed;
}

/* Adds a process's member. Gives an errno. A signal handler can call it. */
static int append(int rank, const char *text, size_t size, int seconds)
{
	struct header h;
	struct sink name = {.to = h.name, .room = sizeof h.name - 1};
	static const char zeros[512];
	off_t end = 0;
	int file = open_archive(&end, seconds);
	if (file < 0)
		return -file;
	memset(&h, 0, sizeof h);
	emit_text(&name, "calls/");
	emit_number(&name, rank);
	emit_text(&name, ".txt");
	complete_header(&h, size);
	int failed = write_all(file, (const char *)&h, sizeof h);
	if (failed == 0)
		failed = write_all(file, text, size);
	if (failed == 0)
		failed = write_all(file, zeros, (512 - size % 512) % 512);
	return close_archive(file, end, failed);
}

/* Adds the blocks that end an archive. Gives an errno. */
static int end_archive(void)
{
	static const char zeros[1024];
	off_t end = 0;
	int file = open_archive(&end, PATIENT);
	return file < 0 ? -file : close_archive(file, end, write_all(file, zeros, sizeof zeros));
}

