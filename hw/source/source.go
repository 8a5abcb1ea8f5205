// Package source turns the text that names hardware everywhere (--topo, .open)
// into a topology: this machine, a preset, or a synthetic description. It only
// decides what the text is; packages detect, preset and synthetic do the work.
// It does not read hwloc XML files or recorded /proc and /sys trees.
package source

import (
	"context"
	"fmt"
	"strings"

	"commsplit/hw"
	"commsplit/hw/detect"
	"commsplit/hw/preset"
	"commsplit/hw/spell"
	"commsplit/hw/synthetic"
)

// Load returns the topology that spec names: "" or "this" is the machine we
// run on, a preset's name is that preset, and what has a ':' or starts with a
// digit, '[' or '(' is a synthetic description. Errors of the last are of type
// *synthetic.Error; an unknown name is told with the preset nearest to it.
func Load(ctx context.Context, spec string) (*hw.Topology, error) {
	text := strings.TrimSpace(spec)
	if text == "" || text == "this" {
		return detect.This(ctx)
	}
	if t, ok := preset.Lookup(text); ok {
		return t, nil
	}
	switch {
	case strings.HasPrefix(text, "fsroot:"):
		return nil, fmt.Errorf("hardware %q: recorded /proc and /sys trees cannot be read yet", text)
	case strings.HasSuffix(strings.ToLower(text), ".xml"):
		return nil, fmt.Errorf("hardware %q: hwloc XML files cannot be read yet", text)
	case isSynthetic(text):
		root, err := synthetic.Parse(text)
		if err != nil {
			return nil, err
		}
		return hw.New(text, root), nil
	}
	return nil, unknown(text)
}

func isSynthetic(text string) bool {
	return strings.Contains(text, ":") || strings.ContainsRune("0123456789[(", rune(text[0]))
}

func unknown(text string) error {
	if near := spell.Nearest(text, preset.Names()); near != "" {
		return fmt.Errorf("hardware %q is unknown: did you mean %s?", text, near)
	}
	return fmt.Errorf("hardware %q is unknown: use this, a description such as "+
		"\"pack:2 core:4 pu:2\", or a preset: %s", text, strings.Join(preset.Names(), ", "))
}
