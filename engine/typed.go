package engine

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"runtime"
	"sync"
)

// The functions of this file move values between programs in Go. Methods of Comm with the same names move the
// bare Go values, which the processes then share.

// Send sends a copy of value to rank dest (MPI_Send, §3.2.1). It never waits for the receiver. A value that cannot
// be copied is MistakeValueShared.
func Send[T any](c *Comm, value T, dest, tag int) error {
	own, err := private(c, CallSend, value)
	if err != nil {
		return err
	}
	return c.Send(own, dest, tag)
}

// Isend is Send; the request is complete at once (MPI_Isend, §3.7.2).
func Isend[T any](c *Comm, value T, dest, tag int) (*Request, error) {
	own, err := private(c, CallIsend, value)
	if err != nil {
		return nil, err
	}
	return c.Isend(own, dest, tag)
}

// Recv waits for a message from source with tag; AnySource and AnyTag match all (MPI_Recv, §3.2.4). From ProcNull
// it returns the zero value. A message of another type is received, and is MistakeValueType.
func Recv[T any](c *Comm, source, tag int) (T, Envelope, error) {
	var none T
	e, err := c.Recv(source, tag)
	if err != nil || e.Source == ProcNull {
		return none, e, err
	}
	v, err := received[T](c, CallRecv, e.Value)
	return v, e, err
}

// Value is the value of a message that Wait, Test or one of their like received; the zero value when the request
// received none. A message of another type is MistakeValueType.
func Value[T any](e Envelope) (T, error) {
	v, ok := as[T](e.Value)
	if !ok && e.Value != nil {
		return v, otherType[T](CallRecv, e.Value)
	}
	return v, nil
}

// Bcast returns a copy of root's value on all processes (MPI_Bcast, §6.4). What the others pass does not count. On
// an intercommunicator the processes of root's own group get the zero value.
func Bcast[T any](c *Comm, value T, root int) (T, error) {
	var none T
	var own any
	if c.isRoot(root) {
		var err error
		if own, err = private(c, CallBcast, value); err != nil {
			return none, err
		}
	}
	v, err := c.Bcast(own, root)
	if err != nil || root < 0 {
		return none, err
	}
	return separate[T](c, CallBcast, v)
}

// Gather returns the values of all processes, by rank, at root and nil elsewhere (MPI_Gather, §6.5).
func Gather[T any](c *Comm, value T, root int) ([]T, error) {
	own, err := private(c, CallGather, value)
	if err != nil {
		return nil, err
	}
	list, err := c.Gather(own, root)
	if err != nil || list == nil {
		return nil, err
	}
	return each(list, func(v any) (T, error) { return received[T](c, CallGather, v) })
}

// Scatter returns the element of root's values that has the caller's rank (MPI_Scatter, §6.6). root passes one value
// per process, or it is MistakeValueCount; what the others pass does not count. On an intercommunicator the
// processes of root's own group get the zero value.
func Scatter[T any](c *Comm, values []T, root int) (T, error) {
	var none T
	var own []any
	if c.isRoot(root) {
		var err error
		if own, err = each(values, func(v T) (any, error) { return private(c, CallScatter, v) }); err != nil {
			return none, err
		}
	}
	v, err := c.Scatter(own, root)
	if err != nil || root < 0 {
		return none, err
	}
	return received[T](c, CallScatter, v)
}

// Allgather returns the values of all processes, by rank (MPI_Allgather, §6.7).
func Allgather[T any](c *Comm, value T) ([]T, error) {
	own, err := private(c, CallAllgather, value)
	if err != nil {
		return nil, err
	}
	list, err := c.Allgather(own)
	if err != nil {
		return nil, err
	}
	return each(list, func(v any) (T, error) { return separate[T](c, CallAllgather, v) })
}

// Alltoall returns what each process passed for the caller (MPI_Alltoall, §6.8). Each passes one value per process,
// or it is MistakeValueCount.
func Alltoall[T any](c *Comm, values []T) ([]T, error) {
	own, err := each(values, func(v T) (any, error) { return private(c, CallAlltoall, v) })
	if err != nil {
		return nil, err
	}
	list, err := c.Alltoall(own)
	if err != nil {
		return nil, err
	}
	return each(list, func(v any) (T, error) { return received[T](c, CallAlltoall, v) })
}

