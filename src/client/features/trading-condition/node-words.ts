import type { Deployment } from "../../queries/deployment.ts";
import type { Network } from "../../../domain/network.ts";
import { formatShort } from "../../lib/format.ts";

type Node = Deployment["networks"][number]["nodes"][number];

const TROUBLES: Readonly<Record<NonNullable<Node["trouble"]>["kind"], string>> = {
  unreachable: "has not answered",
  limited: "has refused requests as too many",
  behind: "has been behind the chain",
  without_history: "has not known old transactions",
  wrong_chain: "has served another chain",
  wrong_answer: "has given answers that cannot be right",
};

/**
 * Says which of a network's nodes is in trouble since when, and which one is used instead; null while all is well.
 *
 * Nodes are named by their place in the setting, never by address: addresses carry keys.
 */
export function describeNodes(deployment: Deployment | undefined, network: Network): string | null {
  const nodes = deployment?.networks.find((each) => each.network === network)?.nodes ?? [];
  const troubled = nodes.flatMap(({ name, trouble }) =>
    trouble === null
      ? []
      : [`${name} ${TROUBLES[trouble.kind]} since ${formatShort(trouble.since)}.`],
  );
  if (troubled.length === 0) return null;
  const used = nodes.find(({ isUsed, trouble }) => isUsed && trouble === null);
  const next =
    used === undefined
      ? "Nothing is traded until a node answers; what was asked for is kept."
      : `${used.name} is used now.`;
  return [...troubled, next].join(" ");
}
