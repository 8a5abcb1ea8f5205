package render

// maxCells is how many ranks of one place are shown one by one.
const maxCells = 16

// cells writes ranks in at most width columns: one by one when single is set, they are few and
// fit, otherwise counted by communicator, and with an ellipsis when these are too many.
func (p *parts) cells(ranks []int32, width int, single bool) []span {
	if len(ranks) == 1 || (single && len(ranks) <= maxCells) {
		if single := p.singleCells(ranks); spansWidth(single) <= width {
			return single
		}
	}
	return p.countCells(ranks, width)
}

func (p *parts) singleCells(ranks []int32) []span {
	spans := make([]span, 0, 2*len(ranks))
	for i, r := range ranks {
		if i > 0 {
			spans = append(spans, gap(1))
		}
		spans = append(spans, p.cell(r))
	}
	return spans
}

// countCells is "A×64 B×64", where that is too wide "A×64 … BL×64 (64 comms)".
func (p *parts) countCells(ranks []int32, width int) []span {
	list := p.shares(ranks)
	if spans := p.shareCells(list); spansWidth(spans) <= width {
		return spans
	}
	end := p.shareCells(list[len(list)-1:])
	end = append(end, faint(" ("+itoa(len(list))+" comms)"))
	room := width - spansWidth(end) - len(" … ")
	n := 0
	for used := 0; n < len(list)-1; n++ {
		if used += textWidth(p.shareText(list[n])) + 1; used-1 > room {
			break
		}
	}
	if n == 0 {
		return []span{faint(itoa(len(list)) + " comms")}
	}
	return append(append(p.shareCells(list[:n]), faint(" … ")), end...)
}

// shareCells writes shares one after the other.
func (p *parts) shareCells(list []share) []span {
	spans := make([]span, 0, 2*len(list)+2)
	for i, s := range list {
		if i > 0 {
			spans = append(spans, gap(1))
		}
		spans = append(spans, span{p.shareText(s), p.ink(s.of)})
	}
	return spans
}

func (p *parts) shareText(s share) string { return p.name(s.of) + "×" + itoa(s.n) }

func spansWidth(spans []span) int {
	sum := 0
	for _, s := range spans {
		sum += textWidth(s.text)
	}
	return sum
}