// Reduce combines the values of all processes in rank order, at root; the zero value elsewhere (MPI_Reduce,
// §6.9.1). op is associative, such as [Sum]. All processes pass the same function, or it is MistakeOpsDiffer.
func Reduce[T any](c *Comm, value T, op func(a, b T) T, root int) (T, error) {
	var none T
	own, err := private(c, CallReduce, value)
	if err != nil {
		return none, err
	}
	v, err := c.Reduce(own, reduction(CallReduce, op), root)
	if err != nil || !c.isRoot(root) {
		return none, err
	}
	return received[T](c, CallReduce, v)
}

// Allreduce combines the values of all processes in rank order (MPI_Allreduce, §6.9.6). op is as for [Reduce].
func Allreduce[T any](c *Comm, value T, op func(a, b T) T) (T, error) {
	return reduceForAll(c, CallAllreduce, c.Allreduce, value, op)
}

// Scan combines the values of ranks 0 to the caller's (MPI_Scan, §6.11.1). op is as for [Reduce]. It is for
// intracommunicators.
func Scan[T any](c *Comm, value T, op func(a, b T) T) (T, error) {
	return reduceForAll(c, CallScan, c.Scan, value, op)
}

// Exscan combines the values of the ranks below the caller's; the zero value on rank 0 (MPI_Exscan, §6.11.2). op is
// as for [Reduce]. It is for intracommunicators.
func Exscan[T any](c *Comm, value T, op func(a, b T) T) (T, error) {
	return reduceForAll(c, CallExscan, c.Exscan, value, op)
}

// reduceForAll makes a reduction whose result several processes may get.
func reduceForAll[T any](c *Comm, call Call, run func(any, Op) (any, error), value T, op func(a, b T) T) (T, error) {
	var none T
	own, err := private(c, call, value)
	if err != nil {
		return none, err
	}
	v, err := run(own, reduction(call, op))
	if err != nil || call == CallExscan && c.rank == 0 {
		return none, err
	}
	return separate[T](c, call, v)
}

// reduction is op for the methods of Comm, with the name of the function. A scan returns all that op makes, so each
// time op gets a copy of what it made before.
func reduction[T any](call Call, op func(a, b T) T) Op {
	f := runtime.FuncForPC(reflect.ValueOf(op).Pointer())
	return Op{Name: path.Base(f.Name()), Combine: func(a, b any) (any, error) {
		x, ok := as[T](a)
		if !ok {
			return nil, otherType[T](call, a)
		}
		y, ok := as[T](b)
		if !ok {
			return nil, otherType[T](call, b)
		}
		if call == CallScan || call == CallExscan {
			x, _ = copied(x) // which could be copied before
		}
		return op(x, y), nil
	}}
}

// Sum is MPI_SUM for reductions: engine.Allreduce(c, x, engine.Sum).
func Sum[T number](a, b T) T { return a + b }

// Prod is MPI_PROD for reductions.
func Prod[T number](a, b T) T { return a * b }

// Max is MPI_MAX for reductions.
func Max[T cmp.Ordered](a, b T) T { return max(a, b) }

// Min is MPI_MIN for reductions.
func Min[T cmp.Ordered](a, b T) T { return min(a, b) }

// number is what can be added and multiplied.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// isRoot reports whether the caller is the root of a call in which it names root so.
func (c *Comm) isRoot(root int) bool {
	return c != nil && (root == Root || c.core.remote == nil && root == int(c.rank))
}

