/** What can be wrong with a node of a network. */
export const NODE_TROUBLES = [
  "unreachable",
  "limited",
  "behind",
  "without_history",
  "wrong_chain",
  "wrong_answer",
] as const;

export type NodeTrouble = (typeof NODE_TROUBLES)[number];
