// Screenshot makes a picture of a session of the terminal UI, without a terminal:
//
//	go run ./cmd/screenshot --manual
//	go run ./cmd/screenshot [--light] [--colors none|16|256] [--move] WIDTHxHEIGHT OUT.svg 'FLAGS' KEYS...
//
// FLAGS are those of commsplit ('-n 12 --topo figure-7.3'), KEYS the keys that are pressed: a name of tmux's (Enter,
// Escape, C-c, M-b, F1, Up), a character, 'text:WORDS', or 'sleep:SECONDS'. With --move the picture plays the
// session. The same words give the same bytes. --manual makes the pictures of the manual, in the folder of the repository.
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

// picture is what the words ask for.
type picture struct {
	light, move   bool
	colors        paint.Colors
	width, height int
	out           string
	flags         string // of commsplit
	keys          []string
}

func run(args []string, errs io.Writer) error {
	if len(args) == 1 && args[0] == "--manual" {
		return writeManual(".")
	}
	p, err := parse(args, errs)
	if err != nil {
		return err
	}
	data, err := p.draw()
	if err != nil {
		return err
	}
	return wholefile.Write(p.out, data, 0o644)
}

// parse reads the words behind the name of the command.
func parse(args []string, errs io.Writer) (*picture, error) {
	flags := flag.NewFlagSet("screenshot", flag.ContinueOnError)
	flags.SetOutput(errs)
	light := flags.Bool("light", false, "a light background")
	words := flags.String("colors", "256", "how many colors the terminal has: none, 16 or 256")
	move := flags.Bool("move", false, "play the session, instead of its last screen")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() < 3 {
		return nil, fmt.Errorf("write a size, a file, the flags of commsplit, and keys: 120x40 half.svg '-n 12 --topo figure-7.3' F2")
	}
	p := &picture{light: *light, move: *move, out: flags.Arg(1), flags: flags.Arg(2), keys: flags.Args()[3:]}
	if n, err := fmt.Sscanf(flags.Arg(0), "%dx%d", &p.width, &p.height); n != 2 || err != nil || p.width < 1 || p.height < 1 {
		return nil, fmt.Errorf("%s: a size is WIDTHxHEIGHT in characters, such as 120x40", flags.Arg(0))
	}
	var ok bool
	if p.colors, ok = colors[*words]; !ok {
		return nil, fmt.Errorf("--colors %s: the words are none, 16 and 256", *words)
	}
	if !strings.HasSuffix(p.out, ".svg") {
		return nil, fmt.Errorf("%s: pictures are SVG files; name it so", p.out)
	}
	return p, nil
}

// draw plays the session and gives its picture.
func (p *picture) draw() ([]byte, error) {
	world, err := cmd.World(repl.NewScript("flags", "# commsplit: "+p.flags+"\n").Flags) // it knows of quotes
	if err != nil {
		return nil, err
	}
	s, err := film.Open(tui.Options{Config: world, Colors: p.colors, Dark: !p.light, Still: !p.move, Flags: cmd.World}, p.width, p.height)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for _, key := range p.keys {
		if err := s.Press(key); err != nil {
			return nil, err
		}
	}
	var data bytes.Buffer
	if p.move {
		err = s.Moving(&data, !p.light)
	} else {
		err = s.Still(&data, !p.light)
	}
	return data.Bytes(), err
}
