import { useTimes } from "../../../lib/time-zone.ts";
import type { Portfolio } from "../../../../contract/portfolio.ts";
import { Card } from "../../../ui/card.tsx";
import { Figure } from "../../../ui/figure.tsx";
import type { ReactNode } from "react";

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
            <Figure value={amount} decimals={asset === "SOL" ? 6 : 2} signed unit={` ${asset}`} />
          </Row>
        ))}
      </ul>
      {more > 0 && <p className="pt-1 text-xs text-faint">and {more} more</p>}
    </Card>
  );
}

interface ListProps {
  readonly title: string;
  readonly empty: string;
  readonly children: ReactNode;
}

/** Card with a titled list, or a sentence when empty. */
export function List({ title, empty, children }: ListProps) {
  const isEmpty = Array.isArray(children) ? children.length === 0 : !children;
  return (
    <Card aria-label={title} className="min-w-0">
      <h4 className="mb-1 text-sm font-semibold">{title}</h4>
      {isEmpty ? <p className="text-sm text-muted">{empty}</p> : <ul>{children}</ul>}
    </Card>
  );
}

/** Row of a list: name and figures. */
export function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li className="flex justify-between gap-3 border-b border-line py-1.5 text-sm last:border-b-0">
      <span className="shrink-0 text-muted">{name}</span>
      <span className="min-w-0 text-right tabular-nums">{children}</span>
    </li>
  );
}
