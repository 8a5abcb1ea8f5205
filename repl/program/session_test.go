package program

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// coupled configures a world of four ranks with two process sets.
func coupled(std engine.Std) engine.Config {
	return engine.Config{Size: 4, Std: std, Psets: []engine.Pset{
		{Name: "app://ocean", Ranks: engine.RanksOf(0, 1)}, {Name: "app://atmos", Ranks: engine.RanksOf(2, 3)}}}
}

// Sessions under mpi4py's names (§11.3): process sets, communicators made from sessions, and null handles.
func TestSessionPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"process sets", text(
			"s = MPI.Session.Init()",
			"print([s.Get_nth_pset(i) for i in range(s.Get_num_psets())])",
			"print(s.Get_pset_info(\"app://atmos\")[\"mpi_size\"], s.Get_info()[\"thread_level\"])",
			"print(s.Create_group(\"app://atmos\"), MPI.Group.Create_from_session_pset(s, \"mpi://self\"))"),
			[]string{"0-1: ['mpi://WORLD', 'mpi://SELF', 'app://ocean']", "2-3: ['mpi://WORLD', 'mpi://SELF', 'app://atmos']",
				"0-3: 2 MPI_THREAD_MULTIPLE", "0: <Group [2, 3]> <Group [0]>", "1: <Group [2, 3]> <Group [1]>",
				"2: <Group [2, 3]> <Group [2]>", "3: <Group [2, 3]> <Group [3]>"}},
		{"a communicator of a set, and what a split makes of it", text(
			"s = MPI.Session.Init(errhandler=MPI.ERRORS_RETURN)",
			"c = MPI.Intracomm.Create_from_group(s.Create_group(\"mpi://WORLD\").Incl([3, 2, 1, 0]), \"org.example\")",
			"mine = \"app://ocean\" if c.rank > 1 else \"app://atmos\"",
			"d = c.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, info=MPI.Info.Create({\"mpi_pset_name\": mine}))",
			"print(c.rank, d.rank, d.size, d.Get_errhandler())"),
			[]string{"0: 3 1 2 <Errhandler MPI_ERRORS_RETURN>", "1: 2 0 2 <Errhandler MPI_ERRORS_RETURN>",
				"2: 1 1 2 <Errhandler MPI_ERRORS_RETURN>", "3: 0 0 2 <Errhandler MPI_ERRORS_RETURN>"}},
		{"arguments of the constructor", text(
			"i = MPI.Info.Create({\"color\": \"red\"})",
			"c = MPI.Intracomm.Create_from_group(MPI.COMM_SELF.group, info=i, errhandler=MPI.ERRORS_ABORT)",
			"print(c.Get_info()[\"color\"], c.Get_errhandler(), MPI.MAX_STRINGTAG_LEN >= 63, MPI.MAX_PSET_NAME_LEN >= 63)",
			"expect_error(MPI.ERR_ERRHANDLER, MPI.Intracomm.Create_from_group, world.group, \"x\", i, MPI.ERRHANDLER_NULL)",
			"expect_error(MPI.ERR_GROUP, MPI.Intracomm.Create_from_group, MPI.GROUP_NULL)",
			"expect_error(MPI.ERR_ARG, MPI.Intracomm.Create_from_group, world.group, \"x\" * 256)",
			"expect(MPI.Intracomm.Create_from_group(MPI.GROUP_EMPTY) == MPI.COMM_NULL, \"local\")"),
			[]string{"0-3: red <Errhandler MPI_ERRORS_ABORT> True True"}},
		{"null sessions", text(
			"s = MPI.Session.Init(MPI.INFO_NULL)",
			"print(s == MPI.SESSION_NULL, bool(s), s)",
			"s.Finalize()",
			"print(s == MPI.SESSION_NULL, bool(s), s, MPI.ERRHANDLER_NULL, bool(MPI.ERRHANDLER_NULL))",
			"expect_error(MPI.ERR_SESSION, s.Get_info)",
			"expect_error(MPI.ERR_SESSION, MPI.SESSION_NULL.Finalize)",
			"i = MPI.Info.Create()",
			"i.Free()",
			"expect_error(MPI.ERR_INFO, MPI.Session.Init, i)",
			"expect_error(MPI.ERR_INFO, MPI.Session.Init().Get_num_psets, i)"),
			[]string{"0-3: False True <Session>",
				"0-3: True False <Session MPI_SESSION_NULL> <Errhandler MPI_ERRHANDLER_NULL> False"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := runChunks(t, coupled(engine.StdLatest), tt.text)
			if f := out.status.Failure; f != nil {
				t.Fatal(f)
			}
			out.prints(t, tt.want)
		})
	}
}

