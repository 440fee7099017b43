import type { Agent } from "../../../../contract/agent.ts";
import { getReadiness } from "../../../../contract/readiness.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import { divergenceOf, replay, tradedOrders } from "../../../../strategy/replay.ts";
import { useRead } from "../../../queries/read.ts";
import { networkLabel } from "../../../ui/badge.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { comparedSpanOf, DivergenceReport, useRealTrades } from "../simulation/replay-card.tsx";
import { useDivergence } from "./use-readiness.ts";

interface ShadowCardProps {
  readonly agent: Agent;
  readonly onOpen: (chatId: ChatId) => void;
}

/** How far a live agent parts from its simulation, and from the agent with play money that it was made from. */
export default function ShadowCard({ agent, onOpen }: ShadowCardProps) {
  const { live, trades, divergence, isFailed, retry } = useDivergence(agent);
  const { data } = useRead(getReadiness, { params: { agentId: agent.id } });
  const run = live.run.data;
  const span = run === undefined ? null : comparedSpanOf(run, trades);
  const twin = useRealTrades(data?.twin?.chatId ?? "", span?.fromMs ?? 0, {
    baseDecimals: span?.baseDecimals ?? 0,
    quoteDecimals: span?.quoteDecimals ?? 0,
  });
  if (divergence === null) {
    return isFailed ? (
      <NotLoaded onRetry={retry}>The comparison could not be made.</NotLoaded>
    ) : (
      <Skeleton className="h-40" />
    );
  }
  if (run === undefined || span === null) {
    return (
      <p className="text-sm text-muted">
        {trades.length === 0
          ? "It has not traded yet."
          : "It has traded, but not long enough to be compared yet."}
      </p>
    );
  }
  const money = {
    quoteDecimals: run.request.quoteDecimals,
    quoteSymbol: run.known.quoteSymbol,
  };
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Against its simulation" className="flex flex-col gap-2">
        <h4 className="text-sm font-medium">Against its simulation</h4>
        <DivergenceReport divergence={divergence} {...money} />
      </section>
      {data?.twin !== undefined && (
        <section aria-label="Against its twin" className="flex flex-col gap-2">
          <h4 className="text-sm font-medium">
            Against{" "}
            <button
              type="button"
              className="underline hover:text-ink"
              onClick={() => data.twin && onOpen(data.twin.chatId)}
            >
              {data.twin.name}
            </button>{" "}
            on {networkLabel(data.twin.network)}
          </h4>
          {twin.state === "read" ? (
            <DivergenceReport
              divergence={divergenceOf(replay(tradedOrders(twin.trades), trades, span))}
              {...money}
            />
          ) : (
            <p className="text-xs text-muted">
              {twin.state === "failed"
                ? "Its trade log could not be loaded."
                : "Reading its trade log..."}
            </p>
          )}
        </section>
      )}
    </div>
  );
}
