package placement

// Policy says where ranks run, in mpirun's words. The zero value maps by core
// and binds to core, or to PUs on hardware that has no cores; on the hardware of a
// job it leaves ranks where they ran.
//
// MapBy is slot or the word of an object, or ppr:N:OBJECT; RankBy is slot,
// node, fill, span or an object; BindTo is none or an object. Objects are
// hwthread, core, l1cache to l5cache, numa, die, package, machine, their
// aliases (pu, cpu, socket, numanode, node, host), unique beginnings of these,
// and the names of the topology's own types such as rack. Modifiers follow
// after colons: of MapBy pe=N, span, oversubscribe, nooversubscribe, hwtcpus
// and corecpus; of RankBy span and fill; of BindTo overload-allowed,
// no-overload and if-supported. Modifiers may stand without a word; pe=N alone
// maps by slot. Case does not matter, nor does the order of modifiers.
//
// A level that BindTo names is bound to as mpirun does it: more processes than
// CPUs on an object are an error, unless overload is allowed; and where ranks
// are bound to what they are mapped to, those that find it full move on to an
// object that is not. Otherwise ranks share what they are mapped to.
//
// List and Rankfile, each of which excludes everything else, give each rank
// its PUs instead. "0,1,2-3+8" puts rank 2 on PUs 2, 3 and 8; it wraps round,
// on the next host if any. Rankfile is the path of a file with a line
// "rank N=HOST slot=LIST" for each rank.
type Policy struct {
	MapBy, RankBy, BindTo, List, Rankfile string
}

// exclusive is the flag that leaves no room for others, when there are others.
func (p Policy) exclusive() string {
	switch words := p.MapBy + p.RankBy + p.BindTo; {
	case p.List != "" && words+p.Rankfile != "":
		return "--bind"
	case p.Rankfile != "" && words != "":
		return "--rankfile"
	}
	return ""
}

// others lists the flags that the exclusive one takes the place of.
func (p Policy) others() string {
	if p.List != "" && p.Rankfile != "" {
		return "--rankfile"
	}
	return "--map-by, --rank-by and --bind-to"
}
