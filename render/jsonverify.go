package render

import (
	"io"

	"commsplit/hw/verify"
	"commsplit/hw/verify/account"
)

// VerifyJSON writes how witnesses see a machine. Sets are in Linux list format; a type is hwloc's
// name, with the subtype of a Group. A verdict is "agrees", "explained" or "unexplained"; a
// witness without an answer has the state "skipped" or "failed".
func VerifyJSON(w io.Writer, r *verify.Report) error {
	j := newJSONWriter(w)
	j.raw(`{"version": 1`)
	j.key("machine")
	j.string(r.Machine)
	j.key("unexplained")
	j.int(r.Count())
	j.raw(",\n \"types\": [")
	for i, k := range r.Kinds {
		j.item(i)
		j.kind(k)
		j.things(len(r.Ours[k]), r.Ours[k])
		j.raw("}")
	}
	j.end(len(r.Kinds), "]")
	j.raw(",\n \"witnesses\": [")
	for i, witness := range r.Witnesses {
		j.item(i)
		j.witness(witness, r.Kinds)
	}
	j.end(len(r.Witnesses), "]")
	j.verifyRest(r)
	j.raw("}\n")
	return j.flush()
}

// kind begins an object with the type that it is about.
func (j *jsonWriter) kind(k account.Kind) {
	j.raw(`{"type": `)
	j.string(k.Type.String())
	j.key("subtype")
	j.string(k.Subtype)
}

func (j *jsonWriter) things(count int, list []account.Thing) {
	j.key("count")
	j.int(count)
	j.key("sets")
	if list == nil {
		j.raw("null")
		return
	}
	j.raw("[")
	for i, t := range list {
		j.comma(i)
		j.string(t.CPUSet.String())
	}
	j.raw("]")
}

func (j *jsonWriter) witness(w verify.Witness, kinds []account.Kind) {
	state := w.State
	if state == "" {
		state = "answered"
	}
	j.raw(`{"name": `)
	j.string(w.Name)
	j.key("state")
	j.string(string(state))
	j.key("why")
	j.textOrNull(w.Why)
	j.key("notes")
	j.strings(w.Notes)
	j.key("verdicts")
	j.raw("[")
	n := 0
	for _, k := range kinds {
		v, ok := w.Verdicts[k]
		if !ok {
			continue
		}
		j.item(n)
		n++
		j.raw("  ")
		j.kind(k)
		j.key("verdict")
		j.string(string(v.State))
		j.things(v.Count, v.Said)
		j.key("why")
		j.strings(v.Why)
		j.raw("}")
	}
	j.raw("]}")
}

// verifyRest writes memory, invariants, what became of bound threads, and notes.
func (j *jsonWriter) verifyRest(r *verify.Report) {
	j.raw(",\n \"memory\": [")
	for i, m := range r.Memory {
		j.item(i)
		j.raw(`{"witness": `)
		j.string(m.Witness)
		j.key("bytes")
		j.int(int(m.Bytes))
		j.key("expected")
		j.int(int(m.Expected))
		j.key("verdict")
		j.string(string(m.State))
		j.key("why")
		j.textOrNull(m.Why)
		j.raw("}")
	}
	j.end(len(r.Memory), "]")
	j.raw(",\n \"invariants\": [")
	for i, rule := range r.Invariants {
		j.item(i)
		j.raw(`{"rule": `)
		j.string(rule.Rule)
		j.key("broken")
		j.strings(rule.Broken)
		j.raw("}")
	}
	j.end(len(r.Invariants), "]")
	j.raw(",\n \"pins\": [")
	for i, p := range r.Pins {
		j.item(i)
		j.raw(`{"pu": `)
		j.int(p.PU)
		j.key("error")
		if p.Err == nil {
			j.raw("null}")
			continue
		}
		j.string(p.Err.Error())
		j.raw("}")
	}
	j.end(len(r.Pins), "]")
	j.raw(",\n \"notes\": ")
	j.strings(r.Notes)
}

// strings writes a list of texts, [] for nil.
func (j *jsonWriter) strings(list []string) {
	j.raw("[")
	for i, s := range list {
		j.comma(i)
		j.string(s)
	}
	j.raw("]")
}
