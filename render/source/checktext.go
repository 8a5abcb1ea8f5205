package source

// What a program for comparing has beyond one that a person reads: each process tells where it is, which
// error it got, and who the library is.
// CLASSES, AFTER and SECONDS are put in.
const checkHead = `
/* Comparing: where each process is, which error it gets, and whose library this is. */
static int step;

static void at(int number)
{
    int me;
    step = number;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    printf("world rank %d at step %d\n", me, step);
}

static inline void passed(void)
{
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    printf("world rank %d passed step %d\n", me, step);
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
    printf("world rank %d raised %s at step %d\n", me, class_name(*code), step);
    AFTER
}

static MPI_Errhandler handler;

static void watch(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_set_errhandler(comm, handler);
}

static void introduce(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, me, size;
    setvbuf(stdout, NULL, _IOLBF, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1 && SIZE > 1)
        puts("world rank 0 is alone");
    MPI_Comm_create_errhandler(failing, &handler);
    watch(MPI_COMM_WORLD);
    watch(MPI_COMM_SELF);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    if (me == 0)
        printf("library %s\nstandard %d\n", text, MPI_VERSION * 10 + MPI_SUBVERSION);
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
