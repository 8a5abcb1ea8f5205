package program

import (
	"strings"
	"sync"

	"go.starlark.net/starlark"
)

// KindInC returns the type in C of a value: "MPI_Comm", "int"; "" for a value without a type in C.
func KindInC(v starlark.Value) string {
	switch v.(type) {
	case *Comm:
		return "MPI_Comm"
	case *Group:
		return "MPI_Group"
	case *Info:
		return "MPI_Info"
	case *Session:
		return "MPI_Session"
	case *Request:
		return "MPI_Request"
	case *Errhandler:
		return "MPI_Errhandler"
	case starlark.Int, starlark.Bool:
		return "int"
	case starlark.String:
		return "char[]"
	}
	return ""
}

var signatures = sync.OnceValue(func() map[string][]string {
	list := map[string][]string{}
	for _, d := range Docs() {
		name := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if params := strings.Trim(d.Signature, "()"); params != "" && list[name] == nil {
			list[name] = strings.Split(params, ", ")
		}
	}
	return list
})

// ParametersOf returns the parameters of a method of MPI's classes, with their defaults: "color=0".
func ParametersOf(method string) []string { return signatures()[method] }
