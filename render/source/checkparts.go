package source

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/engine"
)

// stays reports whether the program ends with an attempt.
func (x *comparison) stays() bool {
	return x != nil && (x.attempt.Step > 0 || len(x.attempt.Calls) > 0)
}

// includes come first: what nanosleep and alarm need.
func (x *comparison) includes() string {
	if x == nil {
		return ""
	}
	return "#define _POSIX_C_SOURCE 200809L\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n"
}

// head is the functions of a program for comparing, in place of the report to a reader.
func (x *comparison) head() string {
	if x == nil {
		return cReport
	}
	after := "MPI_Abort(MPI_COMM_WORLD, 3);"
	if x.stays() {
		after = "/* and goes on */"
	}
	var classes strings.Builder
	for _, c := range engine.Classes() {
		if c.Since() < 40 {
			fmt.Fprintf(&classes, "    if (class == %s) return \"%[1]s\";\n", c)
		}
	}
	return strings.NewReplacer("CLASSES", classes.String(), "AFTER", after, "SECONDS", strconv.Itoa(x.seconds)).Replace(checkHead)
}

func (x *comparison) begin() string {
	if x == nil {
		return ""
	}
	return "    introduce(argc > 1 ? argv[1] : \".\");\n"
}

// grace is how many seconds a program gives whoever waits for it to end it, before it ends itself.
const grace = 10

// limit comes before MPI_Init: a process that hangs, anywhere, does not outlive who started it for long.
func (x *comparison) limit() string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("    alarm(%d); /* nobody may be left to end this process */\n", x.seconds+grace)
}

// arrived tells that only the report is left.
func (x *comparison) arrived() string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("    at(%d);\n", x.last+1)
}

// end is the last step of a program for comparing.
func (x *comparison) end() string {
	if !x.stays() {
		return ""
	}
	return "    stay();\n"
}

// title is how the report calls a handle; the world where there is none is index 0.
func (x *comparison) title(name string, index int) string {
	if x == nil {
		return name
	}
	return "#" + strconv.Itoa(index)
}
