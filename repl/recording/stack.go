package recording

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/repl/recording/symbols"
)

// module is the program, or a library that it loaded, as a process tells.
type module struct {
	path   string // "" for code outside all modules
	id     string
	system bool // it belongs to the system or to MPI, and not to the program
}

// name returns the base name of the file.
func (m module) name() string { return path.Base(m.path) }

// finder looks up the addresses of a recording, and notes which files it cannot use.
type finder struct {
	symbols.Finder
	gone, other []string // base names of the program's own files: missing ones, and ones of another build
}

// frames returns the functions around the call that returns to an offset of a module, the innermost first.
func (f *finder) frames(m module, offset uint64) []Frame {
	places, err := f.Places(m.path, m.id, offset)
	if err != nil && !m.system {
		list := &f.gone
		if errors.Is(err, symbols.ErrOther) {
			list = &f.other
		}
		if !slices.Contains(*list, m.name()) {
			*list = append(*list, m.name())
		}
	}
	var all []Frame
	for _, p := range places {
		all = append(all, Frame{Module: m.name(), Function: p.Function, Offset: "+0x" + strconv.FormatUint(p.Offset, 16),
			File: p.File, Line: p.Line, system: m.system})
	}
	if len(all) == 0 {
		all = []Frame{{system: m.system, Module: m.name()}}
	}
	for i := range all {
		if all[i].Function == "" {
			all[i].Function, all[i].Offset = "0x"+strconv.FormatUint(offset, 16), ""
		}
	}
	return all
}

// notes returns notes about the files of the program that were not used.
func (f *finder) notes() []string {
	var list []string
	add := func(names []string, one, many string) {
		if n := len(names); n > 0 {
			text := one
			if n > 1 {
				text = many
			}
			if n > mostNamed {
				names = append(slices.Clone(names[:mostNamed]), fmt.Sprintf("%d more", n-mostNamed))
			}
			list = append(list, strings.Join(names, ", ")+" "+text)
		}
	}
	add(f.other, "is here as another build than the one that ran, and is not used: places in it are addresses",
		"are here as other builds than those that ran, and are not used: places in them are addresses")
	add(f.gone, "is not here: places in it are addresses", "are not here: places in them are addresses")
	return list
}

// mostNamed is how many files a note names.
const mostNamed = 4

// systemFolders lists the folders with the files of a distribution.
var systemFolders = []string{"/lib", "/lib32", "/lib64", "/bin", "/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/bin", "/usr/sbin"}

// mpiFiles lists the beginnings of the names of MPI's libraries, which a person may have built in any folder.
var mpiFiles = []string{"libmpi", "libpmpi", "libfmpich", "libopen-rte", "libopen-pal", "libpmix", "libprrte", "libmca_common", "mca_", "libucp.", "libucs.", "libfabric."}

// layers lists the beginnings of the names of libraries between programs and MPI, in any folder: HDF5 and libraries
// that write through it, PETSc, hypre, BLACS and ScaLAPACK, Trilinos, Boost, mpi4py.
var layers = []string{"libhdf5", "libnetcdf", "libpnetcdf", "libadios", "libpetsc", "libslepc", "libHYPRE", "libblacs", "libscalapack",
	"libmkl_", "libteuchos", "libtpetra", "libxpetra", "libmuelu", "libepetra", "libifpack", "libzoltan", "libtrilinos", "libboost_", "MPI."}

// layerFunctions lists the beginnings of the names of such libraries' functions, which a program may have linked into
// itself or compiled from headers.
var layerFunctions = []string{"PMPI_", "MPI::", "Petsc", "Cblacs_", "blacs_", "BI_", "Teuchos::", "Tpetra::", "Xpetra::", "boost::mpi::"}

// isLayer reports whether a frame is in a layer between the program and MPI.
func isLayer(f Frame) bool {
	name := plainName(f.Function)
	return slices.ContainsFunc(layers, func(p string) bool { return strings.HasPrefix(f.Module, p) }) ||
		slices.ContainsFunc(layerFunctions, func(p string) bool { return strings.HasPrefix(name, p) })
}

// inLibrary reports whether a frame is in a library that makes communicators for itself: not in MPI, and not in a
// library that only passes a program's calls on to MPI.
func inLibrary(f Frame) bool {
	return !strings.HasPrefix(f.Module, "MPI.") && f.Module != pythonModule && f.Module != "?" &&
		!strings.HasPrefix(f.Module, "libc.so.") && !ofMPI(f.Module)
}

// ofMPI reports whether a file, by its base name, belongs to MPI.
func ofMPI(base string) bool {
	return slices.ContainsFunc(mpiFiles, func(p string) bool { return strings.HasPrefix(base, p) })
}