// each is the list of what f makes of the elements of list, or the first error.
func each[A, B any](list []A, f func(A) (B, error)) (out []B, err error) {
	out = make([]B, len(list))
	for i, v := range list {
		if out[i], err = f(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// private is the copy of a value that a process passes.
func private[T any](c *Comm, call Call, value T) (any, error) {
	if err := c.Check(call); err != nil {
		return nil, err
	}
	own, shared := copied(value)
	if shared != "" {
		return nil, c.fail(MistakeValueShared.In(call, typeName[T](), shared))
	}
	return own, nil
}

// received is a value that no other process gets.
func received[T any](c *Comm, call Call, value any) (T, error) {
	v, ok := as[T](value)
	if !ok {
		return v, c.fail(otherType[T](call, value))
	}
	return v, nil
}

// separate is a copy of a value that other processes get, too.
func separate[T any](c *Comm, call Call, value any) (T, error) {
	v, err := received[T](c, call, value)
	if err != nil {
		return v, err
	}
	own, shared := copied(v)
	if shared != "" { // a method of Comm sent it
		return own, c.fail(MistakeValueShared.In(call, typeName[T](), shared))
	}
	return own, nil
}

// as is value as a T. Of an interface type, nil is a value.
func as[T any](value any) (T, bool) {
	v, ok := value.(T)
	if !ok && value == nil {
		ok = reflect.TypeFor[T]().Kind() == reflect.Interface
	}
	return v, ok
}

func otherType[T any](call Call, value any) *Error {
	return MistakeValueType.In(call, fmt.Sprintf("%T", value), typeName[T]())
}

func typeName[T any]() string { return reflect.TypeFor[T]().String() }

// copied is a copy of v with which no one can modify v. shared is the type of the part of v that cannot be copied;
// "" when all can.
func copied[T any](v T) (own T, shared string) {
	switch any(v).(type) {
	case bool, string, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64:
		return v, ""
	}
	if isFlat(reflect.TypeFor[T]()) {
		return v, ""
	}
	from := v // which goes to the heap
	shared = copyInto(reflect.ValueOf(&own).Elem(), reflect.ValueOf(&from).Elem(), maxDepth)
	return own, shared
}

// maxDepth is how deep values may be inside of each other: a list that contains itself is deeper.
const maxDepth = 1000

// copyInto sets to, which is zero, to a copy of from. It returns the type of the part that cannot be copied.
func copyInto(to, from reflect.Value, depth int) (shared string) {
	t := from.Type()
	if isFlat(t) {
		to.Set(from)
		return ""
	}
	if depth == 0 {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Slice:
		if from.IsNil() {
			return ""
		}
		to.Set(reflect.MakeSlice(t, from.Len(), from.Len()))
		if isFlat(t.Elem()) {
			reflect.Copy(to, from)
			return ""
		}
		return copyElements(to, from, depth)
	case reflect.Array:
		return copyElements(to, from, depth)
	case reflect.Map:
		return copyMap(to, from, depth)
	case reflect.Struct:
		return copyFields(to, from, depth)
	case reflect.Interface:
		if from.IsNil() {
			return ""
		}
		inner := reflect.New(from.Elem().Type()).Elem()
		if shared := copyInto(inner, from.Elem(), depth-1); shared != "" {
			return shared
		}
		to.Set(inner)
		return ""
	}
	return t.String()
}

func copyElements(to, from reflect.Value, depth int) string {
	for i := range from.Len() {
		if shared := copyInto(to.Index(i), from.Index(i), depth-1); shared != "" {
			return shared
		}
	}
	return ""
}

func copyMap(to, from reflect.Value, depth int) string {
	if from.IsNil() {
		return ""
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for it := from.MapRange(); it.Next(); {
		key, value := reflect.New(from.Type().Key()).Elem(), reflect.New(from.Type().Elem()).Elem()
		if shared := cmp.Or(copyInto(key, it.Key(), depth-1), copyInto(value, it.Value(), depth-1)); shared != "" {
			return shared
		}
		to.SetMapIndex(key, value)
	}
	return ""
}

func copyFields(to, from reflect.Value, depth int) string {
	to.Set(from)
	for i := range from.NumField() {
		field := from.Type().Field(i)
		if isFlat(field.Type) {
			continue
		}
		if !field.IsExported() { // which reflection cannot set
			return field.Type.String()
		}
		to.Field(i).SetZero()
		if shared := copyInto(to.Field(i), from.Field(i), depth-1); shared != "" {
			return shared
		}
	}
	return ""
}

// flat holds types for which isFlat has been asked.
var flat sync.Map // of reflect.Type to bool

// isFlat reports whether an assignment copies a value of the type whole.
func isFlat(t reflect.Type) bool {
	if known, ok := flat.Load(t); ok {
		return known.(bool)
	}
	is := false
	switch k := t.Kind(); k {
	case reflect.Array:
		is = t.Len() == 0 || isFlat(t.Elem())
	case reflect.Struct:
		is = true
		for i := range t.NumField() {
			is = is && isFlat(t.Field(i).Type)
		}
	default:
		is = k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
	}
	flat.Store(t, is)
	return is
}
