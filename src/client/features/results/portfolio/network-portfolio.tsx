import { clsx } from "clsx";
import { useState } from "react";
import type { ChatId } from "../../../../domain/ids.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { isBuiltIn } from "../../../../domain/network.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { OnRequest } from "../on-request.tsx";
import type { Portfolio } from "../../../../contract/portfolio.ts";
import { Card } from "../../../ui/card.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { PendingList, List, Row } from "./pending-list.tsx";
import { TriangleAlert } from "lucide-react";
import { Badge, NetworkBadge } from "../../../ui/badge.tsx";
import { Share } from "../../../ui/share.tsx";
import { SortHead, type SortOrder } from "../../../ui/sort-head.tsx";
import { sortedBy } from "../../../lib/sorted-by.ts";
import { formatShare, decimalsOfStep, displayDecimal } from "../../../lib/format.ts";
import { sumNote } from "../sum-note.ts";
import { AgentState, type PortfolioAgent } from "./agent-state.tsx";
import { How } from "../../../ui/how.tsx";
import { CurveChart, Sparkline } from "../../../ui/curve-chart.tsx";

const AgentsReadiness = lazyPart(() => import("../readiness/agents-readiness.tsx"));

type Network = Portfolio["networks"][number];

interface NetworkPortfolioProps {
  readonly shown: Network;
  readonly onOpen: (chatId: ChatId) => void;
}

/** Portfolio of a wallet on one network. */
export function NetworkPortfolio({ shown, onOpen }: NetworkPortfolioProps) {
  return (
    <section aria-label={`Portfolio on ${shown.network}`} className="flex flex-col gap-4">
      <PortfolioHeadlines shown={shown} />
      <ValueCard curve={shown.curve} />
      <Card>
        <AgentTable agents={shown.agents} deleted={shown.deleted} onOpen={onOpen} />
      </Card>
      {isBuiltIn(shown.network) && shown.agents.length > 0 && (
        <OnRequest
          title="Readiness for real money"
          note="How each of these agents stands against your bar, and going live from it."
          action="Check"
        >
          <AgentsReadiness agents={shown.agents} onOpen={onOpen} />
        </OnRequest>
      )}
      {shown.pendingCount > 0 && <PendingList shown={shown} />}
      <div className="grid gap-4 md:grid-cols-3">
        <ExposureList exposure={shown.exposure} />
        <WalletList wallet={shown.wallet} quoteSymbol={shown.quote.symbol} />
        <FlowList flows={shown.flows} unbooked={shown.unbooked} />
      </div>
    </section>
  );
}

function ExposureList({ exposure }: Pick<Network, "exposure">) {
  return (
    <List title="Exposure" empty="Nothing is open.">
      {exposure.map(({ asset, long, short }) => (
        <Row key={asset} name={asset}>
          <span className="whitespace-nowrap text-up">
            long <Figure value={long} />
          </span>{" "}
          <span className="whitespace-nowrap text-down">
            short <Figure value={short} />
          </span>
        </Row>
      ))}
    </List>
  );
}

interface WalletListProps extends Pick<Network, "wallet"> {
  readonly quoteSymbol: string;
}

function WalletList({ wallet, quoteSymbol }: WalletListProps) {
  return (
    <List
      title="In your wallet"
      empty={wallet === null ? "The chain could not be read." : "Nothing."}
    >
      {wallet !== null && (
        <>
          <Row name="SOL">
            <Figure value={wallet.sol} decimals={4} />
          </Row>
          <Row name={quoteSymbol}>
            <Figure value={wallet.quote} />
          </Row>
          {wallet.assets.map(({ symbol, amount }) => (
            <Row key={symbol} name={symbol}>
              <Figure value={amount} decimals={4} />
            </Row>
          ))}
        </>
      )}
    </List>
  );
}

const FLOWS = { deposit: "Deposit", withdrawal: "Withdrawal", outside: "Outside" } as const;

function FlowList({ flows, unbooked }: Pick<Network, "flows" | "unbooked">) {
  const times = useTimes();
  const empty =
    unbooked > 0
      ? "Money is on its way. It is listed here once its transaction is final on the chain."
      : "Nothing came in or went out yet.";
  return (
    <List title="Money in and out" empty={empty}>
      {flows.slice(0, 8).map((flow, at) => (
        <Row key={`${flow.at} ${flow.agentId} ${at}`} name={times.short(flow.at)}>
          <span className="text-faint">{FLOWS[flow.kind]}</span>{" "}
          <Figure value={flow.amount} signed unit={` ${flow.asset}`} />
        </Row>
      ))}
    </List>
  );
}

type DeletedAgent = Portfolio["networks"][number]["deleted"][number];

