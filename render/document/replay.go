package document

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
