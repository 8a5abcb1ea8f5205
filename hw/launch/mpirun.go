package launch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// mapBy sets Open MPI's mapping; a second, different mapping is an error.
func (l *Line) mapBy(text string) error {
	if old := l.policy.MapBy; old != "" && !strings.EqualFold(old, text) {
		return fmt.Errorf("ranks are mapped by %s already", old)
	}
	l.policy.MapBy = text
	return nil
}

func openMPIReadings() map[string]reading {
	add := func(l *Line, o *option, _ string) error {
		l.modifiers = append(l.modifiers, o.detail)
		return nil
	}
	return map[string]reading{
		"ranks":    ranks,
		"hosts":    func(l *Line, _ *option, value string) error { return l.hosts("--host", value) },
		"hostfile": func(l *Line, _ *option, value string) error { return l.openMPIHosts(value) },
		"per": func(l *Line, o *option, value string) error {
			if value == "" {
				value = "1"
			}
			if _, err := count(value); err != nil {
				return err
			}
			return l.mapBy("ppr:" + value + ":" + o.detail)
		},
		"ppr":    func(l *Line, _ *option, value string) error { return l.mapBy("ppr:" + value) },
		"map-by": func(l *Line, _ *option, value string) error { return l.mapBy(value) },
		"map":    func(l *Line, o *option, _ string) error { return l.mapBy(o.detail) },
		"bind": func(l *Line, o *option, _ string) error {
			l.policy.BindTo = o.detail
			return nil
		},
		"pe":  counting(func(l *Line) *int { return &l.pe }),
		"add": add,
		"mca": mca,
	}
}

// mca reads an MCA parameter of Open MPI. Parameters of the mapper and of the binder mean the same as options; other
// parameters do not affect the placement.
func mca(l *Line, _ *option, value string) error {
	name, text, _ := strings.Cut(value, " ")
	for _, o := range l.family.options() {
		if slices.ContainsFunc(o.names, func(n string) bool {
			_, known, isVariable := strings.Cut(n, "_MCA_")
			return isVariable && known == name
		}) {
			r := &reader{family: l.family, line: l}
			return r.take(o, "--mca "+name, text)
		}
	}
	if strings.HasPrefix(name, "rmaps") || strings.HasPrefix(name, "hwloc_base_binding") || strings.HasPrefix(name, "hwloc_base_cpu") {
		return errors.New("this parameter about where ranks run is not supported: write --map-by, --rank-by or --bind-to")
	}
	l.Idle = append(l.Idle, "--mca "+value)
	return nil
}

// openMPI returns the policy for the words of an Open MPI line, with the defaults of Open MPI 5: ranks are bound to the
// objects that they are mapped to, and there are not more than slots.
func (l *Line) openMPI(t *hw.Topology) (placement.Policy, error) {
	p := l.policy
	if p.Rankfile != "" {
		return p, nil
	}
	word, given, _ := strings.Cut(strings.ToLower(p.MapBy), ":")
	if word == "rankfile" || word == "seq" || strings.HasPrefix(word, "pe-list") {
		return p, nil
	}
	object, had, ranks := word, strings.Split(given, ":"), l.Ranks
	if word == "ppr" && len(had) > 1 {
		object = had[1]
		if n, err := count(had[0]); err == nil && ranks == 0 {
			ranks = n * len(t.Hosts)
		}
	}
	all := slices.Concat(had, l.modifiers)
	has := func(m string) bool {
		return slices.ContainsFunc(all, func(h string) bool { return h != "" && strings.HasPrefix(m, h) })
	}
	if l.pe > 0 {
		l.modifiers = append(slices.Clone(l.modifiers), "pe="+strconv.Itoa(l.pe))
		all = append(all, "pe="+strconv.Itoa(l.pe))
	}
	pe := slices.ContainsFunc(all, func(h string) bool { return strings.HasPrefix(h, "pe=") })
	if l.slots != nil {
		l.slots = l.ownSlots(t, has("hwtcpus"))
		p.Slots = numbers(l.slots)
	}
	slots := l.totalSlots(t, has("hwtcpus"))
	if l.capped && l.Ranks > slots && has("oversubscribe") {
		return p, fmt.Errorf("%s: max_slots of a hostfile limits --oversubscribe, which is not supported: leave out max_slots", l.Launcher)
	}
	if !has("oversubscribe") && !has("nooversubscribe") {
		if l.Ranks > slots {
			return p, fmt.Errorf("%s: not enough slots: %d ranks, but %s: add --oversubscribe", l.Launcher, l.Ranks, spell.Plural(slots, "slot"))
		}
		l.modifiers = append(slices.Clone(l.modifiers), "nooversubscribe")
	}
	if p.BindTo == "" && has("oversubscribe") && l.Ranks > slots {
		p.BindTo = "none"
	}
	if ranks == 0 {
		ranks = slots
	}
	if word == "" {
		if _, err := placement.New(t, 1, placement.Policy{BindTo: p.BindTo}); err != nil { // which names the option
			return p, err
		}
		object = mapped(t, p.BindTo, pe && !slices.Contains(all, "pe=1"), ranks, has("hwtcpus"))
		p.MapBy = object + p.MapBy
	}
	if p.BindTo == "" && !pe {
		p.BindTo = boundBy(object, has("hwtcpus"), ranks)
	}
	if len(l.modifiers) > 0 {
		p.MapBy += ":" + strings.Join(l.modifiers, ":")
	}
	return p, nil
}

