// Screenshot makes a picture of a session of the terminal UI, without a terminal:
//
//	go run ./cmd/screenshot [--light] [--colors none|16|256] [--move] WIDTHxHEIGHT OUT.svg 'FLAGS' KEYS...
//
// FLAGS are those of commsplit ('-n 12 --topo figure-7.3'), KEYS the keys that are pressed: a name of tmux's (Enter,
// Escape, C-c, M-b, F1, Up), a character, 'text:WORDS', or 'sleep:SECONDS'. With --move the picture plays the
// session. The same words give the same bytes.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"commsplit/cmd"
	"commsplit/hw/wholefile"
	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/tui"
	"commsplit/tui/film"
	_ "commsplit/tui/quiet"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(2)
	}
}

// colors are how many colors the terminal has, by their word.
var colors = map[string]paint.Colors{"none": paint.NoColor, "16": paint.Colors16, "256": paint.Colors256}

func run(args []string, errs io.Writer) error {
	flags := flag.NewFlagSet("screenshot", flag.ContinueOnError)
	flags.SetOutput(errs)
	light := flags.Bool("light", false, "a light background")
	words := flags.String("colors", "256", "how many colors the terminal has: none, 16 or 256")
	move := flags.Bool("move", false, "play the session, instead of its last screen")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 3 {
		return fmt.Errorf("write a size, a file, the flags of commsplit, and keys: 120x40 half.svg '-n 12 --topo figure-7.3' F2")
	}
	var w, h int
	if n, err := fmt.Sscanf(flags.Arg(0), "%dx%d", &w, &h); n != 2 || err != nil || w < 1 || h < 1 {
		return fmt.Errorf("%s: a size is WIDTHxHEIGHT in characters, such as 120x40", flags.Arg(0))
	}
	c, ok := colors[*words]
	if !ok {
		return fmt.Errorf("--colors %s: the words are none, 16 and 256", *words)
	}
	out := flags.Arg(1)
	if !strings.HasSuffix(out, ".svg") {
		return fmt.Errorf("%s: pictures are SVG files; name it so", out)
	}
	world, err := cmd.World(repl.NewScript("flags", "# commsplit: "+flags.Arg(2)+"\n").Flags) // it knows of quotes
	if err != nil {
		return err
	}
	s, err := film.Open(tui.Options{Config: world, Colors: c, Dark: !*light, Still: !*move, Flags: cmd.World}, w, h)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, key := range flags.Args()[3:] {
		if err := s.Press(key); err != nil {
			return err
		}
	}
	var picture bytes.Buffer
	if *move {
		err = s.Moving(&picture, !*light)
	} else {
		err = s.Still(&picture, !*light)
	}
	if err != nil {
		return err
	}
	return wholefile.Write(out, picture.Bytes(), 0o644)
}
