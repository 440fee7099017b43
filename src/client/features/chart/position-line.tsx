import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getPosition } from "../../../contract/trade.ts";
import { followCandles } from "../../queries/candles.ts";
import { useRead } from "../../queries/read.ts";
import { symbolOf } from "../../../venues/profiles.ts";
import type { Agent } from "../../../contract/agent.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Figure } from "../../ui/figure.tsx";

/** Poll interval of the chart's position line, in milliseconds. */
export const CHART_POLL_MS = 10_000;

/** Shows the agent's position beside the chart, whose candles are read with it. After a failed read the old values stay, dimmed. */
export function PositionLine({ agent, asset }: { readonly agent: Agent; readonly asset: string }) {
  const client = useQueryClient();
  const { data, isError, dataUpdatedAt } = useRead(
    getPosition,
    { query: { agentId: agent.id } },
    { refetchInterval: CHART_POLL_MS },
  );
  const { network } = agent;
  useEffect(() => {
    if (dataUpdatedAt > 0) void followCandles(client, { network, symbol: symbolOf(asset) });
  }, [client, network, asset, dataUpdatedAt]);
  const times = useTimes();
  const shown = data?.available === true ? data : undefined;
  const since = data?.asOf !== undefined && (isError || !shown) ? times.time(data.asOf) : null;
  return (
    <p
      title={since === null ? undefined : `unavailable since ${since}`}
      className="flex items-center gap-3 text-xs font-medium whitespace-nowrap"
    >
      <span>
        <span className="text-faint">Pos: </span>
        <Figure
          value={shown?.position}
          decimals={sizeDecimals(shown?.position)}
          unit={` ${asset}`}
          stale={isError}
        />
      </span>
      <span>
        <span className="text-faint">P&amp;L: </span>
        <Figure value={shown?.pnl} unit="%" toned stale={isError} />
      </span>
      <Figure value={shown?.positionValue} prefix="$" stale={isError} />
    </p>
  );
}
