/**
 * Returns the cycles of imports among the entries of each folder, each as its paths, sorted.
 *
 * An entry is a file or a subfolder with everything below it; type imports count. `imports` maps a file to the files it imports.
 */
export function folderCycles(imports) {
  const graphs = new Map();
  for (const [from, targets] of imports) {
    for (const to of targets) addEdge(graphs, from.split("/"), to.split("/"));
  }
  return [...graphs.values()].flatMap(cyclesIn);
}

/** Adds an import to the graph of the deepest common folder of both paths. */
function addEdge(graphs, from, to) {
  const parting = from.findIndex((part, at) => part !== to[at]);
  if (parting === -1) return;
  const folder = from.slice(0, parting).join("/");
  const graph = graphs.get(folder) ?? new Map();
  const [source, target] = [from, to].map((parts) => parts.slice(0, parting + 1).join("/"));
  graphs.set(folder, graph.set(source, (graph.get(source) ?? new Set()).add(target)));
}

/** Two entries are in one cycle when each reaches the other. */
function cyclesIn(graph) {
  const reached = new Map([...graph.keys()].map((entry) => [entry, reachableFrom(graph, entry)]));
  const seen = new Set();
  const found = [];
  for (const [entry, others] of reached) {
    if (seen.has(entry)) continue;
    const cycle = [...others].filter((other) => reached.get(other)?.has(entry));
    for (const each of cycle) seen.add(each);
    if (cycle.length > 1) found.push(cycle.toSorted((a, b) => (a < b ? -1 : 1)));
  }
  return found;
}

function reachableFrom(graph, start) {
  const reached = new Set();
  const open = [start];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    for (const next of graph.get(entry) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
