/* Each kind of leak, and beside it what is none. */
#include <mpi.h>
#include <pthread.h>

enum { STEPS = 15 };
void open_store(MPI_Comm comm); /* of layer.c */

static void plain(void)
{
	MPI_Comm c;
	MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &c); /* leak: Comm_split */
}

static void partly(int i)
{
	MPI_Comm c;
	MPI_Comm_dup(MPI_COMM_WORLD, &c); /* leak: Comm_dup */
	if (i % 3 > 0)
		MPI_Comm_free(&c);
}

static void freed_at_once(void)
{
	MPI_Comm c;
	MPI_Comm_dup(MPI_COMM_WORLD, &c);
	MPI_Comm_free(&c);
}

static MPI_Comm kept[STEPS];

static void freed_at_exit(int i)
{
	MPI_Comm_dup(MPI_COMM_WORLD, &kept[i]); /* grows: Comm_dup */
}

static void window(int keep)
{
	static int x;
	MPI_Win w;
	if (keep) {
		MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w); /* leak: Win_create */
		return;
	}
	MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	MPI_Win_free(&w);
}

static void file(const char *name)
{
	MPI_File f;
	MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &f); /* leak: File_open */
	MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
	MPI_File_close(&f);
}

static void group(void)
{
	MPI_Group g;
	MPI_Comm_group(MPI_COMM_WORLD, &g); /* leak: Comm_group */
	MPI_Comm_group(MPI_COMM_WORLD, &g);
	MPI_Group_free(&g);
}

static void *in_thread(void *none)
{
	MPI_Comm c;
	for (int i = 0; i < STEPS; i++)
		MPI_Comm_dup(MPI_COMM_SELF, &c); /* leak: Comm_dup */
	return none;
}

int main(int argc, char **argv)
{
	int level;
	pthread_t thread;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	for (int i = 0; i < STEPS; i++) {
		plain();
		for (int k = 0; k < 3; k++)
			partly(k);
		freed_at_once();
		freed_at_exit(i);
		window(1);
		window(0);
		file(argv[1]);
		group();
		open_store(MPI_COMM_WORLD); /* leak: Comm_dup */
	}
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < STEPS; i++)
		MPI_Comm_free(&kept[i]);
	MPI_Finalize();
	return 0;
}
