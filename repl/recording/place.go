package recording

import (
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"commsplit/engine"
)

// A site's innermost frame is where the call of MPI stands. Large programs have one function of their own around
// each call of MPI, and then it says nothing: a frame that is reached from several places is looked through.

// mostLooked is how many frames are looked through.
const mostLooked = 3

// settlePlaces finds for each site the frame that tells it from others.
func (r *Recording) settlePlaces() {
	left := r.sites
	for depth := 0; len(left) > 0; depth++ {
		callers := map[string]map[string]bool{}
		for _, s := range left {
			if depth+1 < len(s.Frames) {
				key := s.Frames[depth].String()
				if callers[key] == nil {
					callers[key] = map[string]bool{}
				}
				callers[key][s.Frames[depth+1].String()] = true
			}
		}
		var next []*Site
		for _, s := range left {
			if depth == mostLooked {
				break
			}
			if len(callers[s.Frames[depth].String()]) > 1 && depth+1 < len(s.Frames) && wraps(s.Frames[depth], s.Frames[depth+1]) {
				s.depth = depth + 1
				next = append(next, s)
			}
		}
		left = next
	}
	r.tellApart()
}

// tellApart makes the names of sites differ: of sites that a frame looked through would confuse, the frame is named
// again; those that stand at the same place have as many of their callers in the name as tell them apart, and several
// of one kind in one line their addresses.
func (r *Recording) tellApart() {
	inner := func(s *Site) string { return s.Frames[s.depth-1].String() }
	r.rename(func(s *Site, same []*Site) bool {
		differ := s.depth > 0 && slices.ContainsFunc(same, func(o *Site) bool { return o.depth == 0 || inner(o) != inner(s) })
		if differ {
			s.depth--
		}
		return differ
	})
	r.rename(func(s *Site, _ []*Site) bool {
		more := s.depth+s.more+1 < len(s.Frames)
		if more {
			s.more++
		}
		return more
	})
	calls := r.callsAt()
	r.rename(func(s *Site, same []*Site) bool {
		f := s.Frames[s.depth]
		inexact := !s.exact && f.Line > 0 && f.Function != "" &&
			slices.ContainsFunc(same, func(o *Site) bool { return o.index != s.index && calls[o.index] == calls[s.index] })
		s.exact = s.exact || inexact
		return inexact
	})
}

// callsAt are the calls at the sites, by index.
func (r *Recording) callsAt() []*op {
	list := make([]*op, len(r.sites))
	for _, p := range r.Processes {
		for i := range p.calls {
			if c := &p.calls[i]; c.site != nil {
				list[c.site.index] = c.op
			}
		}
		for i := range p.counts {
			if c := &p.counts[i]; c.site != nil {
				list[c.site.index] = c.op
			}
		}
	}
	return list
}

// rename changes the names of sites with the same name until nothing changes. change reports whether it did.
func (r *Recording) rename(change func(s *Site, same []*Site) bool) {
	for changed := true; changed; {
		changed = false
		byName := map[string][]*Site{}
		for _, s := range r.sites {
			byName[s.String()] = append(byName[s.String()], s)
		}
		for _, same := range byName {
			was := make([]Site, len(same)) // change looks at the names as they were
			var before []*Site
			for i, s := range same {
				was[i] = *s
				before = append(before, &was[i])
			}
			for _, s := range same {
				changed = len(same) > 1 && change(s, before) || changed
			}
		}
	}
}

// wraps reports whether a frame is of a function that others of the program call; the beginning of the program is
// called by none of them.
func wraps(inner, outer Frame) bool {
	return inner.Module == outer.Module && outer.Function != "_start" && outer.Function != "__libc_start_main"
}

// Through is the function of the program's own around the call, "" when there is none.
func (s *Site) Through() string {
	if s.depth == 0 {
		return ""
	}
	return plainName(s.Frames[0].Function)
}

// String is where the call stands, behind functions that only wrap it: "grid.F90:120". Where several sites stand there,
// it is "inner < its caller < ... < the caller that tells it from others", or "inner function+0x1f".
func (s *Site) String() string {
	if s == nil {
		return elsewhere
	}
	f := s.Frames[s.depth]
	text := f.String()
	if s.exact {
		f.Line = 0
		text += " " + f.String()
	}
	for i, f := range s.Frames[s.depth+1 : s.depth+1+s.more] {
		if i == 0 || i == s.more-1 {
			text += " < " + f.String()
		} else if i == 1 {
			text += " < ..."
		}
	}
	return text
}

// Callers are the places from which the program came to the site, the nearest first.
func (s *Site) Callers() []string {
	if s == nil {
		return nil
	}
	var list []string
	for _, f := range s.Frames[s.depth+1:] {
		list = append(list, f.Full())
	}
	return list
}

// elsewhere stands for the places that the recorder did not keep.
const elsewhere = "elsewhere"

// Function is the function that the call stands in, "" when its name is not known.
func (s *Site) Function() string {
	if s == nil {
		return ""
	}
	return plainName(s.Frames[s.depth].Function)
}

// Place is the site as steps of a trace have it.
func (s *Site) Place() engine.Site {
	if s == nil {
		return engine.Site{File: elsewhere}
	}
	f := s.Frames[s.depth]
	if f.Line > 0 && s.more == 0 && !s.exact {
		return engine.Site{File: f.File, Line: int32(f.Line)}
	}
	return engine.Site{File: s.String()}
}

// plainName is a function as its program calls it: without what compilers of Fortran and C++ add, and without the types
// of its parameters.
func plainName(name string) string {
	if strings.HasPrefix(name, "0x") {
		return ""
	}
	if strings.HasPrefix(name, "_Z") {
		if plain, err := demangle.ToString(name, demangle.NoParams, demangle.NoClones); err == nil {
			return plain
		}
	}
	if i := strings.Index(name, "_MOD_"); i >= 0 {
		name = name[i+len("_MOD_"):]
	}
	name, _, _ = strings.Cut(name, ".") // a part that the compiler made of it
	return strings.TrimRight(name, "_")
}

// lastName is the last part of a function of C++: split of Teuchos::MpiComm<int>::split.
func lastName(name string) string {
	nested := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case '>', ')':
			nested++
		case '<', '(':
			nested--
		case ':':
			if nested == 0 {
				return name[i+1:]
			}
		}
	}
	return name
}
