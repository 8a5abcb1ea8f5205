/* ---- The hardware of a host ---- */

/*
 * Adds the hardware of this host as files of /proc and /sys alone: hwloc could load drivers of GPUs into the
 * program.
 */
static void report_hardware(struct text *report, struct text *files, int sysfs)
{
	(void)sysfs;
	ask_sysfs(files, report);
}

