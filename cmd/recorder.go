package cmd

import (
	"github.com/spf13/cobra"

	"commsplit/hw/job/recorder"
)

const recorderHelp = `Write a program to FILE, or to standard output, that records which communicators
an MPI application makes, where in its code, and of which ranks. It is C for any
MPI since 2.0, for applications in C, C++ and Fortran, which need not be
compiled again:

  mpicc -shared -fPIC recorder.c -o librecorder.so -ldl
  mpirun -x LD_PRELOAD=$PWD/librecorder.so -x COMMSPLIT_RECORD=app.tar ./app
  commsplit replay app.tar         here: the same calls, compared with MPI

With MPICH it is mpiexec -env LD_PRELOAD $PWD/librecorder.so -env
COMMSPLIT_RECORD app.tar ./app. Where app.tar is there already, it is app-2.tar.

app.tar is written when the application ends, also by MPI_Abort, by exit without
MPI_Finalize, and by a signal. What each process does is written at once to
app.tar.parts, so that a process which is killed loses nothing: take that folder
along if it is there at the end. app.tar holds what "commsplit probe" writes,
and of each rank the calls that make, name and free communicators and groups:
their arguments, what the library gave, the time, and the return addresses, with
the paths of the program's files, in which replay looks up functions and lines.
It holds no users, messages or data. COMMSPLIT_RECORD_LIMIT says how many calls
of each rank are kept; later ones are counted.

The recorder must be loaded into all processes, which must see the folder of
app.tar. Where some lack it, each of the others records alone, after ten
seconds. COMMSPLIT_RECORD_ALL=1 says that all have it, and takes any folder.`

func newRecorder(s Streams) *cobra.Command {
	return s.writesProgram(recorder.C, &cobra.Command{
		Use:     "record [FILE]",
		Short:   "write a program that records an application's communicators",
		Long:    recorderHelp,
		Example: "  commsplit record --to c recorder.c",
	})
}
