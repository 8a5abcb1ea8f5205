/*
 * Makes communicators; then process 1 gets a signal for which the program has a handler of its own, and who goes on
 * makes another one. Arguments: before or after, that is when the handler is set beside MPI_Init; the signal, fault,
 * abort or term; and what the handler does: return (once the fault's cause is gone), jump, or exit.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *page;
static const char *how;
static sigjmp_buf back;
static volatile sig_atomic_t seen;

static void own(int number, siginfo_t *info, void *context)
{
	sigset_t blocked;
	(void)context;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	/* It has the mask and the number that it asked for. */
	if (info->si_signo != number || !sigismember(&blocked, SIGUSR2) || sigismember(&blocked, SIGUSR1))
		_exit(77);
	seen++;
	if (strcmp(how, "jump") == 0)
		siglongjmp(back, 1);
	if (strcmp(how, "exit") == 0)
		_exit(9);
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void set(int number)
{
	struct sigaction a;
	memset(&a, 0, sizeof a);
	a.sa_sigaction = own;
	a.sa_flags = SA_SIGINFO;
	sigaddset(&a.sa_mask, SIGUSR2);
	sigaction(number, &a, NULL);
}

static void strike(int number)
{
	if (number == SIGSEGV)
		*(volatile char *)page = 1;
	else if (number == SIGABRT)
		abort();
	else
		kill(getpid(), number);
}

int main(int argc, char **argv)
{
	int rank, early = strcmp(argv[1], "before") == 0;
	int number = strcmp(argv[2], "fault") == 0 ? SIGSEGV : strcmp(argv[2], "abort") == 0 ? SIGABRT : SIGTERM;
	MPI_Comm made;
	struct sigaction is;
	how = argv[3];
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (early)
		set(number);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &made);
	if (!early)
		set(number);
	sigaction(number, NULL, &is);
	if (is.sa_sigaction != own || !(is.sa_flags & SA_SIGINFO) || !sigismember(&is.sa_mask, SIGUSR2))
		return 78;
	if (rank == 1 && sigsetjmp(back, 1) == 0)
		strike(number);
	if (rank == 1 && seen != 1)
		return 79;
	MPI_Comm_dup(MPI_COMM_WORLD, &made);
	printf("rank %d is done\n", rank);
	return MPI_Finalize();
}
