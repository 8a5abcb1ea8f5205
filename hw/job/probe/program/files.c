/* ---- Hardware: a list of files, each TYPE NAME, its SIZE and that many bytes; of a link, they are its target ---- */

enum { PLAIN = '0', LINK = '2' }; /* types */

static void put_file(struct text *t, char type, const char *name, const char *bytes, size_t size)
{
	put(t, "%c%s\n%zu\n", type, name, size);
	add(t, bytes, size);
}

/* Adds a name, up to its quote, without runs of 12 hexadecimal digits: these are network addresses. */
static const char *put_name(struct text *t, const char *name)
{
	while (*name != '\0' && *name != '"') {
		size_t hex = strspn(name, "0123456789abcdefABCDEF");
		if (hex < 12)
			add(t, name, hex > 0 ? hex : 1);
		name += hex > 0 ? hex : 1;
	}
	return name;
}

