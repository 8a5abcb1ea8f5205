// lit.js: which ranks the selection lights up, wherever they are shown.

let litRanks = null; // by world rank, 1 for lit; null: nothing is selected

/** Works out the lit ranks: themselves, members of communicators, those restricted to an object. */
function light() {
  const list = litList();
  litRanks = list && new Uint8Array(doc.size);
  for (const r of list ?? []) litRanks[r] = 1;
}

function litList() {
  switch (state.kind) {
    case "rank": case "ranks": return [state.what].flat();
    case "comm": case "comms": return [state.what].flat().flatMap((id) => groups(id).flat());
    case "object": return unpack(groundAt(state.step).users[state.what]);
    case "handle": return heldAt(state.what, state.step).flatMap((id, r) => (id >= 0 ? [r] : []));
  }
  return null;
}

const isLit = (rank) => litRanks !== null && litRanks[rank] === 1;
const countLit = (ranks) => (litRanks === null ? 0 : ranks.reduce((n, r) => n + litRanks[r], 0));
drawers.push(light);
