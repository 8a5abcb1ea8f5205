package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// A link is the part of an address behind #: n=12&topo=figure-7.3&run=LINE&run=LINE. Its keys are the flags that
// make a world, without their dashes; open=EXAMPLE, which begins with an embedded script on the world that the script
// asks for; practice=EXERCISE; and run=LINE, once for each line, in order. The page takes out its own keys, for the
// moment that it shows, the selection and the pane.

// The world of a page whose link names no hardware.
const (
	usualTopo = "figure-7.3"
	usualSize = 12
)

// flags has the function that reads the value of each key of the world.
var flags = func() map[string]func(cfg *repl.Config, value string) error {
	count := func(n func(*repl.Config) *int) func(*repl.Config, string) error {
		return func(cfg *repl.Config, value string) error {
			k, err := strconv.Atoi(value)
			if err != nil || k < 1 {
				return errors.New("it is a number from 1 on")
			}
			*n(cfg) = k
			return nil
		}
	}
	list := map[string]func(*repl.Config, string) error{
		"n":            count(func(cfg *repl.Config) *int { return &cfg.Size }),
		"max-contexts": count(func(cfg *repl.Config) *int { return &cfg.Contexts }),
		"topo":         func(cfg *repl.Config, value string) error { cfg.Topo = value; return nil },
		"std":          func(cfg *repl.Config, value string) error { cfg.Std = value; return nil },
		"pset":         func(cfg *repl.Config, value string) error { cfg.Psets = append(cfg.Psets, value); return nil },
	}
	for _, f := range placement.Flags {
		list[f.Name] = func(cfg *repl.Config, value string) error { *f.Of(&cfg.Policy) = value; return nil }
	}
	return list
}()

// asked is a link, parsed.
type asked struct {
	world  repl.Config
	script string // an embedded script
	until  int    // the step up to which the script runs; -1 for its end
	solve  string // an exercise
	lines  []string
}

// readLink parses a link. It leaves out unknown keys and bad values, and returns an error that lists them.
func readLink(text string) (asked, error) {
	l := asked{until: -1}
	var errs []error
	for pair := range strings.SplitSeq(strings.TrimPrefix(text, "#"), "&") {
		key, value, err := unescaped(pair)
		set := flags[key]
		switch {
		case err != nil:
			errs = append(errs, err)
		case pair == "":
		case key == "run":
			l.lines = append(l.lines, value)
		case key == "open":
			l.script = value
		case key == "practice":
			l.solve = value
		case key == "until":
			if n, err := strconv.Atoi(value); err == nil && n >= 0 {
				l.until = n
			} else {
				errs = append(errs, fmt.Errorf("the link has until=%s: it is the number of a step", value))
			}
		case set == nil:
			errs = append(errs, fmt.Errorf("the link has %q, which is unknown%s: its keys are %s", key, spell.DidYouMean(key, keys()), strings.Join(keys(), ", ")))
		default:
			if err := set(&l.world, value); err != nil {
				errs = append(errs, fmt.Errorf("the link has %s=%s: %w", key, value, err))
			}
		}
	}
	return l, errors.Join(errs...)
}

func unescaped(pair string) (key, value string, err error) {
	key, value, _ = strings.Cut(pair, "=")
	if key, err = url.QueryUnescape(key); err == nil {
		value, err = url.QueryUnescape(value)
	}
	if err != nil {
		err = fmt.Errorf("the link has %q, which is not text of an address: %w", pair, err)
	}
	return key, value, err
}

// keys lists the keys that a person may write.
func keys() []string {
	list := []string{"n", "topo", "run", "open", "until", "practice", "std", "pset", "max-contexts"}
	for _, f := range placement.Flags {
		list = append(list, f.Name)
	}
	return list
}

// allowed returns an error for a world that is made from a file or from standard input, or that has too many ranks
// for a page.
func allowed(cfg repl.Config) error {
	if cfg.Size > page.MostRanks {
		return fmt.Errorf("-n %d: a page shows at most %d ranks", cfg.Size, page.MostRanks)
	}
	if source.ReadsFile(cfg.Topo) || strings.TrimSpace(cfg.Topo) == "-" {
		return fmt.Errorf("the hardware %s is a file: %s", cfg.Topo, sealed)
	}
	if cfg.Policy.ReadsFile() {
		return fmt.Errorf("a rankfile is a file: %s", sealed)
	}
	return nil
}

