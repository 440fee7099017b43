import type { StaleNotice } from "../../contract/events.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";

type Key = readonly string[];

/** Returns the query keys a server notice makes stale. */
export function staleKeys(notice: StaleNotice, address: OwnerAddress): readonly Key[] {
  const keys = keysOf(address);
  if (notice.topic === "chats") return [keys.chats];
  if (notice.topic === "agent") {
    const { id } = notice;
    return [
      keys.chats,
      keys.agents,
      keys.portfolio,
      ...(id ? [keys.alerts(id), keys.rules(id), keys.changes(id)] : []),
    ];
  }
  if (notice.id === undefined) return [];
  switch (notice.topic) {
    case "messages":
      return [keys.messages(notice.id)];
    case "signals":
      return [
        keys.signals(notice.id),
        keys.decisions(notice.id),
        keys.webhook(notice.id),
        keys.rules(notice.id),
      ];
    case "trade-log":
      return [keys.tradeLog(notice.id), keys.hypotheses(notice.id), keys.activity];
    case "hypotheses":
      return [keys.hypotheses(notice.id)];
    case "ledger":
      return [keys.performance(notice.id), keys.portfolio];
    case "position":
      return [
        keys.position(notice.id),
        keys.userPositions,
        keys.custody(notice.id),
        keys.portfolio,
        keys.performance(notice.id),
      ];
    case "custody":
      return [
        keys.custody(notice.id),
        keys.changes(notice.id),
        keys.agents,
        keys.chats,
        keys.position(notice.id),
        keys.allBalances,
        keys.portfolio,
        keys.performance(notice.id),
      ];
  }
}
