import { TriangleAlert } from "lucide-react";
import type { ChatId } from "../../../domain/ids.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Portfolio } from "../../queries/portfolio.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Share } from "../../ui/share.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { formatShare } from "../../lib/format.ts";
import { AgentState, type PortfolioAgent } from "./agent-state.tsx";

type DeletedAgent = Portfolio["networks"][number]["deleted"][number];

interface AgentTableProps {
  readonly agents: readonly PortfolioAgent[];
  readonly deleted: readonly DeletedAgent[];
  readonly onOpen: (chatId: ChatId) => void;
}

const CELL = "px-2 py-2 text-right tabular-nums";

/** Table of a wallet's agents on one network, by value descending, deleted ones last. */
export function AgentTable({ agents, deleted, onOpen }: AgentTableProps) {
  const sorted = agents.toSorted((a, b) => Number(b.value ?? -1) - Number(a.value ?? -1));
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Agents">
      <table className="w-full min-w-[680px] text-sm">
        <thead className="text-xs text-faint">
          <tr>
            <th scope="col" className="py-1 pr-2 text-left font-medium">
              Agent
            </th>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              State
            </th>
            <th scope="col" className="px-2 py-1 text-right font-medium">
              Value
            </th>
            <th scope="col" className="px-2 py-1 text-right font-medium">
              Share
            </th>
            <th scope="col" className="px-2 py-1 text-right font-medium">
              Today
            </th>
            <th scope="col" className="px-2 py-1 text-right font-medium">
              Below peak
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-medium">
              Growth
            </th>
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
        <span className="block text-2xs text-faint">{agent.marketId}</span>
        {attention.map((text) => (
          <span key={text} className="mt-0.5 flex items-start gap-1 text-2xs text-warn">
            <TriangleAlert aria-hidden className="mt-px size-3 shrink-0" />
            {text}
          </span>
        ))}
      </th>
      <td className="px-2 py-2">
        <AgentState state={agent.state} />
      </td>
      <td className={CELL}>
        <Figure value={value} />
        {valueSince && (
          <span className="block text-2xs text-warn">of {times.short(valueSince)}</span>
        )}
      </td>
      <td className={CELL}>{formatShare(share, 1).replace("+", "")}</td>
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
      <td className="px-2 py-2">
        <Badge>Deleted</Badge>
      </td>
      <td className={CELL}>–</td>
      <td className={CELL}>–</td>
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
      <td className={CELL}>{drawdown === null ? "–" : formatShare(-drawdown, 1)}</td>
      <td className="py-2 pl-2">
        <span className="flex items-center justify-end gap-2 text-xs">
          <Sparkline values={spark} />
          <Share value={spark.findLast((point) => point !== null)} className="w-14 text-right" />
        </span>
      </td>
    </>
  );
}