interface AgentTableProps {
  readonly agents: readonly PortfolioAgent[];
  readonly deleted: readonly DeletedAgent[];
  readonly onOpen: (chatId: ChatId) => void;
}

const CELL = "px-2 py-2 text-right tabular-nums";

/** Columns that a phone has no room for; their figures are in the agent's own views. */
const WIDE_ONLY = "max-sm:hidden";

const numberOf = (figure: string | number | null | undefined): number =>
  figure === null || figure === undefined ? Number.NaN : Number(figure);

const growthOf = ({ spark }: Pick<PortfolioAgent, "spark">) =>
  spark.findLast((point) => point !== null);

type Column = "Agent" | "State" | "Value" | "Share" | "Today" | "Below peak" | "Growth";

/** Columns of the table in their order, each with what it sorts by. */
const COLUMNS: Readonly<
  Record<
    Column,
    { readonly keyOf: (agent: PortfolioAgent) => string | number; readonly className?: string }
  >
> = {
  Agent: { keyOf: ({ name }) => name.toLocaleLowerCase() },
  State: { keyOf: ({ state }) => state, className: WIDE_ONLY },
  Value: { keyOf: ({ value }) => numberOf(value), className: "text-right" },
  Share: { keyOf: ({ share }) => numberOf(share), className: `text-right ${WIDE_ONLY}` },
  Today: { keyOf: ({ today }) => numberOf(today?.amount), className: "text-right" },
  "Below peak": {
    keyOf: ({ drawdown }) => numberOf(drawdown),
    className: `text-right ${WIDE_ONLY}`,
  },
  Growth: { keyOf: (agent) => numberOf(growthOf(agent)), className: "text-right" },
};

