/* ---- Lines of source files, from .debug_line (DWARF 2 to 5) ---- */

static uint64_t number_at(struct bytes *b, size_t size)
{
	uint64_t n = 0;
	if ((size_t)(b->end - b->at) < size) {
		b->at = b->end;
		return 0;
	}
	if (size == 1)
		n = *b->at;
	else if (size == 2)
		n = (uint64_t)*(const uint16_t *)memcpy(&(uint16_t){0}, b->at, 2);
	else if (size == 4)
		n = *(const uint32_t *)memcpy(&(uint32_t){0}, b->at, 4);
	else if (size == 8)
		n = *(const uint64_t *)memcpy(&(uint64_t){0}, b->at, 8);
	b->at += size;
	return n;
}

/* A number of any length, 7 bits a byte. */
static uint64_t leb(struct bytes *b, int is_signed)
{
	uint64_t n = 0;
	int shift = 0;
	unsigned char byte = 0;
	while (b->at < b->end) {
		byte = *b->at++;
		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	if (is_signed && (byte & 0x40) != 0 && shift < 64)
		n |= ~(uint64_t)0 << shift;
	return n;
}

/* A text up to its NUL; "" where there is none. */
static const char *text_at(struct bytes *b)
{
	const unsigned char *nul = memchr(b->at, '\0', (size_t)(b->end - b->at));
	if (nul == NULL) {
		b->at = b->end;
		return "";
	}
	const char *text = (const char *)b->at;
	b->at = nul + 1;
	return text;
}

/* What the lines of one source file's machine code begin with. */
struct unit {
	const struct image *image;
	struct bytes tables, program; /* of names of files; of steps */
	int version, wide;            /* wide: offsets have 8 bytes */
	int min_length, line_base, line_range, opcode_base;
	const unsigned char *lengths; /* of the operands of opcodes from 1 */
};

/* Reads an attribute of a file's name; gives it if it is a text. */
static const char *form_at(const struct unit *u, struct bytes *b, uint64_t form)
{
	static const struct {
		int form;
		size_t size;
	} sized[] = {{0x0b, 1}, {0x05, 2}, {0x06, 4}, {0x07, 8}};
	struct bytes all;
	uint64_t n;
	switch (form) {
	case 0x08: /* string */
		return text_at(b);
	case 0x0e: /* strp */
	case 0x1f: /* line_strp */
		n = number_at(b, u->wide ? 8 : 4);
		all = section_named(u->image, form == 0x0e ? ".debug_str" : ".debug_line_str");
		if (all.at == NULL || n >= (uint64_t)(all.end - all.at))
			return "";
		all.at += n;
		return text_at(&all);
	case 0x0f: /* udata */
		leb(b, 0);
		return NULL;
	case 0x1e: /* data16 */
		number_at(b, 8);
		number_at(b, 8);
		return NULL;
	case 0x09: /* block */
		n = leb(b, 0);
		b->at = n > (uint64_t)(b->end - b->at) ? b->end : b->at + n;
		return NULL;
	default:
		for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
			if (form == (uint64_t)sized[i].form) {
				number_at(b, sized[i].size);
				return NULL;
			}
		b->at = b->end; /* of an unknown length */
		return NULL;
	}
}

/* Reads a table of DWARF 5, of folders or files, up to a number, and gives that one's name. */
static const char *entry_name(const struct unit *u, struct bytes *b, uint64_t wanted)
{
	const char *name = "";
	int formats = (int)number_at(b, 1);
	struct bytes format = *b;
	for (int i = 0; i < 2 * formats; i++)
		leb(b, 0);
	uint64_t count = leb(b, 0);
	for (uint64_t n = 0; n < count && n <= wanted && b->at < b->end; n++) {
		struct bytes f = format;
		for (int i = 0; i < formats; i++) {
			uint64_t content = leb(&f, 0);
			const char *text = form_at(u, b, leb(&f, 0));
			if (content == 1 && n == wanted && text != NULL)
				name = text;
		}
	}
	return name;
}

/* The name of a file of a unit, without folders. */
static const char *file_name(const struct unit *u, uint64_t file)
{
	struct bytes b = u->tables;
	if (u->version >= 5) {
		entry_name(u, &b, UINT64_MAX);
		return without_folders(entry_name(u, &b, file));
	}
	while (b.at < b.end && text_at(&b)[0] != '\0')
		;
	for (uint64_t n = 1; b.at < b.end; n++) {
		const char *name = text_at(&b);
		if (name[0] == '\0')
			break;
		if (n == file)
			return without_folders(name);
		for (int i = 0; i < 3; i++)
			leb(&b, 0);
	}
	return "";
}

/* Reads the head of a unit and leaves b behind the unit. 0: it is one that can be read. */
static int read_unit(struct unit *u, struct bytes *b)
{
	uint64_t size = number_at(b, 4);
	u->wide = size == 0xffffffff;
	if (u->wide)
		size = number_at(b, 8);
	if (size > (uint64_t)(b->end - b->at))
		size = (uint64_t)(b->end - b->at);
	struct bytes unit = {b->at, b->at + size};
	b->at += size;
	u->version = (int)number_at(&unit, 2);
	if (u->version < 2 || u->version > 5)
		return -1;
	if (u->version >= 5)
		number_at(&unit, 2); /* sizes of addresses and segments */
	uint64_t head = number_at(&unit, u->wide ? 8 : 4);
	if (head > (uint64_t)(unit.end - unit.at))
		return -1;
	u->program = (struct bytes){unit.at + head, unit.end};
	u->min_length = (int)number_at(&unit, 1);
	if (u->version >= 4)
		number_at(&unit, 1);
	number_at(&unit, 1);
	u->line_base = (signed char)number_at(&unit, 1);
	u->line_range = (int)number_at(&unit, 1);
	u->opcode_base = (int)number_at(&unit, 1);
	u->lengths = unit.at;
	if (u->line_range == 0 || u->opcode_base == 0 || unit.end - unit.at < u->opcode_base)
		return -1;
	u->tables = (struct bytes){unit.at + u->opcode_base - 1, u->program.at};
	return 0;
}

/* A row of the table that the steps describe: code from this address on is of this line. */
struct row_at {
	uint64_t address, file;
	int64_t line;
	int ended;
};

/* What a step did. */
enum { MOVED, ROW, END_OF_SEQUENCE };

static int extended_step(struct unit *u, struct row_at *row)
{
	uint64_t size = leb(&u->program, 0);
	if (size == 0 || size > (uint64_t)(u->program.end - u->program.at)) {
		u->program.at = u->program.end;
		return MOVED;
	}
	struct bytes b = {u->program.at, u->program.at + size};
	u->program.at += size;
	switch (number_at(&b, 1)) {
	case 1:
		return END_OF_SEQUENCE;
	case 2:
		row->address = number_at(&b, (size_t)(b.end - b.at));
		break;
	default:
		break;
	}
	return MOVED;
}

static int standard_step(struct unit *u, int opcode, struct row_at *row)
{
	switch (opcode) {
	case 1:
		return ROW;
	case 2:
		row->address += leb(&u->program, 0) * (uint64_t)u->min_length;
		break;
	case 3:
		row->line += (int64_t)leb(&u->program, 1);
		break;
	case 4:
		row->file = leb(&u->program, 0);
		break;
	case 8:
		row->address += (uint64_t)((255 - u->opcode_base) / u->line_range * u->min_length);
		break;
	case 9:
		row->address += number_at(&u->program, 2);
		break;
	default:
		for (int i = 0; i < u->lengths[opcode - 1]; i++)
			leb(&u->program, 0);
	}
	return MOVED;
}

static int next_step(struct unit *u, struct row_at *row)
{
	int opcode = (int)number_at(&u->program, 1);
	if (opcode == 0)
		return extended_step(u, row);
	if (opcode < u->opcode_base)
		return standard_step(u, opcode, row);
	int adjusted = opcode - u->opcode_base;
	row->address += (uint64_t)(adjusted / u->line_range * u->min_length);
	row->line += u->line_base + adjusted % u->line_range;
	return ROW;
}

/* Addresses of a module's file whose lines are wanted, in order, and those lines. */
struct wanted {
	uintptr_t address;
	int node;
	int line;
	const char *file;
};
static struct wanted wanted[MAX_NODES];
static int wanted_count;

/* Gives the addresses from one row to the next their line. */
static void give_line(const struct unit *u, const struct row_at *from, uint64_t to)
{
	int low = 0, high = wanted_count;
	if (to <= from->address || from->line <= 0)
		return;
	while (low < high) {
		int middle = (low + high) / 2;
		if (wanted[middle].address < from->address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < wanted_count && wanted[low].address < to; low++) {
		wanted[low].line = (int)from->line;
		wanted[low].file = file_name(u, from->file);
	}
}

/* Finds the lines of the wanted addresses in a file. */
static void find_lines(const struct image *m)
{
	struct bytes lines = section_named(m, ".debug_line");
	while (lines.at < lines.end) {
		struct unit u = {.image = m};
		const struct row_at first = {0, 1, 1, 1};
		struct row_at row = first, before = first;
		if (read_unit(&u, &lines) != 0)
			continue;
		while (u.program.at < u.program.end) {
			int what = next_step(&u, &row);
			if (what == MOVED)
				continue;
			if (!before.ended)
				give_line(&u, &before, row.address);
			if (what == END_OF_SEQUENCE)
				row = first;
			before = row;
			before.ended = what == END_OF_SEQUENCE;
		}
	}
}

/* Takes the nodes of a module as wanted, by address: the call itself is before the return address. */
static void want_nodes(const struct module *m)
{
	wanted_count = 0;
	for (int i = 0; i < node_count; i++) {
		if (module_of(nodes[i].address) != m)
			continue;
		uintptr_t address = nodes[i].address - 1 - m->bias;
		int at = wanted_count++;
		for (; at > 0 && wanted[at - 1].address > address; at--)
			wanted[at] = wanted[at - 1];
		wanted[at] = (struct wanted){address, i, 0, ""};
	}
}

/* Writes what a node is called: module, function and line, separated by tabs. */
static void name_node(const struct module *m, const struct wanted *w)
{
	uintptr_t offset = 0;
	const char *function = function_in(&m->own, ".symtab", ".strtab", w->address, &offset);
	if (function == NULL)
		function = function_in(&m->debug, ".symtab", ".strtab", w->address, &offset);
	if (function == NULL)
		function = function_in(&m->own, ".dynsym", ".dynstr", w->address, &offset);
	static char text[PATH_MAX]; /* the stack of a signal handler may be small */
	struct sink s = {.to = text, .room = sizeof text - 1};
	emit_clean(&s, m->name);
	emit(&s, "\t", 1);
	if (function != NULL) {
		emit_clean(&s, function);
		emit(&s, "+", 1);
	}
	emit_hex(&s, function != NULL ? offset + 1 : w->address + 1);
	emit(&s, "\t", 1);
	if (w->line > 0 && w->file[0] != '\0') {
		emit_clean(&s, w->file);
		emit(&s, ":", 1);
		emit_number(&s, w->line);
	}
	char *kept = take(&texts, s.size + 1);
	if (kept == NULL)
		return;
	memcpy(kept, text, s.size);
	kept[s.size] = '\0';
	nodes[w->node].text = (int)((kept - texts.bytes) / 8) + 1;
}

/* Names all nodes. */
static void name_nodes(void)
{
	if (texts.bytes == NULL) {
		texts.room = (size_t)MAX_NODES * 256;
		texts.bytes = pages(texts.room);
	}
	dl_iterate_phdr(take_module, NULL);
	for (int i = 0; i < module_count; i++) {
		want_nodes(&modules[i]);
		find_lines(&modules[i].own);
		find_lines(&modules[i].debug);
		for (int k = 0; k < wanted_count; k++)
			name_node(&modules[i], &wanted[k]);
	}
}

/* What a node is called. */
static const char *node_name(int node)
{
	return nodes[node].text > 0 ? texts.bytes + (size_t)(nodes[node].text - 1) * 8 : "?\t\t";
}

