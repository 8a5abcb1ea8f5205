/* ---- Text without memory of its own, for signal handlers ---- */

/* Where text goes: into to, as much as there is room for. size is what there is of it. */
struct sink {
	char *to;
	size_t room, size;
	int grows;  /* it is a line of the journal, which gets more room */
	int failed; /* there was no room */
};

static int write_all(int file, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(file, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

static size_t enlarge_journal(void);

/* Makes room if there can be more, and gives how many bytes there is room for, at most size. */
static __attribute__((noinline)) size_t make_room(struct sink *s, size_t size)
{
	while (s->grows && !s->failed && size > s->room - s->size) {
		size_t more = enlarge_journal();
		s->failed = more == 0;
		s->room += more;
	}
	if (size <= s->room - s->size)
		return size;
	s->failed = 1;
	return s->room - s->size;
}

/* Most are a few bytes, whose number the compiler knows. */
static inline void emit(struct sink *s, const void *bytes, size_t size)
{
	if (size > s->room - s->size)
		size = make_room(s, size);
	memcpy(s->to + s->size, bytes, size);
	s->size += size;
}

static inline void emit_text(struct sink *s, const char *text) { emit(s, text, strlen(text)); }

/* A text in which tabs, ends of lines and other bytes that do not print are %XX. */
static void emit_bytes(struct sink *s, const char *text, size_t size)
{
	static const char digits[] = "0123456789ABCDEF";
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];
		char escaped[3] = {'%', digits[c >> 4], digits[c & 15]};
		if (c < 0x20 || c > 0x7e || c == '%')
			emit(s, escaped, 3);
		else
			emit(s, text + i, 1);
	}
}

static void emit_clean(struct sink *s, const char *text) { emit_bytes(s, text, strlen(text)); }

static void emit_unsigned(struct sink *s, uint64_t n)
{
	char digits[20];
	size_t at = sizeof digits;
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	emit(s, digits + at, sizeof digits - at);
}

static void emit_number(struct sink *s, long n)
{
	if (n < 0)
		emit(s, "-", 1);
	emit_unsigned(s, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void emit_hex(struct sink *s, uint64_t n)
{
	char digits[2 * sizeof n];
	size_t at = sizeof digits;
	do {
		digits[--at] = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n > 0);
	emit(s, "0x", 2);
	emit(s, digits + at, sizeof digits - at);
}

/* A tab, a name and a number: size=4. */
static void emit_field(struct sink *s, const char *name, long n)
{
	emit(s, "\t", 1);
	emit_text(s, name);
	emit(s, "=", 1);
	emit_number(s, n);
}

