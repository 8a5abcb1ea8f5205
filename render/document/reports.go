package document

import (
	"bytes"
	"encoding/json"
	"io"

	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

type kindDoc struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// setsDoc is how many objects there are, and their PUs; null where only the number is known.
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

// placedDoc is a device. Values that the machine or ghw does not provide are null.
type placedDoc struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Bus     *string `json:"bus"`
	Node    *int    `json:"node"`
	Verdict *string `json:"verdict"`
	Why     *string `json:"why"`
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

// saidDoc is a file and its value; null for a file that does not exist.
type saidDoc struct {
	File  string  `json:"file"`
	Value *string `json:"value"`
}

type pinDoc struct {
	PU    int     `json:"pu"`
	Error *string `json:"error"`
}

// Verify writes the report of verifying a machine. Sets are in Linux list format; a type is named as in hwloc,
// with the subtype of a Group. A verdict is "agrees", "explained", "differs" or "unexplained"; a witness without
// an answer has the state "skipped", "unable" or "failed".
func Verify(w io.Writer, r *verify.Report) error {
	d := document{newJSONStream(w), nil, map[string]json.RawMessage{}}
	d.text("{\n  \"version\": 2")
	d.section("machine", r.Machine)
	d.section("findings", r.Count())
	d.list("rules", each(r.Rules, func(r *rules.Rule) any { return ruleOf(r) }))
	d.section("follows", OrNull(r.Follows))
	d.section("against", r.Against)
	d.section("cgroup", OrNull(r.Cgroup))
	d.list("types", each(r.Kinds, func(k *account.Kind) any {
		return objectsDoc{kindOf(*k), setsOf(len(r.Ours[*k]), r.Ours[*k])}
	}))
	d.list("witnesses", each(r.Witnesses, func(w *verify.Witness) any { return witnessOf(w, r.Kinds) }))
	d.list("memory", each(r.Memory, func(m *verify.Memory) any {
		return memoryDoc{m.Witness, m.Bytes, m.Expected, string(m.State), OrNull(m.Why)}
	}))
	d.list("devices", each(r.Devices, func(d *verify.Device) any {
		doc := placedDoc{d.Kind, d.Name, OrNull(d.BusID), nil, OrNull(string(d.State)), OrNull(d.Why)}
		if d.Node != hw.Unknown {
			doc.Node = &d.Node
		}
		return doc
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
	return d.out.Flush()
}

func ruleOf(r *rules.Rule) ruleDoc {
	doc := ruleDoc{r.Name, r.Says, []breachDoc{}}
	for _, b := range r.Breaches {
		place := breachDoc{Files: []saidDoc{}}
		if b.PU != hw.Unknown {
			place.PU = &b.PU
		}
		for _, s := range b.Said {
			place.Files = append(place.Files, saidDoc{s.File, OrNull(s.Value)})
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
	doc := witnessDoc{Name: w.Name, State: string(w.State), Why: OrNull(w.Why), Notes: orEmpty(w.Notes), Verdicts: []verdictDoc{}}
	if doc.State == "" {
		doc.State = "answered"
	}
	for _, k := range kinds {
		if v, ok := w.Verdicts[k]; ok {
			doc.Verdicts = append(doc.Verdicts, verdictDoc{kindOf(k), string(v.State), setsOf(v.Count, v.Said), OrNull(v.Why)})
		}
	}
	return doc
}

// Confirmation is the comparison of a session with a run under a real MPI.
type Confirmation struct {
	Version     int       `json:"version"`
	Verdict     string    `json:"verdict"`
	Library     string    `json:"library"`
	Ranks       int       `json:"ranks"`
	Calls       int       `json:"constructors"`
	Handles     int       `json:"handles"`
	Errors      int       `json:"erroneous_calls"`
	Aspects     []string  `json:"aspects"`
	Findings    []Finding `json:"findings"`
	NotCompared []Gap     `json:"not_compared"`
	Deadlock    *string   `json:"deadlock"`
}

// Finding is a difference between what was expected and what was found.
type Finding struct {
	Kind       string  `json:"kind"`
	Handle     *string `json:"handle"`
	Ranks      string  `json:"ranks"`
	Step       *int    `json:"step"`
	Call       *string `json:"call"`
	Where      string  `json:"where"`
	Expected   string  `json:"expected"`
	Found      string  `json:"found"`
	Deviations []Known `json:"deviations"`
	Rule       *string `json:"rule"`
	Follows    int     `json:"follows"`
}

// Known is a deviation of a library that explains a finding, and the section from which it deviates.
type Known struct {
	Deviation string `json:"deviation"`
	Step      int    `json:"step"`
	Call      string `json:"call"`
	Where     string `json:"where"`
	Text      string `json:"text"`
	Rule      string `json:"rule"`
	Section   string `json:"section"`
	Source    string `json:"source"`
}

// Gap lists things that were not compared, all for one reason.
type Gap struct {
	What []string `json:"what"`
	Why  string   `json:"why"`
}

// KnownDeviation returns a note of a deviation in the form of documents.
func KnownDeviation(n *deviation.Note) Known {
	return Known{n.Deviation, n.Step, n.Call.String(), n.Where, n.Text, n.Rule, n.Call.Rule(), n.Source}
}

// Grading is the result of grading an answer to an exercise.
type Grading struct {
	Version  int           `json:"version"`
	Exercise string        `json:"exercise"`
	Answer   string        `json:"answer"`
	Right    bool          `json:"right"`
	Worlds   []GradedWorld `json:"worlds"`
}

// GradedWorld is the result of an answer in a world.
type GradedWorld struct {
	Size   int           `json:"size"`
	Flags  []string      `json:"flags"`
	Right  bool          `json:"right"`
	Faults []GradedFault `json:"faults"`
}

// GradedFault is a fault of an answer.
type GradedFault struct {
	Kind     string  `json:"kind"`
	Variable *string `json:"variable"`
	Ranks    *string `json:"ranks"`
	Expected *string `json:"expected"`
	Found    *string `json:"found"`
	Message  string  `json:"message"`
	Why      *string `json:"why"`
}

// Preset is a machine that --topo knows by name.
type Preset struct {
	Name   string `json:"name"`
	Shape  string `json:"shape"`
	Source string `json:"source"`
	Spec   string `json:"spec"`
}

// Version describes a commsplit.
type Version struct {
	Version   int      `json:"version"` // of the document
	Commsplit string   `json:"commsplit"`
	Commit    string   `json:"commit"`
	Go        string   `json:"go"`
	Platform  string   `json:"platform"`
	Standard  string   `json:"standard"`
	Standards []string `json:"standards"`
}

// Example is an embedded script.
type Example struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Group   string `json:"group"`
	Title   string `json:"title"`
	Section string `json:"section"` // "" for none
}

// Write writes a Confirmation, Replay, Grading or Version, or a list of Presets or Examples, with a line for each value.
func Write(w io.Writer, doc any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// Replay is the result of the replay of a recorded program.
type Replay struct {
	Version       int       `json:"version"`
	Verdict       string    `json:"verdict"`
	Library       string    `json:"library"`
	Ranks         int       `json:"ranks"`
	Calls         int       `json:"calls"`
	Communicators int       `json:"communicators"`
	Compared      int       `json:"compared"`
	Peak          int       `json:"peak"`
	PeakRank      int       `json:"peak_rank"`
	Missing       string    `json:"missing"`
	Truncated     string    `json:"truncated"`
	Crashed       string    `json:"crashed"`
	Killed        string    `json:"killed"`
	Findings      []Finding `json:"findings"`
	Deadlock      *string   `json:"deadlock"`
	Notes         []string  `json:"notes"`
	Sites         []Place   `json:"sites"`
}

// Place is a place in a recorded program; times are in nanoseconds.
type Place struct {
	Place         string   `json:"place"`
	Function      string   `json:"function"`
	Callers       []string `json:"callers"`
	Also          []string `json:"also"`
	Call          string   `json:"call"`
	Ranks         string   `json:"ranks"`
	Calls         int      `json:"calls"`
	Communicators int      `json:"communicators"`
	Made          int      `json:"made"`
	Left          int      `json:"left"`
	Peak          int      `json:"peak"`
	Most          int      `json:"most"`
	Trend         string   `json:"trend"`
	Leaks         bool     `json:"leaks"`
	Every         int      `json:"every_ns"`
	Growth        []Alive  `json:"growth"`
	Smallest      int      `json:"smallest"`
	Largest       int      `json:"largest"`
	Equal         int      `json:"equal"`
	Parents       int      `json:"parents"`
	Unused        *int     `json:"unused"`
	Took          int      `json:"took_ns"`
	Wait          int      `json:"wait_ns"`
	First         int      `json:"first"`
	Last          int      `json:"last"`
	Spans         *Spans   `json:"spans"`
	After         *Spans   `json:"after"`
}

// Alive is how many communicators of a place existed at a time.
type Alive struct {
	At    int `json:"at_ns"`
	Alive int `json:"alive"`
}

// Spans is how many objects the members of a communicator run on: the fewest and the most.
type Spans struct {
	Hosts    []int `json:"hosts"`
	Packages []int `json:"packages"`
	NUMA     []int `json:"numa_nodes"`
}
