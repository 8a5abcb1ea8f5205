package render

import (
	"io"

	"commsplit/hw"
	"commsplit/hw/verify"
	"commsplit/hw/verify/account"
	"commsplit/hw/verify/rules"
)

type kindDoc struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// setsDoc is how many objects there are and their PUs; null where only the number is told.
type setsDoc struct {
	Count int      `json:"count"`
	Sets  []string `json:"sets"`
}

type objectsDoc struct {
	kindDoc
	setsDoc
}

type witnessDoc struct {
	Name     string       `json:"name"`
	State    string       `json:"state"`
	Why      *string      `json:"why"`
	Notes    []string     `json:"notes"`
	Verdicts []verdictDoc `json:"verdicts"`
}

type verdictDoc struct {
	kindDoc
	Verdict string `json:"verdict"`
	setsDoc
	Why *string `json:"why"`
}

type memoryDoc struct {
	Witness  string  `json:"witness"`
	Bytes    uint64  `json:"bytes"`
	Expected uint64  `json:"expected"`
	Verdict  string  `json:"verdict"`
	Why      *string `json:"why"`
}

type ruleDoc struct {
	Rule   string      `json:"rule"`
	Says   string      `json:"says"`
	Broken []breachDoc `json:"broken"`
}

// breachDoc is a place where a rule does not hold: files whose values contradict each other.
type breachDoc struct {
	PU    *int      `json:"pu"`
	Files []saidDoc `json:"files"`
}

// saidDoc has null for what is not there.
type saidDoc struct {
	File  string  `json:"file"`
	Value *string `json:"value"`
}

type pinDoc struct {
	PU    int     `json:"pu"`
	Error *string `json:"error"`
}

// VerifyJSON writes how a machine was verified. Sets are in Linux list format; a type is hwloc's
// name, with the subtype of a Group. A verdict is "agrees", "explained", "differs" or "unexplained"; a
// witness without an answer has the state "skipped", "unable" or "failed".
func VerifyJSON(w io.Writer, r *verify.Report) error {
	d := document{newJSONStream(w), nil}
	d.text("{\n  \"version\": 2")
	d.section("machine", r.Machine)
	d.section("findings", r.Count())
	d.list("rules", each(r.Rules, func(r *rules.Rule) any { return ruleOf(r) }))
	d.section("follows", orNull(r.Follows))
	d.section("against", r.Against)
	d.section("cgroup", orNull(r.Cgroup))
	d.list("types", each(r.Kinds, func(k *account.Kind) any {
		return objectsDoc{kindOf(*k), setsOf(len(r.Ours[*k]), r.Ours[*k])}
	}))
	d.list("witnesses", each(r.Witnesses, func(w *verify.Witness) any { return witnessOf(w, r.Kinds) }))
	d.list("memory", each(r.Memory, func(m *verify.Memory) any {
		return memoryDoc{m.Witness, m.Bytes, m.Expected, string(m.State), orNull(m.Why)}
	}))
	d.list("pins", each(r.Pins, func(p *verify.Pinned) any {
		if p.Err != nil {
			text := p.Err.Error()
			return pinDoc{p.PU, &text}
		}
		return pinDoc{PU: p.PU}
	}))
	d.section("notes", orEmpty(r.Notes))
	d.text("\n}\n")
	return d.flush()
}

func ruleOf(r *rules.Rule) ruleDoc {
	doc := ruleDoc{r.Name, r.Says, []breachDoc{}}
	for _, b := range r.Breaches {
		place := breachDoc{Files: []saidDoc{}}
		if b.PU != hw.Unknown {
			place.PU = &b.PU
		}
		for _, s := range b.Said {
			place.Files = append(place.Files, saidDoc{s.File, orNull(s.Value)})
		}
		doc.Broken = append(doc.Broken, place)
	}
	return doc
}

func kindOf(k account.Kind) kindDoc { return kindDoc{k.Type.String(), k.Subtype} }

func setsOf(count int, list []account.Thing) setsDoc {
	doc := setsDoc{Count: count}
	if list != nil {
		doc.Sets = []string{}
	}
	for _, t := range list {
		doc.Sets = append(doc.Sets, t.CPUSet.String())
	}
	return doc
}

func witnessOf(w *verify.Witness, kinds []account.Kind) witnessDoc {
	doc := witnessDoc{Name: w.Name, State: string(w.State), Why: orNull(w.Why), Notes: orEmpty(w.Notes), Verdicts: []verdictDoc{}}
	if doc.State == "" {
		doc.State = "answered"
	}
	for _, k := range kinds {
		if v, ok := w.Verdicts[k]; ok {
			doc.Verdicts = append(doc.Verdicts, verdictDoc{kindOf(k), string(v.State), setsOf(v.Count, v.Said), orNull(v.Why)})
		}
	}
	return doc
}