// open opens the session of a link and runs its lines. After a mistake in the link it begins the usual world, and tells
// the mistake. Lines behind a line that fails do not run.
func (d *Desk) open(ctx context.Context, q *Request, a *Answer) error {
	l, mistake := readLink(q.Text)
	if l.world.Topo == "" {
		l.world.Topo, l.world.Size = usualTopo, cmp.Or(l.world.Size, usualSize)
	}
	if mistake == nil {
		mistake = allowed(l.world)
	}
	var begun error
	if mistake == nil {
		begun = d.openAs(ctx, &l, q)
	}
	if mistake = cmp.Or(mistake, begun); mistake != nil {
		if err := d.begin(ctx, repl.Config{Size: usualSize, Topo: usualTopo}, q); err != nil {
			return err
		}
		d.tell(mistake)
		return d.present(a)
	}
	for i, line := range l.lines {
		err := d.run(ctx, line)
		if d.input.Pending() {
			err = cmp.Or(err, d.run(ctx, "")) // the end of a block
		}
		if err == nil {
			continue
		}
		d.again = line
		if n := len(l.lines) - i - 1; n > 0 {
			d.say("bad", fmt.Sprintf("note: %s of the link behind this one did not run\n", spell.Plural(n, "line")))
		}
		break
	}
	return d.present(a)
}

// openAs begins the session that a link asks for, without the lines of the link.
func (d *Desk) openAs(ctx context.Context, l *asked, q *Request) error {
	if l.solve != "" {
		return d.exercise(ctx, l.solve, q)
	}
	if l.script == "" {
		return d.begin(ctx, l.world, q)
	}
	file, text, ok := scripts.Lookup(l.script)
	if !ok {
		return fmt.Errorf("there is no example %s%s", l.script, spell.DidYouMean(l.script, scripts.Names()))
	}
	return d.play(ctx, stories.NewScript(file, text), l.until, q)
}

// play begins a session with an embedded script, up to a step, -1 for its end. Its output is not printed: the panes
// show the results.
func (d *Desk) play(ctx context.Context, script *stories.Script, until int, q *Request) error {
	chunks, err := script.Chunks()
	if err != nil {
		return err
	}
	cfg, err := worldOf(script.Flags)
	if err != nil {
		return fmt.Errorf("%s: %w", script.Name, err)
	}
	if err := d.begin(ctx, cfg, q); err != nil {
		return err
	}
	name, _, _ := strings.Cut(script.Name, ".mpi")
	d.script = &opened{key: "open", name: strings.TrimSuffix(name, ".py"), title: script.Title(), until: until}
	d.console.Silent, d.console.Aside = true, stream{&Desk{}, "out"}
	defer func() { d.console.Silent = false }()
	for _, c := range chunks {
		there := until >= 0 && d.console.Session.Steps() >= until
		if there && repl.Issues(c, "ask") {
			break
		}
		if err := d.console.Do(ctx, c); err != nil {
			d.tell(err)
			break
		}
		if there && d.console.Session.Steps() > until {
			if _, err := d.console.Session.Undo(ctx, 1); err != nil {
				return err
			}
			break
		}
	}
	d.script.chunks = d.console.Session.Chunks()
	return nil
}

// worldOf reads the flags of a script that make its world, and skips the flags of other outputs.
func worldOf(words []string) (repl.Config, error) {
	var cfg repl.Config
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(words[i], "-"), "=")
		if !joined && i+1 < len(words) {
			i++
			value = words[i]
		}
		switch set := flags[name]; {
		case name == "np", name == "ntasks":
			name = "n"
			fallthrough
		case set != nil:
			if err := flags[name](&cfg, value); err != nil {
				return cfg, fmt.Errorf("--%s %s: %w", name, value, err)
			}
		}
	}
	return cfg, nil
}

// link returns the link of the present session.
func (d *Desk) link() string {
	s := d.console.Session
	chunks := s.Chunks()
	var b strings.Builder
	add := func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(key + "=" + escaped(value))
	}
	if x := d.script; x != nil && len(chunks) >= len(x.chunks) && slices.Equal(chunks[:len(x.chunks)], x.chunks) {
		add(x.key, x.name)
		if x.until >= 0 {
			add("until", strconv.Itoa(x.until))
		}
		chunks = chunks[len(x.chunks):]
	} else {
		addWorld(s.Config(), s.Size(), add)
	}
	for _, c := range chunks {
		if text := strings.TrimRight(c.Text, "\n"); strings.TrimSpace(text) != "" && c.Kind != lang.Meta {
			add("run", text)
		}
	}
	return b.String()
}

// addWorld writes the keys of a world, in a fixed order.
func addWorld(cfg repl.Config, size int, add func(key, value string)) {
	put := func(key, value string) {
		if value != "" {
			add(key, value)
		}
	}
	put("n", strconv.Itoa(size))
	put("topo", cfg.Topo)
	for _, f := range placement.Flags {
		put(f.Name, *f.Of(&cfg.Policy))
	}
	put("std", cfg.Std)
	if cfg.Contexts > 0 && cfg.Contexts != engine.MaxContexts {
		put("max-contexts", strconv.Itoa(cfg.Contexts))
	}
	for _, p := range cfg.Psets {
		put("pset", p)
	}
}

// escaped escapes a text for a link, but leaves characters that links can have readable.
func escaped(text string) string {
	return strings.NewReplacer("%3D", "=", "%2C", ",", "%3A", ":", "%40", "@", "%28", "(", "%29", ")", "%2F", "/", "%22", "\"", "%5B", "[", "%5D", "]", "%2A", "*").
		Replace(url.QueryEscape(text))
}
