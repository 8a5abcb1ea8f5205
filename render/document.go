package render

import (
	"encoding/json"

	"commsplit/engine"
)

// The shape of the JSON document, a type for each of its parts. Pointers are null where there is
// nothing; ranks are in Linux list format.

type worldDoc struct {
	Size     int     `json:"size"`
	Topology *string `json:"topology"`
	MapBy    string  `json:"map_by"`
	BindTo   string  `json:"bind_to"`
	Std      string  `json:"std"`
	Psets    object  `json:"psets"`
}

type rankDoc struct {
	Rank int `json:"rank"`
	*placeDoc
}

// placeDoc is what ranks with the same binding share.
type placeDoc struct {
	Host   *string         `json:"host"`
	CPUSet *string         `json:"cpuset"`
	HWInfo json.RawMessage `json:"hw_info"`
}

type communicatorDoc struct {
	ID          int     `json:"id"`
	Context     *int    `json:"context"`
	Name        string  `json:"name"`
	Kind        string  `json:"kind"`
	Op          *string `json:"op"`
	Parent      *int    `json:"parent"`
	Group       []int32 `json:"group"`
	RemoteGroup []int32 `json:"remote_group"`
	Resource    *string `json:"resource"`
	Pset        *string `json:"pset"`
	Freed       bool    `json:"freed"`
	Where       string  `json:"where"`
}

type outputDoc struct {
	Ranks string `json:"ranks"`
	Text  string `json:"text"`
}

type expectationsDoc struct {
	Passed   int          `json:"passed"`
	Failed   int          `json:"failed"`
	Failures []failureDoc `json:"failures"`
}

type failureDoc struct {
	Where   string `json:"where"`
	Ranks   string `json:"ranks"`
	Message string `json:"message"`
}

type errorDoc struct {
	Class   string  `json:"class"`
	Call    *string `json:"call"`
	Comm    *int    `json:"comm"`
	Ranks   string  `json:"ranks"`
	Where   string  `json:"where"`
	Message string  `json:"message"`
	Rule    string  `json:"rule"`
}

type deadlockDoc struct {
	Waiting []waitingDoc `json:"waiting"`
	Message string       `json:"message"`
	Knots   []knotDoc    `json:"knots"`
}

type knotDoc struct {
	Ranks   string `json:"ranks"`
	Comm    *int   `json:"comm"`
	Message string `json:"message"`
	Rule    string `json:"rule"`
	Fix     string `json:"fix"`
}

type waitingDoc struct {
	Ranks string  `json:"ranks"`
	Call  *string `json:"call"`
	Comm  *int    `json:"comm"`
	Where string  `json:"where"`
}

type stepDoc struct {
	Step  int     `json:"step"`
	Call  *string `json:"call"`
	Comm  *int    `json:"comm"`
	Ranks string  `json:"ranks"`
	Args  object  `json:"args"` // a list over the ranks for each argument
	Made  []int   `json:"made"`
	Where string  `json:"where"`
}

type leakDoc struct {
	What   string  `json:"what"`
	MadeBy *string `json:"made_by"`
	Where  *string `json:"where"`
	Ranks  string  `json:"ranks"`
}

type unfinishedDoc struct {
	What    string  `json:"what"`
	Ranks   string  `json:"ranks"`
	Call    *string `json:"call"`
	Where   string  `json:"where"`
	Message string  `json:"message"`
}

type asDoc struct {
	Library string         `json:"library"`
	Notes   []deviationDoc `json:"notes"`
}

type deviationDoc struct {
	Deviation string  `json:"deviation"`
	Step      int     `json:"step"`
	Call      *string `json:"call"`
	Where     string  `json:"where"`
	Ranks     string  `json:"ranks"`
	Text      string  `json:"text"`
	Rule      string  `json:"rule"`
	Source    string  `json:"source"`
}

// object is a JSON object whose fields are not known beforehand, in a given order.
type object []field

type field struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := encode(f.value)
		if err != nil {
			return nil, err
		}
		name, err := encode(f.name)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// orNull is null for "": what is not there or not known.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// callOrNull is the name of a procedure, null for none.
func callOrNull(c engine.Call) *string {
	if c == engine.CallNone {
		return nil
	}
	return orNull(c.String())
}

// numberOrNull is null for negative numbers: what is not there or not known.
func numberOrNull(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}
