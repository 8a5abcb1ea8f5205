/* ---- CPUs ---- */

/* Asks for the CPUs that this process may use. Whoever calls frees the set. NULL: see errno. */
static cpu_set_t *binding(int *cpus)
{
	for (*cpus = 1024; *cpus <= 1 << 22; *cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)*cpus);
		if (set == NULL)
			return NULL;
		if (sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)*cpus), set) == 0)
			return set;
		int why = errno;
		CPU_FREE(set);
		errno = why;
		if (why != EINVAL) /* EINVAL: the kernel has more CPUs than the set */
			return NULL;
	}
	return NULL;
}

/* Adds the CPUs of a set as a list such as 0-3,8. */
static void put_list(struct text *t, const cpu_set_t *set, int cpus)
{
	size_t size = CPU_ALLOC_SIZE((size_t)cpus);
	const char *comma = "";
	for (int i = 0; i < cpus; i++) {
		if (!CPU_ISSET_S((size_t)i, size, set))
			continue;
		int first = i;
		while (i + 1 < cpus && CPU_ISSET_S((size_t)i + 1, size, set))
			i++;
		if (i > first)
			put(t, "%s%d-%d", comma, first, i);
		else
			put(t, "%s%d", comma, i);
		comma = ",";
	}
}

/*
 * Adds the CPUs that the job may use on this host. A launcher binds a process to some of them; one that asks
 * for all CPUs gets those that its cgroup allows. The binding is put back. 0: done.
 */
static int allowed_cpus(struct text *t)
{
	int cpus, all_cpus, failed = -1;
	cpu_set_t *own = binding(&cpus), *all = NULL;
	if (own == NULL)
		return -1;
	size_t size = CPU_ALLOC_SIZE((size_t)cpus);
	cpu_set_t *every = CPU_ALLOC((size_t)cpus);
	if (every != NULL) {
		memset(every, 0xff, size);
		if (sched_setaffinity(0, size, every) == 0) {
			all = binding(&all_cpus);
			failed = sched_setaffinity(0, size, own);
		}
		CPU_FREE(every);
	}
	if (all != NULL) {
		put_list(t, all, all_cpus);
		CPU_FREE(all);
	} else {
		failed = -1;
	}
	CPU_FREE(own);
	return failed;
}

