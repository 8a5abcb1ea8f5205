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

/* Makes room if there can be more. Without room for size bytes the sink has failed. */
static __attribute__((noinline)) struct sink with_room(struct sink s, size_t size)
{
	while (s.grows && !s.failed && size > s.room - s.size) {
		size_t more = enlarge_journal();
		s.failed = more == 0;
		s.room += more;
	}
	s.failed |= size > s.room - s.size;
	return s;
}

/*
 * The functions that follow are part of those that call them, and none gives the address of a sink away: so the sink of
 * a line is in registers while the line is written.
 */
#define INLINE static inline __attribute__((always_inline))

/* Whether there is room for more bytes. */
INLINE int fits(struct sink *s, size_t size)
{
	if (size > s->room - s->size)
		*s = with_room(*s, size);
	return size <= s->room - s->size;
}

/* Adds the bytes that there is room for. */
INLINE void emit(struct sink *s, const void *bytes, size_t size)
{
	if (!fits(s, size))
		size = s->room - s->size;
	memcpy(s->to + s->size, bytes, size);
	s->size += size;
}

INLINE void emit_text(struct sink *s, const char *text) { emit(s, text, strlen(text)); }

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

/* How many decimal digits a number has. */
static inline size_t digits_of(uint64_t n)
{
	static const uint64_t powers[] = {0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
		100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000,
		100000000000000000, 1000000000000000000, 10000000000000000000u};
	int bits = 64 - __builtin_clzll(n | 1), least = bits * 1233 >> 12; /* 1233 / 4096 is a little more than log10(2) */
	return (size_t)least + (n >= powers[least]);
}

/* Numbers are most of what a call writes: two digits at a time, each where it stays. */
INLINE void emit_unsigned(struct sink *s, uint64_t n)
{
	static const char pairs[] = "00010203040506070809" "10111213141516171819" "20212223242526272829" "30313233343536373839"
		"40414243444546474849" "50515253545556575859" "60616263646566676869" "70717273747576777879" "80818283848586878889"
		"90919293949596979899";
	size_t size = digits_of(n);
	if (!fits(s, size))
		return;
	char *at = s->to + s->size + size;
	s->size += size;
	for (; n >= 100; n /= 100)
		memcpy(at -= 2, pairs + n % 100 * 2, 2);
	if (n >= 10)
		memcpy(at - 2, pairs + n * 2, 2);
	else
		at[-1] = (char)('0' + n);
}

INLINE void emit_number(struct sink *s, long n)
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
INLINE void emit_field(struct sink *s, const char *name, long n)
{
	emit(s, "\t", 1);
	emit_text(s, name);
	emit(s, "=", 1);
	emit_number(s, n);
}