// The error of a wrong argument names the argument.
func TestSessionArguments(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"MPI.Session.Init(3)\n":                              "Init: info must be an info object",
		"MPI.Session.Init(errhandler=3)\n":                   "Init: errhandler must be an error handler, such as MPI.ERRORS_RETURN, or None, not 3 (int)",
		"MPI.Group.Create_from_session_pset(world, \"x\")\n": "Create_from_session_pset: session must be a session",
		"MPI.Intracomm.Create_from_group(world)\n":           "Create_from_group: group must be a group",
		"MPI.Intracomm.Create_from_group(world.group, 7)\n":  "Create_from_group: stringtag must be a string",
	} {
		if got := programError(t, runChunks(t, coupled(engine.StdLatest), program)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// Sessions came with MPI-4.0; no version has the names of the proposal of 2019.
func TestSessionVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		std        engine.Std
		text, want string
	}{
		{30, "MPI.Session\n", "MPI_Session does not exist in MPI-3.0 (it came with MPI-4.0)"},
		{30, "MPI.Intracomm.Create_from_group(world.group)\n", "MPI_Comm_create_from_group does not exist in MPI-3.0"},
		{40, "MPI.ERR_ERRHANDLER\n", "MPI_ERR_ERRHANDLER does not exist in MPI-4.0 (it came with MPI-4.1)"},
		{31, "MPI.ERR_SESSION\n", "MPI_ERR_SESSION does not exist in MPI-3.1 (it came with MPI-4.0)"},
		{11, "MPI.ERR_INFO\n", "MPI_ERR_INFO does not exist in MPI-1.1 (it came with MPI-2.0)"},
		{50, "MPI.COMM_TYPE_HW_SUBDOMAIN\n", "MPI_COMM_TYPE_HW_SUBDOMAIN was proposed in 2019"},
		{50, "MPI.Get_hwsubdomain_names(world, MPI.Info.Create())\n", "MPI_Get_hwsubdomain_names was proposed in 2019"},
	} {
		if got := programError(t, runChunks(t, coupled(tt.std), tt.text)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// Both variants of the proposal's query work; MPI_Get_version returns the latest version of the standard.
func TestSubdomainPrograms(t *testing.T) {
	t.Parallel()
	out := runChunks(t, coupled(engine.Draft2019), text(
		"i = MPI.Info.Create()",
		"print(MPI.Get_hwsubdomain_names(i), MPI.Get_hwsubdomain_names(world, MPI.Info.Create()), i)",
		"print(MPI.Get_version(), MPI.VERSION, MPI.SUBVERSION)",
		"expect_error(MPI.ERR_COMM, MPI.Get_hwsubdomain_names, MPI.COMM_NULL, i)",
		"MPI.Get_hwsubdomain_names(world)"))
	if got := programError(t, out); !strings.Contains(got, "Get_hwsubdomain_names: info must be an info object") {
		t.Error(got)
	}
	want := []string{`0-3: 2 2 <Info {"mpi_hw_res_0": "Machine", "mpi_hw_res_1": "PU"}>`, "0-3: (5, 0) 5 0"}
	out.prints(t, want)
}
