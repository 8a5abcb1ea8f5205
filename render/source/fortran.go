package source

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
)

// Fortran writes a Fortran 2008 program with the module mpi_f08. Fortran cannot ask for the version of the
// library at compile time, so calls that came after MPI-3.1 are there when the macro MPI_STANDARD says
// that the library has them: 40 for MPI-4.0.
func Fortran(w io.Writer, v *render.View) error {
	g := newGenerator(v, inFortran).writeCalls()
	body := g.body.String() + "\n" + g.reports()
	need := inFortran.needed(body)
	body += g.finish(need)
	list := []declaration{
		{"number", "integer :: number"}, {"result", "integer :: result"}, {"numbers", "integer :: numbers(length)"},
		{"results", "integer :: results(length)"}, {"group", "type(MPI_Group) :: group"}, {"remote_group", "type(MPI_Group) :: remote_group"},
		{"info", "type(MPI_Info) :: info"}, {"request", "type(MPI_Request) :: request"},
	}
	first := []declaration{
		{"number", "number = me"}, {"result", "result = 0"}, {"numbers", "numbers = 0"}, {"results", "results = 0"}, {"group", "group = MPI_GROUP_EMPTY"},
		{"remote_group", "remote_group = MPI_GROUP_EMPTY"}, {"info", "info = MPI_INFO_NULL"}, {"request", "request = MPI_REQUEST_NULL"},
	}
	for _, name := range g.plan.vars {
		list = append(list, declaration{name, "type(MPI_Comm) :: " + name})
		first = append(first, declaration{name, name + " = MPI_COMM_NULL"})
	}
	_, sessions := need["session_group_of"]
	var b strings.Builder
	fmt.Fprintf(&b, fortranHead, g.plan.size, messagesNote(need, "! "), g.plan.size)
	b.WriteString(inFortran.declare(append(list, g.declared...), need))
	if sessions {
		b.WriteString("#if MPI_STANDARD >= 40\n    type(MPI_Session) :: session = MPI_SESSION_NULL\n#endif\n")
	}
	b.WriteString(fortranBegin)
	b.WriteString(inFortran.declare(first, need) + body)
	b.WriteString("    call MPI_Finalize()\n\ncontains\n")
	b.WriteString(fortranReport)
	if _, ok := need["group_of"]; ok {
		b.WriteString(fortranGroupOf)
	}
	if sessions {
		b.WriteString(fortranSessionGroupOf)
	}
	b.WriteString("end program commsplit_program\n")
	_, err := io.WriteString(w, b.String())
	return err
}

const fortranHead = `! The calls of a commsplit session that make communicators or move data, with the arguments that
! each process passed. Calls that only inquire, as for a rank or a group, are left out.
!
!     mpifort -cpp program.f90 -o program && mpirun -n %d ./program
!
! Add -DMPI_STANDARD=40 (or 41, 50) for a library of MPI-4.0 (or 4.1, 5.0): calls that came after
! MPI-3.1 are left out otherwise.
! It prints a line for each process and communicator: the world rank of the process that leads the
! communicator (its rank 0), this process' rank in it, and its size.
%sprogram commsplit_program
    use mpi_f08
    implicit none
    integer, parameter :: length = %d ! processes
    integer :: me, size
`

const fortranBegin = `
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    if (size /= length) then
        print '(a, i0, a, i0)', "this program is for ", length, " processes, not ", size
        call MPI_Abort(MPI_COMM_WORLD, 2)
    end if
`

// fortranReport is leader_of, which finds the world rank of a group's rank 0, and report, which prints who leads a
// communicator and the rank of each process in it.
const fortranReport = `
    ! The leader's world rank of a group.
    integer function leader_of(ranks)
        type(MPI_Group), intent(in) :: ranks
        type(MPI_Group) :: world_group
        integer :: leader(1)
        call MPI_Comm_group(MPI_COMM_WORLD, world_group)
        call MPI_Group_translate_ranks(ranks, 1, [0], world_group, leader)
        call MPI_Group_free(world_group)
        leader_of = leader(1)
    end function leader_of

    ! Process 0 prints what every process holds. Collective over MPI_COMM_WORLD.
    subroutine report(name, comm)
        character(len=*), intent(in) :: name
        type(MPI_Comm), intent(in) :: comm
        character(len=200) :: line
        character(len=200), save :: lines(length)
        type(MPI_Group) :: ranks
        integer :: mine, members, r, used
        logical :: inter
        if (comm == MPI_COMM_NULL) then
            write (line, '(a, i0, a)') "world rank ", me, " -> " // name // ": MPI_COMM_NULL"
        else
            call MPI_Comm_rank(comm, mine)
            call MPI_Comm_size(comm, members)
            call MPI_Comm_test_inter(comm, inter)
            call MPI_Comm_group(comm, ranks)
            write (line, '(a, 4(i0, a))') "world rank ", me, " -> " // name // " led by ", leader_of(ranks), &
                ", rank ", mine, ", size ", members
            call MPI_Group_free(ranks)
            if (inter) then
                call MPI_Comm_remote_size(comm, members)
                call MPI_Comm_remote_group(comm, ranks)
                used = len_trim(line)
                write (line(used + 1:), '(a, i0, a, i0)') "; remote led by ", leader_of(ranks), ", size ", members
                call MPI_Group_free(ranks)
            end if
        end if
        call MPI_Gather(line, 200, MPI_CHARACTER, lines, 200, MPI_CHARACTER, 0, MPI_COMM_WORLD)
        if (me == 0) then
            do r = 1, length
                print '(a)', trim(lines(r))
            end do
        end if
    end subroutine report
`

const fortranGroupOf = `
    ! The group of some world ranks.
    subroutine group_of(n, ranks, made)
        integer, intent(in) :: n, ranks(n)
        type(MPI_Group), intent(out) :: made
        type(MPI_Group) :: world_group
        call MPI_Comm_group(MPI_COMM_WORLD, world_group)
        call MPI_Group_incl(world_group, n, ranks, made)
        call MPI_Group_free(world_group)
    end subroutine group_of
`

const fortranSessionGroupOf = `
#if MPI_STANDARD >= 40
    ! The group of some ranks of the process set mpi://WORLD, in a session of this program.
    subroutine session_group_of(n, ranks, made)
        integer, intent(in) :: n, ranks(n)
        type(MPI_Group), intent(out) :: made
        type(MPI_Group) :: world_group
        if (session == MPI_SESSION_NULL) call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session)
        call MPI_Group_from_session_pset(session, "mpi://WORLD", world_group)
        call MPI_Group_incl(world_group, n, ranks, made)
        call MPI_Group_free(world_group)
    end subroutine session_group_of
#endif
`
