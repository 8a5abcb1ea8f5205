package syntax

func Fortran(src string) (*Program, error) { return nil, Beyond(Pos{1, 1}, "Fortran") }