// mapped returns the object that Open MPI 5 maps ranks to by default (prte_rmaps_base_set_default_mapping of PRRTE 3.0.3
// and later): for several CPUs a rank, slots; else the object that ranks are bound to.
func mapped(t *hw.Topology, bind string, several bool, ranks int, threads bool) string {
	bind, _, _ = strings.Cut(bind, ":")
	switch {
	case several || bind == "none":
		return "slot"
	case bind != "":
		return bind
	case ranks <= 2 && threads:
		return "hwthread"
	case ranks <= 2:
		return "core"
	case t.ResourceOf(hw.Package) != nil:
		return "package"
	case t.ResourceOf(hw.NUMANode) != nil:
		return "numa"
	}
	return "slot"
}

// boundBy returns the object that Open MPI binds ranks to by default, for the object that they are mapped to.
func boundBy(object string, threads bool, ranks int) string {
	switch {
	case object == "" || strings.HasPrefix(object, "dev"), object == "gpu":
		return ""
	case object != "slot" && object != "node" && object != "host" && object != "machine":
		return object
	case ranks > 2:
		return "numa"
	case threads:
		return "hwthread"
	}
	return "core"
}

// totalSlots returns how many ranks fit before CPUs are shared.
func (l *Line) totalSlots(t *hw.Topology, threads bool) (total int) {
	for _, n := range l.slots {
		total += n
	}
	if l.slots != nil {
		return total
	}
	return len(slotsOf(t, threads).Instances)
}

// slotsOf returns the type of the objects that are slots where the line has no number.
func slotsOf(t *hw.Topology, threads bool) *hw.Resource {
	if r := t.ResourceOf(hw.Core); r != nil && !threads {
		return r
	}
	return t.ResourceOf(hw.PU)
}

func numbers(list []int) string {
	var text []string
	for _, n := range list {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

func hydraReadings() map[string]reading {
	return map[string]reading{
		"ranks":    ranks,
		"ppn":      counting(func(l *Line) *int { return &l.perNode }),
		"hosts":    func(l *Line, _ *option, value string) error { return l.hosts("-hosts", value) },
		"hostfile": func(l *Line, _ *option, value string) error { return l.hostfile(value, hydraHost) },
		"bind-to": func(l *Line, _ *option, value string) error {
			l.hydraBind = strings.ToLower(value)
			return nil
		},
		"hydra-map": func(l *Line, _ *option, value string) error {
			l.hydraMap = strings.ToLower(value)
			return nil
		},
	}
}

// hydraObject matches the objects that Hydra knows (get_hw_obj_list of topo_hwloc.c). Of caches, it may tell the kind.
var hydraObject = regexp.MustCompile(`^(?:machine|socket|package|numa(?:node)?|core|hwthread|(l[1-5])[du]?cache)$`)

// hydra returns the policy for the words of a Hydra line: the machines get ranks in turn, each time the number of -ppn or
// of the machine's slots, and ranks are bound only with -bind-to.
func (l *Line) hydra(t *hw.Topology) (placement.Policy, error) {
	var p placement.Policy
	hosts := len(t.Hosts)
	switch {
	case l.perNode > 0:
		p.Slots = numbers(slices.Repeat([]int{l.perNode}, hosts))
	case l.slots != nil:
		p.Slots = numbers(l.slots)
	case hosts > 1:
		return p, fmt.Errorf("mpiexec of Hydra: the line does not say how many ranks each of %s gets: write -ppn N",
			spell.Plural(hosts, "machine"))
	}
	if l.Ranks == 0 {
		return p, errors.New("mpiexec of Hydra starts one rank without -n: write -n N")
	}
	bind, times, counted := strings.Cut(l.hydraBind, ":")
	switch {
	case bind == "user" || bind == "rr":
		p.BindTo, p.Slots = l.hydraBind, ""
		if hosts == 1 && l.hydraMap == "" {
			return p, nil
		}
		return p, fmt.Errorf("mpiexec of Hydra -bind-to %s: it is supported only on one machine, without -map-by", l.hydraBind)
	case bind == "" || bind == "none":
		p.MapBy, p.BindTo = "slot", "none"
		return p, nil
	}
	p.MapBy, p.BindTo = l.hydraMap, bind+":overload-allowed"
	if p.MapBy == "" {
		p.MapBy = bind
	}
	if strings.Contains(p.MapBy, ":") {
		return p, fmt.Errorf("mpiexec of Hydra -map-by %s: several objects at a time are not supported: leave out the number", p.MapBy)
	}
	for i, w := range []*string{&p.BindTo, &p.MapBy} {
		flag := []string{"-bind-to", "-map-by"}[i]
		word, rest, _ := strings.Cut(*w, ":")
		m := hydraObject.FindStringSubmatch(word)
		switch {
		case slices.Contains([]string{"gpu", "ib", "en", "eth", "hfi", "hsn", "pci", "pe"}, word):
			return p, fmt.Errorf("mpiexec of Hydra %s: placement near a device is not supported for Hydra: use "+
				"mpirun's --map-by device=gpu or device=network", word)
		case m == nil:
			return p, fmt.Errorf("mpiexec of Hydra %s %s: want machine, socket, numa, core, hwthread, or l1cache to l5cache", flag, word)
		case m[1] != "":
			*w = strings.TrimSuffix(m[1]+"cache:"+rest, ":")
		}
	}
	if counted {
		n, err := count(times)
		if err != nil || bind != "core" && bind != "hwthread" {
			return p, fmt.Errorf("mpiexec of Hydra -bind-to %s: want core:N or hwthread:N", l.hydraBind)
		}
		if p.MapBy == bind {
			p.MapBy = "slot"
		}
		p.MapBy, p.BindTo = fmt.Sprintf("%s:pe=%d", p.MapBy, n), ":overload-allowed"
		if bind == "hwthread" {
			p.MapBy += ":hwtcpus"
		}
	}
	return p, nil
}
