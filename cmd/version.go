package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"commsplit/engine"
)

// version is what the build says of itself: a module version, or "devel" with the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel " + s.Value[:12]
		}
	}
	return "devel"
}

func newVersion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "the version of commsplit, of Go and of the standard",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "commsplit %s\n%s %s/%s\nMPI-%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.StdLatest)
			return err
		},
	}
}
