package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// draft is a world of the proposal of 2019, on the machine of two packages.
func draft() engine.Config {
	cfg := twoPackages()
	cfg.Std = engine.Draft2019
	return cfg
}

// The proposal: info gets the keys mpi_hw_res_0, mpi_hw_res_1, ..., whose values are the names of the
// resource types that are there, and the number of names is returned; variant 1 takes a communicator,
// variant 2 does not. Other keys stay.
func TestHWSubdomainNames(t *testing.T) {
	t.Parallel()
	perRank(t, draft(), func(p *engine.Process) (any, error) {
		for name, f := range map[string]func(*engine.Info) (int, error){
			"variant 1": p.World().HWSubdomainNames, "variant 2": p.HWSubdomainNames,
		} {
			info := naming("color", "red")
			n, err := f(info)
			if n != 5 || err != nil {
				t.Errorf("%s: %d names (%v)", name, n, err)
			}
			var keys, values []string
			for i, text := range listing(t, info) {
				if i%2 == 0 {
					keys = append(keys, text)
				} else {
					values = append(values, text)
				}
			}
			slices.Sort(values)
			wantKeys := []string{"color", "mpi_hw_res_0", "mpi_hw_res_1", "mpi_hw_res_2", "mpi_hw_res_3", "mpi_hw_res_4"}
			wantValues := []string{"Core", "Machine", "NUMANode", "PU", "Package", "red"}
			if diff := cmp.Diff(append(wantKeys, wantValues...), append(keys, values...)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			_, err = f(nil)
			wantClass(t, err, engine.ErrInfo)
		}
		return nil, nil
	})
}

// The proposal: comm must be a communicator.
func TestHWSubdomainNamesCommNull(t *testing.T) {
	t.Parallel()
	var none *engine.Comm
	_, err := none.HWSubdomainNames(engine.NewInfo())
	wantClass(t, err, engine.ErrComm)
}

// The proposal: the value that goes with the key mpi_hw_domain_type may be each of these names;
// MPI_COMM_TYPE_HW_SUBDOMAIN then splits as MPI_COMM_TYPE_HW_GUIDED came to. It does not look at the
// later key, nor HW_GUIDED at this one.
func TestHWSubdomainSplit(t *testing.T) {
	t.Parallel()
	domain := func(v string) func() *engine.Info {
		return func() *engine.Info { return naming(engine.KeyHWDomainType, v) }
	}
	for _, c := range []struct {
		kind engine.SplitType
		info func() *engine.Info
		want [][]int32
	}{
		{engine.TypeHWSubdomain, domain("Package"), [][]int32{{0, 1}, {2, 3, 4}}},
		{engine.TypeHWSubdomain, domain("Core"), [][]int32{{0}, {1}, {2}, {3}}},
		{engine.TypeHWSubdomain, domain("Machine"), [][]int32{{0, 1, 2, 3, 4, 5}}},
		{engine.TypeHWSubdomain, domain("Sofa"), nil},
		{engine.TypeHWSubdomain, noInfo, nil},
		{engine.TypeHWSubdomain, func() *engine.Info { return naming(engine.KeyHWResourceType, "Package") }, nil},
		{engine.TypeHWGuided, domain("Package"), nil},
	} {
		wantParts(t, splitting(t, draft(), c.kind, zero, c.info), c.want)
	}
	err := try(t, draft(), func(p *engine.Process) error {
		info := domain([]string{"Core", "Package"}[p.Rank()%2])()
		_, err := p.World().SplitType(engine.TypeHWSubdomain, 0, info)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Error(), `mpi_hw_domain_type="Core"`, `mpi_hw_domain_type="Package"`)
}

// The proposal did not become part of any version of the standard.
func TestHWSubdomainOnlyInTheDraft(t *testing.T) {
	t.Parallel()
	err := try(t, twoPackages(), func(p *engine.Process) error {
		_, err := p.World().SplitType(engine.TypeHWSubdomain, 0, nil)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Error(), "MPI_COMM_TYPE_HW_SUBDOMAIN was proposed in 2019", "--std draft2019")
	for std, want := range map[engine.Std]int{30: 1, 40: 3, 41: 4, 50: 4, engine.Draft2019: 5} {
		if n := len(engine.SplitTypes(std)); n != want {
			t.Errorf("MPI-%s has %d split types, want %d", std, n, want)
		}
	}
}

// The proposal: the names cannot be set by MPI_Comm_set_info nor retrieved by MPI_Comm_get_info. In
// the standard these keys mean nothing.
func TestHWSubdomainNamesAreNoHints(t *testing.T) {
	t.Parallel()
	for std, want := range map[engine.Std][]string{
		engine.Draft2019: {"color", "red"}, engine.StdLatest: {"mpi_hw_res_0", "Core", "color", "red"},
	} {
		perRank(t, engine.Config{Size: 1, Std: std}, func(p *engine.Process) (any, error) {
			info := naming("mpi_hw_res_0", "Core")
			if err := info.Set("color", "red"); err != nil {
				return nil, err
			}
			if err := p.World().SetInfo(info); err != nil {
				return nil, err
			}
			hints, err := p.World().Hints()
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff(want, listing(t, hints)); diff != "" {
				t.Errorf("MPI-%s (-want +got):\n%s", std, diff)
			}
			return nil, nil
		})
	}
}

// §B (changes): MPI_COMM_DUP passed info hints on in MPI-3.0 and 3.1; from MPI-4.0 on it does not. The
// duplicate's hints are its own.
func TestDupAndHints(t *testing.T) {
	t.Parallel()
	for std, want := range map[engine.Std]int{30: 1, 31: 1, 40: 0, 50: 0, engine.Draft2019: 0} {
		perRank(t, engine.Config{Size: 2, Std: std}, func(p *engine.Process) (any, error) {
			if err := p.World().SetInfo(naming("color", "red")); err != nil {
				return nil, err
			}
			d, err := p.World().Dup()
			if err != nil {
				return nil, err
			}
			if err := p.World().SetInfo(engine.NewInfo()); err != nil {
				return nil, err
			}
			hints, err := d.Hints()
			if err != nil {
				return nil, err
			}
			if n, err := hints.Len(); n != want || err != nil {
				t.Errorf("MPI-%s: %d hints (%v), want %d", std, n, err, want)
			}
			return nil, nil
		})
	}
}
