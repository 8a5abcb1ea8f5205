/* ---- Texts that grow ---- */

struct text {
	char *bytes; /* ends with a NUL that is not counted */
	size_t size, room;
};

static void add(struct text *t, const void *bytes, size_t size)
{
	if (t->size + size + 1 > t->room) {
		t->room = 2 * (t->size + size) + 64;
		t->bytes = realloc(t->bytes, t->room);
		if (t->bytes == NULL) {
			fprintf(stderr, ME ": out of memory\n");
			MPI_Abort(MPI_COMM_WORLD, 1);
			abort();
		}
	}
	if (size > 0)
		memcpy(t->bytes + t->size, bytes, size);
	t->size += size;
	t->bytes[t->size] = '\0';
}

static void put(struct text *t, const char *format, ...)
{
	char line[2 * PATH_MAX];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	add(t, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void clear(struct text *t)
{
	free(t->bytes);
	*t = (struct text){NULL, 0, 0};
}

