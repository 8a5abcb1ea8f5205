package programs

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// asked are the columns that lscpu is asked for; for CACHE it gives one column a cache.
const asked = "CPU,NODE,SOCKET,CORE,BOOK,DRAWER,CACHE"

// columns are the kinds that lscpu's columns stand for, by their names in lower case.
var columns = map[string]account.Kind{
	"cpu": account.Of(hw.PU), "node": account.Of(hw.NUMANode),
	"socket": account.Of(hw.Package), "core": account.Of(hw.Core),
	"book":   {Type: hw.Group, Subtype: "Book"},
	"drawer": {Type: hw.Group, Subtype: "Drawer"},
	"l1d":    account.Of(hw.L1Cache), "l1i": account.Of(hw.L1iCache), "l1": account.Of(hw.L1Cache),
	"l2": account.Of(hw.L2Cache), "l2d": account.Of(hw.L2Cache), "l2i": account.Of(hw.L2iCache),
	"l3": account.Of(hw.L3Cache), "l4": account.Of(hw.L4Cache), "l5": account.Of(hw.L5Cache),
}

// Lscpu is what lscpu says of the PUs that are online, of this machine where root is "" and
// else of the one whose /proc and /sys are below root. The notes are about what it said
// that cannot be used.
func Lscpu(ctx context.Context, root string) (a account.Account, notes []string, err error) {
	args := []string{"--parse=" + asked}
	if root != "" {
		args = append(args, "--sysroot", root)
	}
	text, err := run(ctx, "lscpu", args...)
	if err != nil {
		return nil, nil, err
	}
	a, notes, err = parseLscpu(text)
	if err != nil {
		return nil, nil, fmt.Errorf("lscpu: %w", err)
	}
	return a, notes, nil
}

// parseLscpu reads lines "0,0,0,0,,,,0,0,0" below comments, of which the last names the
// columns: "# CPU,Node,Socket,Core,Book,DRAWER,,L1d,L1i,L2".
func parseLscpu(text string) (account.Account, []string, error) {
	last := ""
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		last = strings.TrimSpace(strings.TrimPrefix(line, "#"))
	}
	if !strings.HasPrefix(last, "CPU,") {
		return nil, nil, fmt.Errorf("%q does not name the columns", last)
	}
	t := table{names: strings.Split(strings.ToLower(last), ","), of: map[place]hw.Set{}}
	lines := csv.NewReader(strings.NewReader(text))
	lines.Comment, lines.FieldsPerRecord = '#', -1
	rows, err := lines.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if err := t.row(row); err != nil {
			return nil, nil, err
		}
	}
	a, notes := t.account()
	return a, notes, nil
}

// place is a thing: a column and the number in it.
type place struct{ column, number int }

// table gathers the PUs of each thing.
type table struct {
	names  []string // of the columns
	of     map[place]hw.Set
	order  []place
	ragged bool // a line has fewer caches than others: it is not known which
}

func (t *table) row(fields []string) error {
	pu, err := strconv.Atoi(fields[0])
	if err != nil || pu < 0 || pu > hw.MaxIndex {
		return fmt.Errorf("%q is no PU", fields[0])
	}
	t.ragged = t.ragged || len(fields) != len(t.names)
	for i := range min(len(fields), len(t.names)) {
		if fields[i] == "" || fields[i] == "-" {
			continue
		}
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return fmt.Errorf("%q is no number", fields[i])
		}
		at := place{i, n}
		set, ok := t.of[at]
		if !ok {
			t.order = append(t.order, at)
		}
		set.Add(pu)
		t.of[at] = set
	}
	return nil
}

// account makes things of the places. A column without any number is one of which lscpu
// says nothing.
func (t *table) account() (account.Account, []string) {
	a := account.Account{}
	for _, at := range t.order {
		k, ok := columns[t.names[at.column]]
		if !ok || t.ragged && k.Type.IsCache() {
			continue
		}
		thing := account.Thing{OSIndex: hw.Unknown, CPUSet: t.of[at]}
		if k.Type == hw.NUMANode || k.Type == hw.PU {
			thing.OSIndex = at.number
		}
		a.Add(k, thing)
	}
	if !t.ragged {
		return a, nil
	}
	return a, []string{"lscpu drops empty fields of caches, so that the others cannot be told apart: not used"}
}
