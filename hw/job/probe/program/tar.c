/* ---- Members of a tar archive ---- */

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100], magic[6], version[2],
		user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};

static void octal(char *field, size_t digits, unsigned long long n)
{
	for (; digits > 0; digits--, n /= 8)
		field[digits - 1] = (char)('0' + n % 8);
}

/* Completes a header that has its names, and zeros elsewhere. */
static void complete_header(struct header *h, size_t size)
{
	unsigned long sum = 0;
	octal(h->mode, 7, 0644);
	octal(h->uid, 7, 0);
	octal(h->gid, 7, 0);
	octal(h->size, 11, size);
	octal(h->time, 11, 0);
	h->type = '0'; /* a file */
	memcpy(h->magic, "ustar", 6);
	memcpy(h->version, "00", 2);
	memset(h->sum, ' ', sizeof h->sum);
	for (size_t i = 0; i < sizeof *h; i++)
		sum += ((const unsigned char *)h)[i];
	octal(h->sum, 6, sum);
	h->sum[6] = '\0';
}

/* Writes a file into a tar archive (ustar), without owner and time. 0: done, otherwise see errno. */
static int write_entry(FILE *archive, const char *name, const char *bytes, size_t size)
{
	struct header h;
	static const char zeros[512];
	const char *rest = name;
	memset(&h, 0, sizeof h);
	while (strlen(rest) > sizeof h.name && strchr(rest, '/') != NULL)
		rest = strchr(rest, '/') + 1;
	size_t prefix = rest > name ? (size_t)(rest - name) - 1 : 0;
	if (strlen(rest) > sizeof h.name || prefix > sizeof h.prefix) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(h.prefix, name, prefix);
	memcpy(h.name, rest, strlen(rest));
	complete_header(&h, size);
	if (fwrite(&h, sizeof h, 1, archive) != 1)
		return -1;
	if (size == 0)
		return 0;
	if (fwrite(bytes, size, 1, archive) != 1)
		return -1;
	return size % 512 == 0 || fwrite(zeros, 512 - size % 512, 1, archive) == 1 ? 0 : -1;
}

