import type { Times } from "../../lib/times.ts";
import type { Node } from "../../queries/deployment.ts";

const TROUBLES: Readonly<Record<NonNullable<Node["trouble"]>["kind"], string>> = {
  unreachable: "has not answered",
  limited: "has refused requests as too many",
  behind: "has been behind the chain",
  without_history: "has not known old transactions",
  wrong_chain: "has served another chain",
  wrong_answer: "has given answers that cannot be right",
};

/**
 * Says which of a network's nodes is in trouble since when, and which one is used instead.
 *
 * Nodes are named by their place in the setting, never by address: addresses carry keys.
 */
export function describeNodes(nodes: readonly Node[], times: Times): string {
  const troubled = nodes.flatMap(({ name, trouble }) =>
    trouble === null
      ? []
      : [`${name} ${TROUBLES[trouble.kind]} since ${times.short(trouble.since)}.`],
  );
  const used = nodes.find(({ isUsed, trouble }) => isUsed && trouble === null);
  const next =
    used === undefined
      ? "Nothing is traded until a node answers; what was asked for is kept."
      : `${used.name} is used now.`;
  return [...troubled, next].join(" ");
}
