/* ---- Compressed sections of executables (zlib: RFC 1950, deflate: RFC 1951) ---- */

/* Bytes that are read bit by bit, and where what they stand for goes. */
struct inflation {
	struct bytes from;
	unsigned char *to;
	size_t size, room;
	uint32_t held; /* bits that were read and not used, the next one lowest */
	int held_count;
	int failed;
};

static unsigned bits(struct inflation *s, int count)
{
	for (; s->held_count < count; s->held_count += 8) {
		if (s->from.at == s->from.end) {
			s->failed = 1;
			return 0;
		}
		s->held |= (uint32_t)*s->from.at++ << s->held_count;
	}
	unsigned value = s->held & ((1u << count) - 1);
	s->held >>= count;
	s->held_count -= count;
	return value;
}

enum { CODE_BITS = 15, MAX_SYMBOLS = 288 };

/* A Huffman code: how many symbols have codes of each length, and the symbols in the order of their codes. */
struct code {
	int counts[CODE_BITS + 1];
	int symbols[MAX_SYMBOLS];
};

/* Makes a code of the lengths of its symbols' codes, 0: the symbol has none. */
static void make_code(struct code *c, const unsigned char *lengths, int count)
{
	int at[CODE_BITS + 1] = {0};
	memset(c->counts, 0, sizeof c->counts);
	for (int i = 0; i < count; i++)
		c->counts[lengths[i]]++;
	c->counts[0] = 0;
	for (int length = 1; length < CODE_BITS; length++)
		at[length + 1] = at[length] + c->counts[length];
	for (int i = 0; i < count; i++)
		if (lengths[i] != 0)
			c->symbols[at[lengths[i]]++] = i;
}

/* Reads the symbol whose code comes next. */
static int symbol(struct inflation *s, const struct code *c)
{
	int code = 0, first = 0, before = 0; /* first: the lowest code of a length; before: symbols of shorter codes */
	for (int length = 1; length <= CODE_BITS && !s->failed; length++) {
		code |= (int)bits(s, 1);
		if (code - first < c->counts[length])
			return code < first ? (s->failed = 1, 0) : c->symbols[before + code - first];
		before += c->counts[length];
		first = (first + c->counts[length]) << 1;
		code <<= 1;
	}
	s->failed = 1;
	return 0;
}

/* Repeats bytes that were put out before. */
static void repeat(struct inflation *s, size_t length, size_t distance)
{
	if (distance > s->size || length > s->room - s->size) {
		s->failed = 1;
		return;
	}
	for (; length > 0; length--, s->size++)
		s->to[s->size] = s->to[s->size - distance];
}

/* Reads a block of symbols: bytes, and lengths with distances. */
static void take_symbols(struct inflation *s, const struct code *lengths, const struct code *distances)
{
	static const short length_bases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
	                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
	static const char length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
	                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
	static const short distance_bases[] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,
	                                       33,  49,  65,  97,  129, 193,  257,  385,  513,  769,
	                                       1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
	while (!s->failed) {
		int next = symbol(s, lengths);
		if (s->failed || next == 256)
			return;
		if (next < 256) {
			if (s->size < s->room)
				s->to[s->size++] = (unsigned char)next;
			else
				s->failed = 1;
			continue;
		}
		int which = next - 257, far;
		if (which >= (int)(sizeof length_bits)) {
			s->failed = 1;
			return;
		}
		size_t length = (size_t)length_bases[which] + bits(s, length_bits[which]);
		far = symbol(s, distances);
		if (far >= (int)(sizeof distance_bases / sizeof *distance_bases)) {
			s->failed = 1;
			return;
		}
		repeat(s, length, (size_t)distance_bases[far] + bits(s, far < 4 ? 0 : far / 2 - 1));
	}
}

/* Reads the codes of a block that has its own. */
static void take_codes(struct inflation *s, struct code *lengths, struct code *distances)
{
	static const char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	unsigned char list[320] = {0};
	int length_count = (int)bits(s, 5) + 257, distance_count = (int)bits(s, 5) + 1, count = (int)bits(s, 4) + 4;
	for (int i = 0; i < count; i++)
		list[(int)order[i]] = (unsigned char)bits(s, 3);
	make_code(lengths, list, 19); /* at first the code of the lengths that follow */
	memset(list, 0, sizeof list);
	for (int i = 0; i < length_count + distance_count && !s->failed;) {
		int next = symbol(s, lengths), times = 1;
		unsigned char length = (unsigned char)next;
		if (next == 16) {
			length = i > 0 ? list[i - 1] : 0;
			times = (int)bits(s, 2) + 3;
		} else if (next > 16) {
			length = 0;
			times = next == 17 ? (int)bits(s, 3) + 3 : (int)bits(s, 7) + 11;
		}
		if (times > length_count + distance_count - i)
			s->failed = 1;
		while (!s->failed && times-- > 0)
			list[i++] = length;
	}
	if (length_count > MAX_SYMBOLS)
		s->failed = 1;
	if (s->failed)
		return;
	make_code(lengths, list, length_count);
	make_code(distances, list + length_count, distance_count);
}

/* The codes of a block that says nothing of them. */
static void known_codes(struct code *lengths, struct code *distances)
{
	unsigned char list[MAX_SYMBOLS];
	for (int i = 0; i < MAX_SYMBOLS; i++)
		list[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	make_code(lengths, list, MAX_SYMBOLS);
	memset(list, 5, 30);
	make_code(distances, list, 30);
}

/* Reads a block that is not compressed. */
static void take_stored(struct inflation *s)
{
	s->held = 0;
	s->held_count = 0;
	size_t size = bits(s, 16);
	bits(s, 16); /* the same number, inverted */
	if (s->failed || size > (size_t)(s->from.end - s->from.at) || size > s->room - s->size) {
		s->failed = 1;
		return;
	}
	memcpy(s->to + s->size, s->from.at, size);
	s->from.at += size;
	s->size += size;
}

/* Unpacks what zlib packed into a room that it fills. 0: done. */
static int inflate(struct bytes from, unsigned char *to, size_t room)
{
	struct inflation s = {.from = from, .to = to, .room = room};
	static struct code lengths, distances; /* the stack of a signal handler may be small */
	int last = 0;
	if (bits(&s, 4) != 8)
		return -1;
	bits(&s, 12);
	while (!last && !s.failed) {
		last = (int)bits(&s, 1);
		switch (bits(&s, 2)) {
		case 0:
			take_stored(&s);
			break;
		case 1:
			known_codes(&lengths, &distances);
			take_symbols(&s, &lengths, &distances);
			break;
		case 2:
			take_codes(&s, &lengths, &distances);
			if (!s.failed)
				take_symbols(&s, &lengths, &distances);
			break;
		default:
			s.failed = 1;
		}
	}
	return s.failed || s.size != room ? -1 : 0;
}

