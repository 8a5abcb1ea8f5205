package engine

import "fmt"

// Std is a version of the MPI standard, major*10+minor: 22 is MPI-2.2.
type Std int

const (
	// StdLatest is the newest version of the standard that the engine follows, and its default.
	StdLatest Std = 50

	// Draft2019 is StdLatest together with the proposal of 2019 for a query function of the guided
	// mode, which became MPI_Get_hw_resource_info in another form: MPI_Get_hwsubdomain_names,
	// MPI_COMM_TYPE_HW_SUBDOMAIN and the info key mpi_hw_domain_type.
	Draft2019 Std = 2019
)

// String returns the version as the standard writes it: "2.2"; for the proposal "draft2019".
func (s Std) String() string {
	if s == Draft2019 {
		return "draft2019"
	}
	return fmt.Sprintf("%d.%d", s/10, s%10)
}

// Version returns the version that MPI_Get_version returns; for the proposal that of StdLatest.
func (s Std) Version() (major, minor int) {
	if s == Draft2019 {
		s = StdLatest
	}
	return int(s / 10), int(s % 10)
}

// Title returns "MPI-5.0", for the proposal "MPI-5.0 with the proposal of 2019".
func (s Std) Title() string {
	if s == Draft2019 {
		return "MPI-" + StdLatest.String() + " with the proposal of 2019"
	}
	return "MPI-" + s.String()
}

// dupCopiesHints reports whether MPI_Comm_dup copies info hints: from MPI-3.0, which introduced
// them, until MPI-4.0.
func (s Std) dupCopiesHints() bool { return s >= 30 && s < 40 }

// Lacks tells that name does not exist in version s because it came with version came.
func (s Std) Lacks(name string, came Std) string {
	if came == Draft2019 {
		return fmt.Sprintf("%s was proposed in 2019 and did not become part of the standard: --std draft2019 has it", name)
	}
	return fmt.Sprintf("%s does not exist in MPI-%s (it came with MPI-%s)", name, s, came)
}
