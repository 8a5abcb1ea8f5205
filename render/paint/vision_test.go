package paint

import (
	"fmt"
	"math"
	"testing"
)

// seen is how the eyes of people see the linear red, green and blue of a screen: Machado, Oliveira and Fernandes, A
// Physiologically-based Model for Simulation of Color Vision Deficiency (2009), whole deficiency.
var seen = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
	"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
}

// Any two of the first eight colors of communicators differ by a CIEDE2000 difference of at least 12, cells as well as
// text, for people with normal sight, deuteranopia and protanopia.
func TestFirstEightColorsDiffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list   *[Slots]hue
		colors Colors
	}{
		"cells on dark": {&onDark.fills, TrueColor}, "cells on light": {&onLight.fills, TrueColor},
		"text on dark": {&onDark.inks, TrueColor}, "text on light": {&onLight.inks, TrueColor},
		"cells on dark, 256": {&onDark.fills, Colors256}, "cells on light, 256": {&onLight.fills, Colors256},
	} {
		for sight, m := range seen {
			for a := range 8 {
				for b := range a {
					d := ciede2000(labSeen(&c.list[a], c.colors, m), labSeen(&c.list[b], c.colors, m))
					if d < 12 {
						t.Errorf("%s, %s: slots %d and %d differ by %.1f", name, sight, b, a, d)
					}
				}
			}
		}
	}
}

// The difference is CIEDE2000's: pairs 1, 7, 17 and 25 of Sharma, Wu and Dalal's published test data (2005).
func TestColorDifference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b [3]float64
		want string
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, "2.0425"},
		{[3]float64{50, 0, 0}, [3]float64{50, -1, 2}, "2.3669"},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, "27.1492"},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, "1.2644"},
	} {
		if got := fmt.Sprintf("%.4f", ciede2000(c.a, c.b)); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// labSeen returns a color in CIE L*a*b* (D65), as eyes see it.
func labSeen(h *hue, colors Colors, eyes [3][3]float64) [3]float64 {
	r, g, b := h.channels(colors)
	var linear, cone [3]float64
	for i, c := range []int{r, g, b} {
		linear[i] = luminance(c, c, c)
	}
	for i, row := range eyes {
		cone[i] = min(max(row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*cone[0] + 0.3575761*cone[1] + 0.1804375*cone[2]) / 0.95047)
	y := f(0.2126729*cone[0] + 0.7151522*cone[1] + 0.0721750*cone[2])
	z := f((0.0193339*cone[0] + 0.1191920*cone[1] + 0.9503041*cone[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// ciede2000 returns the CIEDE2000 difference of two colors in L*a*b* (CIE 142-2001).
func ciede2000(p, q [3]float64) float64 {
	rad := math.Pi / 180
	grey := func(c float64) float64 { c7 := math.Pow(c, 7); return math.Sqrt(c7 / (c7 + math.Pow(25, 7))) }
	chroma := (math.Hypot(p[1], p[2]) + math.Hypot(q[1], q[2])) / 2
	stretch := 1 + 0.5*(1-grey(chroma))
	c1, c2 := math.Hypot(stretch*p[1], p[2]), math.Hypot(stretch*q[1], q[2])
	angle := func(b, a float64) float64 { return math.Mod(math.Atan2(b, a)/rad+360, 360) }
	h1, h2 := angle(p[2], stretch*p[1]), angle(q[2], stretch*q[1])
	turn, mean := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		turn, mean = 0, h1+h2
	case turn > 180:
		turn, mean = turn-360, mean+180
	case turn < -180:
		turn, mean = turn+360, mean+180
	}
	mean = math.Mod(mean, 360)
	dl, dc, dh := q[0]-p[0], c2-c1, 2*math.Sqrt(c1*c2)*math.Sin(turn/2*rad)
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	cos := func(degrees float64) float64 { return math.Cos(degrees * rad) }
	weight := 1 - 0.17*cos(mean-30) + 0.24*cos(2*mean) + 0.32*cos(3*mean+6) - 0.20*cos(4*mean-63)
	dl /= 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	dc /= 1 + 0.045*c
	dh /= 1 + 0.015*c*weight
	blue := 30 * math.Exp(-math.Pow((mean-275)/25, 2))
	return math.Sqrt(dl*dl + dc*dc + dh*dh - math.Sin(2*blue*rad)*2*grey(c)*dc*dh)
}
