import type { StaleNotice } from "../../contract/events.ts";
import { keysOf } from "./keys.ts";

type Key = readonly string[];

/** Returns the query keys a server notice makes stale. */
export function staleKeys({ topic, id }: StaleNotice, address: string): readonly Key[] {
  const keys = keysOf(address);
  if (topic === "chats") return [keys.chats];
  if (topic === "agent") {
    return [
      keys.chats,
      keys.agents,
      keys.portfolio,
      ...(id ? [keys.alerts(id), keys.rules(id), keys.changes(id)] : []),
    ];
  }
  if (id === undefined) return [];
  switch (topic) {
    case "messages":
      return [keys.messages(id)];
    case "signals":
      return [keys.signals(id), keys.decisions(id), keys.webhook(id), keys.rules(id)];
    case "trade-log":
      return [keys.tradeLog(id), keys.hypotheses(id), keys.activity];
    case "hypotheses":
      return [keys.hypotheses(id)];
    case "ledger":
      return [keys.performance(id), keys.portfolio];
    case "position":
      return [keys.position(id), keys.userPositions, keys.custody(id), keys.portfolio];
    case "custody":
      return [
        keys.custody(id),
        keys.changes(id),
        keys.agents,
        keys.chats,
        keys.position(id),
        keys.allBalances,
      ];
  }
}
