import { axisTime } from "../../lib/times.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Portfolio } from "../../queries/portfolio.ts";
import { Card } from "../../ui/card.tsx";
import { CurveChart } from "../../ui/curve-chart.tsx";
import { Figure } from "../../ui/figure.tsx";
import { How } from "../../ui/how.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Share } from "../../ui/share.tsx";
import { decimalsOfStep, displayDecimal } from "../../lib/format.ts";
import { AgentTable } from "./agent-table.tsx";
import { List, Row } from "./list.tsx";
import { PendingList } from "./pending-list.tsx";

type Network = Portfolio["networks"][number];

const SPANS = [
  ["today", "Today", "since 00:00 UTC"],
  ["week", "7 d", "in seven days"],
  ["month", "30 d", "in thirty days"],
  ["all", "All", "since the first deposit"],
] as const;

interface NetworkPortfolioProps {
  readonly shown: Network;
  readonly onOpen: (chatId: string) => void;
}

/** Portfolio of a wallet on one network. */
export function NetworkPortfolio({ shown, onOpen }: NetworkPortfolioProps) {
  const { quote, agents, curve } = shown;
  const times = useTimes();
  const unit = ` ${quote.symbol}`;
  const line = (key: "value" | "paidIn") =>
    curve.map((point) => ({
      time: point.time,
      value: point[key] === null ? null : Number(point[key]),
    }));
  return (
    <section aria-label={`Portfolio on ${shown.network}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
        <div>
          <h3 className="flex items-center gap-1 text-xs text-muted">
            Total value <NetworkBadge network={shown.network} />
            <How of="Total value">
              What the venue says every agent's account is worth now, added up. Where the venue
              cannot be read, the last value in the book counts and is marked. Money in your wallet
              is not in it.
            </How>
          </h3>
          <p className="mt-0.5 text-2xl font-semibold tabular-nums">
            <Figure value={shown.total} unit={unit} />
          </p>
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
                  What these agents made {span}: their worth in the book now, less what it was then,
                  less what came in. The percentage is of what was there then and came in since.
                  Deleted agents and what is not final yet are not in it.
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
      {curve.filter(({ value }) => value !== null).length > 1 && (
        <Card aria-label="Combined value">
          <CurveChart
            label="Value of all agents against what was paid in"
            className="h-56"
            curves={[
              { label: "Value", tone: "accent", points: line("value") },
              { label: "Paid in", tone: "muted", points: line("paidIn") },
            ]}
            formatValue={(value, step) => displayDecimal(value.toFixed(6), decimalsOfStep(step))}
            formatTime={(seconds) => times.short(seconds * 1_000)}
            formatMark={(seconds, span) => axisTime(seconds, span, times)}
          />
        </Card>
      )}
      <Card aria-label="Agents">
        <AgentTable agents={agents} onOpen={onOpen} />
      </Card>
      {shown.pendingCount > 0 && <PendingList shown={shown} />}
      <div className="grid gap-4 md:grid-cols-3">
        <List title="Exposure" empty="Nothing is open.">
          {shown.exposure.map(({ asset, long, short }) => (
            <Row key={asset} name={asset}>
              <span className="text-up">
                long <Figure value={long} />
              </span>{" "}
              <span className="text-down">
                short <Figure value={short} />
              </span>
            </Row>
          ))}
        </List>
        <List
          title="In your wallet"
          empty={shown.wallet === null ? "The chain could not be read." : "Nothing."}
        >
          {shown.wallet !== null && (
            <>
              <Row name="SOL">
                <Figure value={shown.wallet.sol} decimals={4} />
              </Row>
              <Row name={quote.symbol}>
                <Figure value={shown.wallet.quote} />
              </Row>
              {shown.wallet.assets.map(({ symbol, amount }) => (
                <Row key={symbol} name={symbol}>
                  <Figure value={amount} decimals={4} />
                </Row>
              ))}
            </>
          )}
        </List>
        <List title="Money in and out" empty="Nothing came in or went out yet.">
          {shown.flows.slice(0, 8).map((flow, at) => (
            <Row key={`${flow.at} ${flow.agentId} ${at}`} name={times.short(flow.at)}>
              <span className="text-faint">{FLOWS[flow.kind]}</span>{" "}
              <Figure value={flow.amount} signed unit={` ${flow.asset}`} />
            </Row>
          ))}
        </List>
      </div>
    </section>
  );
}

const FLOWS = { deposit: "Deposit", withdrawal: "Withdrawal", outside: "Outside" } as const;
