import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../../contract/agent.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { positionQuery } from "../../queries/positions.ts";
import { CHART_POLL_MS } from "../../queries/wallet-trades.ts";
import { Figure } from "../../ui/figure.tsx";
import { useOwner } from "../../lib/session.ts";

interface PositionLineProps {
  readonly agent: Agent;
  readonly asset: string;
}

/** Shows the agent's position beside the chart. After a failed read the old values stay, dimmed. */
export function PositionLine({ agent, asset }: PositionLineProps) {
  const address = useOwner();
  const { data, isError } = useQuery({
    ...positionQuery(address, agent.id),
    refetchInterval: CHART_POLL_MS,
  });
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
