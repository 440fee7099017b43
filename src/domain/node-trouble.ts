/** Possible faults of an RPC node. */
export const NODE_TROUBLES = [
  "unreachable",
  "limited",
  "behind",
  "without_history",
  "wrong_chain",
  "wrong_answer",
] as const;

export type NodeTrouble = (typeof NODE_TROUBLES)[number];
