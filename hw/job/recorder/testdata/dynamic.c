/* Communicators with processes of another world, for four processes: as the argument says, "spawn", "ports" or "join". */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Two processes are started, and all six merge. */
static void spawn(char *program, MPI_Comm parent)
{
	MPI_Comm both = parent, all;
	int errors[2];
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &both, errors);
	MPI_Intercomm_merge(both, parent != MPI_COMM_NULL, &all);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&both);
}

/* The processes of even rank accept those of odd rank. */
static void ports(int rank)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm half, both;
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	if (rank == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (rank % 2 == 0)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &both);
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &both);
	MPI_Comm_disconnect(&both);
	if (rank == 0)
		MPI_Close_port(port);
}

/* Processes 0 and 1 join over a socket. */
static void join(int rank, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int end = socket(AF_UNIX, SOCK_STREAM, 0), other;
	MPI_Comm both;
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (rank == 0) {
		bind(end, (struct sockaddr *)&address, sizeof address);
		listen(end, 1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		other = accept(end, NULL, NULL);
		close(end);
		end = other;
	} else if (rank == 1) {
		connect(end, (struct sockaddr *)&address, sizeof address);
	}
	if (rank < 2) {
		MPI_Comm_join(end, &both);
		if (both != MPI_COMM_NULL)
			MPI_Comm_disconnect(&both);
	}
	close(end);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Comm parent;
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	if (strcmp(how, "spawn") == 0 || parent != MPI_COMM_NULL)
		spawn(argv[0], parent);
	if (strcmp(how, "ports") == 0)
		ports(rank);
	if (strcmp(how, "join") == 0)
		join(rank, argv[2]);
	MPI_Finalize();
	printf("one is done\n");
	return 0;
}