/** Table of a wallet's agents on one network, by value descending until another order is chosen, deleted ones last. */
function AgentTable({ agents, deleted, onOpen }: AgentTableProps) {
  const [order, setOrder] = useState<SortOrder<Column>>({ column: "Value", isAscending: false });
  const sorted = sortedBy(agents, COLUMNS[order.column].keyOf, order.isAscending);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Agents">
      <table className="w-full text-sm sm:min-w-[680px]">
        <thead className="text-left text-xs text-faint">
          <tr>
            {(Object.keys(COLUMNS) as Column[]).map((column) => (
              <SortHead
                key={column}
                column={column}
                order={order}
                onOrder={setOrder}
                className={clsx("px-2 py-1 first:pl-0 last:pr-0", COLUMNS[column].className)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((agent) => (
            <AgentRow key={agent.id} agent={agent} onOpen={onOpen} />
          ))}
          {deleted.map((agent) => (
            <DeletedRow key={agent.id} agent={agent} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AgentRow({
  agent,
  onOpen,
}: Pick<AgentTableProps, "onOpen"> & { readonly agent: PortfolioAgent }) {
  const times = useTimes();
  const { value, valueSince, share, today, drawdown, spark, attention } = agent;
  return (
    <tr
      className="tint cursor-pointer border-t border-line hover:bg-hover"
      onClick={() => onOpen(agent.chatId)}
    >
      <th scope="row" className="max-w-56 py-2 pr-2 max-sm:max-w-36 text-left font-normal">
        <button
          type="button"
          title={agent.name}
          className="max-w-full truncate text-left font-medium hover:underline"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(agent.chatId);
          }}
        >
          {agent.name}
        </button>
        <span className="flex flex-wrap items-center gap-1 text-2xs text-faint">
          {agent.marketId}
          <span className="sm:hidden">
            <AgentState state={agent.state} />
          </span>
        </span>
        {attention.map((text) => (
          <span key={text} className="mt-0.5 flex items-start gap-1 text-2xs text-warn">
            <TriangleAlert aria-hidden className="mt-px size-3 shrink-0" />
            {text}
          </span>
        ))}
      </th>
      <td className={`px-2 py-2 ${WIDE_ONLY}`}>
        <AgentState state={agent.state} />
      </td>
      <td className={CELL}>
        <Figure value={value} />
        {valueSince && (
          <span className="block text-2xs text-warn">of {times.short(valueSince)}</span>
        )}
      </td>
      <td className={`${CELL} ${WIDE_ONLY}`}>{formatShare(share, 1).replace("+", "")}</td>
      <MadeCells {...{ today, drawdown, spark }} />
    </tr>
  );
}

/** Row of an agent that is gone: what it made stays in every sum. */
function DeletedRow({ agent }: { readonly agent: DeletedAgent }) {
  const times = useTimes();
  const { name, marketId, deletedAt, all } = agent;
  return (
    <tr className="border-t border-line text-muted">
      <th scope="row" className="max-w-56 py-2 pr-2 max-sm:max-w-36 text-left font-normal">
        <span title={name} className="block truncate">
          {name || "Deleted agent"}
        </span>
        <span className="block text-2xs text-faint">
          {marketId} · made <Figure value={all?.amount} signed /> until {times.date(deletedAt)}
        </span>
      </th>
      <td className={`px-2 py-2 ${WIDE_ONLY}`}>
        <Badge>Deleted</Badge>
      </td>
      <td className={CELL}>–</td>
      <td className={`${CELL} ${WIDE_ONLY}`}>–</td>
      <MadeCells {...agent} />
    </tr>
  );
}

function MadeCells({
  today,
  drawdown,
  spark,
}: Pick<PortfolioAgent, "today" | "drawdown" | "spark">) {
  return (
    <>
      <td className={CELL}>
        <Figure value={today?.amount} signed toned />
        {today?.share != null && (
          <span className="block text-2xs">
            <Share value={today.share} />
          </span>
        )}
      </td>
      <td className={`${CELL} ${WIDE_ONLY}`}>
        {drawdown === null ? "–" : formatShare(-drawdown, 1)}
      </td>
      <td className="py-2 pl-2">
        <span className="flex items-center justify-end gap-2 text-xs">
          <span className={WIDE_ONLY}>
            <Sparkline values={spark} />
          </span>
          <Share value={growthOf({ spark })} className="w-14 text-right" />
        </span>
      </td>
    </>
  );
}

const SPANS = [
  // Recorded at fills, flows and once an hour
  ["today", "Today", "since the last value recorded before 00:00 UTC"],
  ["week", "7 d", "in seven days"],
  ["month", "30 d", "in thirty days"],
  ["all", "All", "since the first deposit"],
] as const;

/** Total value, and what was made in four spans. */
function PortfolioHeadlines({ shown }: { readonly shown: Network }) {
  const note =
    shown.total &&
    sumNote(
      shown.agents.map(({ value }) => value ?? "0"),
      shown.total,
    );
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
      <div>
        <h3 className="flex items-center gap-1 text-xs text-muted">
          Total value <NetworkBadge network={shown.network} />
          <How of="Total value">
            What the venue says every agent's account is worth now, added up. Where the venue cannot
            be read, the last value in the book counts and is marked. Money in your wallet is not in
            it.
          </How>
        </h3>
        <p className="mt-0.5 text-2xl font-semibold tabular-nums max-[360px]:text-xl">
          <Figure value={shown.total} unit={` ${shown.quote.symbol}`} />
        </p>
        {note !== null && <p className="text-2xs text-faint">{note}</p>}
        {shown.unbooked > 0 && (
          <p role="status" className="text-xs text-muted">
            Money of {shown.unbooked} {shown.unbooked === 1 ? "agent" : "agents"} is on its way:
            what was made counts it once it is final.
          </p>
        )}
        {shown.unread > 0 && (
          <p role="status" className="text-xs text-warn">
            {shown.unread} {shown.unread === 1 ? "agent" : "agents"} could not be read
            {shown.total === null
              ? ": the total is not known."
              : ": what was recorded last counts."}
          </p>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {SPANS.map(([key, label, span]) => (
          <div key={key}>
            <dt className="flex items-center gap-0.5 text-xs text-muted">
              {label}
              <How of={`the change ${label}`}>
                What these agents made {span}: what they are worth now, less what it was then, less
                what came in. While money is on its way or a venue cannot be read, the last worth in
                the book counts. The percentage is of what was there then and came in since. What
                deleted agents made is in it.
              </How>
            </dt>
            <dd className="text-sm font-medium tabular-nums">
              <Figure value={shown.made[key]?.amount} signed toned />{" "}
              {shown.made[key]?.share != null && (
                <Share value={shown.made[key].share} className="text-xs font-normal" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type Curve = Portfolio["networks"][number]["curve"];

const lineOf = (curve: Curve, key: "value" | "paidIn") => ({
  times: curve.map(({ time }) => time),
  values: curve.map((point) => (point[key] === null ? null : Number(point[key]))),
});

/** Card of the value of all agents over time against what was paid in; nothing with fewer than two values. */
function ValueCard({ curve }: { readonly curve: Curve }) {
  if (curve.filter(({ value }) => value !== null).length < 2) return null;
  return (
    <Card aria-label="Combined value">
      <CurveChart
        label="Value of all agents against what was paid in"
        panels={[
          {
            height: "h-44",
            formatValue: (value, step) => displayDecimal(value.toFixed(6), decimalsOfStep(step)),
            curves: [
              { label: "Value", tone: "accent", ...lineOf(curve, "value") },
              { label: "Paid in", tone: "muted", ...lineOf(curve, "paidIn") },
            ],
          },
        ]}
      />
    </Card>
  );
}
