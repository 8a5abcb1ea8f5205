package source

// What a program for comparing has beyond one that a person reads: each process tells where it is, which
// error it got, and who the library is.
// CLASSES, AFTER and SECONDS are put in.
const checkHead = `
/* Comparing: where each process is, which error it gets, what it holds, and whose library this is.
 * Each process writes a file of its own, because some mpiruns mix the output of processes. */
static int step;
static FILE *out;

static inline void tell(const char *text)
{
    fputs(text, out);
    fflush(out);
}

static void report(const char *name, MPI_Comm comm)
{
    char line[LINE];
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (comm == MPI_COMM_NULL) {
        snprintf(line, LINE, "world rank %d -> %s: MPI_COMM_NULL\n", me, name);
    } else {
        int rank, size, inter;
        MPI_Group group;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        MPI_Comm_test_inter(comm, &inter);
        MPI_Comm_group(comm, &group);
        int used = snprintf(line, LINE, "world rank %d -> %s led by %d, rank %d, size %d", me, name, leader_of(group), rank, size);
        if (inter) {
            MPI_Comm_remote_size(comm, &size);
            MPI_Comm_remote_group(comm, &group);
            used += snprintf(line + used, LINE - used, "; remote led by %d, size %d", leader_of(group), size);
        }
        snprintf(line + used, LINE - used, "\n");
    }
    tell(line);
}

static void at(int number)
{
    int me;
    step = number;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d at step %d\n", me, step);
    fflush(out);
}

static inline void passed(void)
{
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d passed step %d\n", me, step);
    fflush(out);
}

static const char *class_name(int code)
{
    int class;
    MPI_Error_class(code, &class);
CLASSES    return "MPI_ERR_UNKNOWN";
}

static void failing(MPI_Comm *comm, int *code, ...)
{
    int me;
    (void) comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d raised %s at step %d\n", me, class_name(*code), step);
    fflush(out);
    AFTER
}

static MPI_Errhandler handler;

static void watch(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_set_errhandler(comm, handler);
}

/* What the process got of the step. */
static inline void got(MPI_Comm comm)
{
    char name[20];
    snprintf(name, 20, "@%d", step);
    report(name, comm);
    watch(comm);
}

static void introduce(const char *folder)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, me, size;
    char line[1000];
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(line, sizeof line, "%s/rank-%d", folder, me);
    out = fopen(line, "w");
    if (out == NULL) {
        perror(line);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    if (size == 1 && SIZE > 1)
        tell("world rank 0 is alone\n");
    MPI_Comm_create_errhandler(failing, &handler);
    watch(MPI_COMM_WORLD);
    watch(MPI_COMM_SELF);
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    snprintf(line, sizeof line, "standard %d, library %.200s\n", MPI_VERSION * 10 + MPI_SUBVERSION, text);
    if (me == 0)
        tell(line);
}

/* Nothing more to do: messages of others may still need this process. */
static inline void stay(void)
{
    int flag;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < SECONDS * 10; i++) {
        struct timespec pause = {0, 100 * 1000 * 1000};
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        nanosleep(&pause, NULL);
    }
    _Exit(0);
}
`
