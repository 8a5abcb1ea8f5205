package calls

import "testing"

// A row says who takes part, what C declares, and what an argument is.
func TestRows(t *testing.T) {
	byName := map[string]*Procedure{}
	constants := map[string]bool{"": true}
	for _, p := range All {
		if byName[p.Name] != nil || p.Constant != "" && constants[p.Constant] {
			t.Errorf("%s is there twice", p.Name)
		}
		byName[p.Name], constants[p.Constant] = p, true
		switch p.Party {
		case Local, Communicator, Group, TwoCommunicators, TwoGroups, OtherWorlds:
		default:
			t.Errorf("%s: nobody is %q", p.Name, p.Party)
		}
	}
	cart := byName["MPI_Cart_create"] // MPI-5.0 §8.5.1
	want := "MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart)"
	if cart.Signature != want {
		t.Errorf("C declares %s, not %s", want, cart.Signature)
	}
	if p := cart.Param("periods"); !p.Logical || !p.In || !p.Array || p.Length != "ndims" || p.Type != "int" {
		t.Errorf("periods are %+v", *p)
	}
	if p := cart.Gives("MPI_Comm"); p == nil || p.Name != "comm_cart" || p.In || cart.Takes("MPI_Comm").Name != "comm_old" {
		t.Errorf("the new communicator is %+v", p)
	}
	if p := byName["MPI_Group_range_incl"].Param("ranges"); !p.Triples || p.Length != "n" || p.Const {
		t.Errorf("ranges are %+v", *p)
	}
	if p := byName["MPI_Comm_free"]; p.Ends("MPI_Comm") == nil || p.Gives("MPI_Comm") != nil {
		t.Error("MPI_Comm_free gives a communicator up, and makes none")
	}
	if p := byName["MPI_Comm_get_name"]; len(p.Statement) != 2 || p.Statement[1] != "{resultlen} = len({comm_name})" {
		t.Errorf("MPI_Comm_get_name means %q", p.Statement)
	}
}

// A procedure has one row, be it modelled or not: the recorder's wrapper of it is defined once.
func TestCarriersOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Carriers {
		if seen[p.Name] {
			t.Errorf("%s has two rows", p.Name)
		}
		seen[p.Name] = true
	}
}
