package recording

import (
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"codeberg.org/commsplit/commsplit/engine"
)

// A site's innermost frame is the function that calls MPI. Large programs wrap each call of MPI in a function, and
// then the innermost frame says nothing: a site is named after the caller where several places call the frame.

// mostLooked is how many wrapping frames a site may skip.
const mostLooked = 3

// settlePlaces chooses for each site the frame that names it, and makes the names of sites differ.
func (r *Recording) settlePlaces() {
	left := slices.Clone(r.sites)
	for depth := 0; depth < mostLooked && len(left) > 0; depth++ {
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
		left = slices.DeleteFunc(left, func(s *Site) bool {
			skips := depth+1 < len(s.Frames) && len(callers[s.Frames[depth].String()]) > 1 && wraps(s.Frames[depth], s.Frames[depth+1])
			if skips {
				s.depth = depth + 1
			}
			return !skips
		})
	}
	r.tellApart()
}

// tellApart gives sites different names. Sites with one name that skipped different frames name these frames again.
// Sites that still have one name get as many callers into their names as are needed, and sites of one call in one line
// their addresses.
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

// callsAt returns the call at each site, by index of the site.
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

// rename calls change for each site that shares its name with others, until change reports no change anymore. same
// has the sites of that name, as they were before the round.
func (r *Recording) rename(change func(s *Site, same []*Site) bool) {
	for changed := true; changed; {
		changed = false
		byName := map[string][]*Site{}
		for _, s := range r.sites {
			byName[s.String()] = append(byName[s.String()], s)
		}
		for _, same := range byName {
			was := make([]Site, len(same)) // change compares the names from before this round
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

// wraps reports whether the outer frame is a function of the program's that calls the inner one from the same module.
func wraps(inner, outer Frame) bool {
	return inner.Module == outer.Module && outer.Function != "_start" && outer.Function != "__libc_start_main"
}

// String returns the place of the call, outside functions that only wrap it: "grid.F90:120". Where several sites have
// that place, it returns "inner < its caller < ... < the caller that makes the difference", or "inner function+0x1f".
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

// Name returns the place of the call, and the function that contains it.
func (s *Site) Name() string {
	text := s.String()
	if f := s.Function(); f != "" && f != "main" && !strings.HasPrefix(text, f+"+") && !strings.Contains(text, " "+f+"+") {
		text += " " + f
	}
	return text
}

// Callers lists the places from which the program came to the site, the nearest first, without those of the standard
// library of C++, whose templates are compiled into the program.
func (s *Site) Callers() []string {
	if s == nil {
		return nil
	}
	var list []string
	for _, f := range s.Frames[s.depth+1:] {
		if name := f.plain(); !strings.HasPrefix(name, "std::") && !strings.HasPrefix(name, "__gnu_cxx::") {
			list = append(list, f.Full())
		}
	}
	return list
}

// elsewhere stands for the places that the recorder did not keep.
const elsewhere = "elsewhere"

// Function returns the function that makes the call, "" when its name is not known.
func (s *Site) Function() string {
	if s == nil {
		return ""
	}
	return s.Frames[s.depth].plain()
}

// Place returns the site as a call site of steps of a trace.
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

// plainName returns the name of a function as its program has it: without the additions of Fortran and C++ compilers,
// and without the types of its parameters.
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
	name, _, _ = strings.Cut(name, ".") // the suffix of a part that the compiler split off
	return strings.TrimRight(name, "_")
}

// lastName returns the last part of the name of a C++ function: split of Teuchos::MpiComm<int>::split.
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