// isSystem reports whether a file belongs to the system or to MPI, and not to the program.
func isSystem(file string) bool {
	return file == "" || slices.ContainsFunc(systemFolders, func(f string) bool { return strings.HasPrefix(file, f+"/") }) || ofMPI(path.Base(file))
}

// module reads "module N ID PATH".
func (in *processReader) module(fields []string) error {
	n, ok := integer(fields, 1)
	if !ok || len(fields) < 4 || int(n) != len(in.modules) {
		return fmt.Errorf("a module has a number, an id and a path, and they count from 0: this is %q", hw.Clip(strings.Join(fields[1:], " ")))
	}
	m := module{path: unquoted(fields[3]), id: fields[2]}
	m.system = isSystem(m.path) && (m.name() != in.r.program || strings.HasPrefix(m.name(), "python")) // a program may be installed there
	in.modules = append(in.modules, m)
	return nil
}

// pythonLine reads "line L FUNCTION FILE NUMBER", of a program in Python.
func (in *processReader) pythonLine(fields []string) error {
	n, ok := integer(fields, 1)
	if !ok || len(fields) < 5 || int(n) != len(in.lines) {
		return fmt.Errorf("a line has a number, a function, a file and its number there, and they count from 0: this is %q", hw.Clip(strings.Join(fields[1:], " ")))
	}
	number, ok := integer(fields, 4)
	if !ok || number < 0 {
		return fmt.Errorf("%q is not a number of a line", hw.Clip(fields[4]))
	}
	file := unquoted(fields[3])
	in.lines = append(in.lines, Frame{Module: pythonModule, Function: unquoted(fields[2]), File: path.Base(file), Line: int(number),
		system: isSystem(file) || strings.Contains(file, "/site-packages/") || strings.Contains(file, "/dist-packages/") || strings.HasPrefix(file, "<")})
	return nil
}

// pythonModule is the module of a Python program's frames.
const pythonModule = "python"

// stack reads "stack S MODULE+0xOFFSET ...".
func (in *processReader) stack(fields []string) error {
	if len(fields) < 3 {
		return errors.New(`want "stack SITE MODULE+0xOFFSET ...", separated by tabs`)
	}
	frames, err := in.frames(fields[2:])
	if err != nil {
		return err
	}
	return in.place(fields[1], frames)
}

// fault reads where the process died: "fault MODULE+0xOFFSET ...".
func (in *processReader) fault(fields []string) error {
	frames, err := in.frames(fields[1:])
	if err != nil || len(frames) == 0 {
		return err
	}
	in.p.Fault = &userFrames(frames)[0]
	return nil
}

// died reads where the process died, with names in place of addresses: "died MODULE FUNCTION LINE ...".
func (in *processReader) died(fields []string) error {
	if len(fields) < 4 || (len(fields)-1)%3 != 0 {
		return errors.New(`want "died" and a module, a function and a line for each frame, separated by tabs`)
	}
	in.p.Fault = &userFrames(framesOf(fields[1:]))[0]
	return nil
}

// frames returns the functions at addresses, the innermost first, up to main.
func (in *processReader) frames(places []string) ([]Frame, error) {
	var all []Frame
	for _, text := range places {
		if number, is := strings.CutPrefix(text, "l"); is {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || n >= len(in.lines) {
				return nil, fmt.Errorf("%q is not a line of Python that was told", hw.Clip(text))
			}
			all = append(all, in.lines[n])
			continue
		}
		number, at, _ := strings.Cut(text, "+0x")
		offset, err := strconv.ParseUint(at, 16, 64)
		n, err2 := strconv.Atoi(number)
		m := module{}
		switch {
		case err != nil || number != "?" && (err2 != nil || n < 0 || n >= len(in.modules)):
			return nil, fmt.Errorf("%q is not an offset in a module", hw.Clip(text))
		case number != "?":
			m = in.modules[n]
		}
		if strings.HasPrefix(m.name(), "libc.so.") && slices.ContainsFunc(all, func(f Frame) bool { return !f.system }) {
			break // what starts main, or a thread; abort, which the program calls, comes before it
		}
		if m.path == "" {
			all = append(all, Frame{Module: "?", Function: "0x" + at, system: true})
			continue
		}
		more := in.sites.find.frames(m, offset)
		if i := slices.IndexFunc(more, func(f Frame) bool { return f.Function == "main" }); i >= 0 {
			return append(all, more[:i+1]...), nil
		}
		all = append(all, more...)
	}
	return all, nil
}

// userFrames returns the frames from the first frame of the program on; all frames where none is of the program.
func userFrames(frames []Frame) []Frame {
	i := slices.IndexFunc(frames, func(f Frame) bool { return !f.system && !isLayer(f) })
	return frames[max(i, 0):]
}
