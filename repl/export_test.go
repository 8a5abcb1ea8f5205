package repl

import (
	"commsplit/render"
	"commsplit/render/page"
)

// RightPrediction judges a prediction.
func RightPrediction(question, answer, said string) bool {
	return right(judgeOf(question, answer), said)
}

// PageJudge and PageRules are what a page gets to judge by.
func PageJudge(question, answer string) *render.Judge { return judgeOf(question, answer) }

func PageRules() *page.Rules { return answerRules() }
