import { useTimes } from "../../../lib/time-zone.ts";
import type { Portfolio } from "../../../../contract/portfolio.ts";
import { Card } from "../../../ui/card.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { Row } from "./list.tsx";

type Network = Pick<
  Portfolio["networks"][number],
  "network" | "agents" | "pending" | "pendingCount"
>;

/** Returns the label of a kind, for instance "Network fee" for `network_fee`. */
const kindWords = (kind: string): string =>
  (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll("_", " ");

/** List of on-chain transactions that are not final; the ledger does not count them. */
export function PendingList({ shown }: { readonly shown: Network }) {
  const times = useTimes();
  const { network, agents, pending, pendingCount } = shown;
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const more = pendingCount - pending.length;
  return (
    <Card aria-labelledby={`pending-${network}`}>
      <h4 id={`pending-${network}`} className="text-sm font-semibold">
        Pending
      </h4>
      <p className="mb-1 text-xs text-muted">
        On the chain and not final yet. What the agents made counts it once it is final.
      </p>
      <ul>
        {pending.map(({ agentId, signature, kind, asset, amount, base, at }, place) => (
          <Row
            key={`${signature} ${place}`}
            name={`${times.short(at)} ${names.get(agentId) ?? ""}`.trim()}
          >
            <span className="text-faint">{kindWords(kind)}</span>{" "}
            {base && (
              <>
                <Figure value={base.amount} decimals={6} signed unit={` ${base.asset}`} />
                {", "}
              </>
            )}
            <Figure value={amount} signed unit={` ${asset}`} />
          </Row>
        ))}
      </ul>
      {more > 0 && <p className="pt-1 text-xs text-faint">and {more} more</p>}
    </Card>
  );
}
