import type { AgentChange } from "../../queries/changes.ts";

const ACTS: Readonly<Record<string, string>> = {
  agent_created: "Agent created",
  alert_created: "Alert added",
  alert_updated: "Alert changed",
  alert_deleted: "Alert deleted",
  rule_created: "Rule added",
  rule_updated: "Rule changed",
  rule_deleted: "Rule deleted",
  auto_trade_turned_on: "Auto-Trade turned on",
  auto_trade_turned_off: "Auto-Trade turned off",
  limits_set: "Limits changed",
  agent_resumed: "Resumed after a limit",
  exits_ended: "Closing stopped",
  webhook_token_rotated: "Webhook token replaced",
  delegate_replaced: "Trading key replaced",
  delegate_withdrawn: "Trading key withdrawn",
};

const FIELDS: Readonly<Record<string, string>> = {
  name: "name",
  network: "network",
  venue: "venue",
  marketId: "asset",
  interval: "interval",
  slippageBps: "slippage",
  positionSizePercent: "position size",
  maxSignalAgeSeconds: "signal age",
  writesHypotheses: "Agentic-Trade",
  buyReportPrompt: "prompts",
  sellReportPrompt: "prompts",
  alerts: "alerts",
  conditions: "conditions of alerts",
  rules: "rules",
};

const OUTCOMES: Readonly<Record<string, string>> = {
  custody_confirmed: "confirmed on chain",
  custody_failed: "failed on chain",
  custody_expired: "expired before it landed",
  custody_abandoned: "given up",
};

/** Returns readable text for a code that this page does not know. */
function plain(code: string): string {
  const words = code.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the text of a change. */
export function changeText({ what, fields, text, intent }: AgentChange): string {
  if (text !== undefined) return text;
  const outcome = OUTCOMES[what];
  if (outcome !== undefined) return `${plain(intent ?? "transaction")} ${outcome}`;
  if (what === "alert_updated" && fields?.includes("conditions"))
    return "Alert's condition changed";
  if (what !== "agent_saved") return ACTS[what] ?? plain(what);
  const names = [...new Set((fields ?? []).flatMap((field) => FIELDS[field] ?? []))];
  return names.length === 0 ? "Saved without a change" : `Changed: ${names.join(", ")}`;
}

/** Labels of who made a change. */
export const BY: Readonly<Record<AgentChange["by"], string>> = {
  owner: "You",
  operator: "Operator",
  outside: "Outside Wheelhouse",
};
