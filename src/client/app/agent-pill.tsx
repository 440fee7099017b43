import { clsx } from "clsx";
import type { Agent } from "../queries/agent.ts";

/** The agent's name with a dot: green and pulsing while auto-trade is on, red while off, amber while something limits it. */
export function AgentPill({
  agent,
  name,
}: {
  readonly agent: Agent | null;
  readonly name: string;
}) {
  const state = agent?.autoTrade ?? "no agent";
  const isOn = state === "on" || state === "stopping";
  const isLimited = agent?.trading !== undefined;
  return (
    <span
      title={name}
      className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-full border bg-raised px-2 md:gap-2 md:px-3 lg:max-w-52 lg:shrink-0"
    >
      <span aria-hidden className="relative inline-flex size-2 shrink-0">
        {agent && (
          <span
            className={clsx(
              "absolute inset-0 animate-[ping-soft_2s_ease-out_infinite] rounded-full opacity-60",
              isLimited ? "bg-warn" : isOn ? "bg-up" : "bg-down",
            )}
          />
        )}
        <span
          className={clsx(
            "relative size-2 rounded-full",
            agent === null ? "bg-line-strong" : isLimited ? "bg-warn" : isOn ? "bg-up" : "bg-down",
          )}
        />
      </span>
      <span className="truncate text-sm font-medium">{name}</span>
      <span className="sr-only">, auto-trade {state}</span>
      {agent?.custody?.status === "deleting" && (
        <span className="text-2xs whitespace-nowrap text-warn">Being deleted</span>
      )}
      {state === "stopping" && <span className="text-2xs text-warn">Stopping</span>}
    </span>
  );
}
