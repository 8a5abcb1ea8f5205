package picture

import (
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Did arranges the result of a step's call, without words about it: its buckets, its grid, or its communicators,
// in the letters of a variable that holds them. The scene is empty for a call that failed or made nothing.
func Did(v *render.View, h *render.Handle, p *render.Parting, step int, look WhyLook) *scene.Scene {
	y, out := whyCall(v, h, p, step, look), &scene.Scene{}
	if y.step.Err == nil && (len(y.made) > 0 || y.step.Call == engine.CallSplit) {
		y.draw(out)
	}
	return out
}
