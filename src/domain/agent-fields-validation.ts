import {
  type AgentFields,
  type AgentFieldsDraft,
  type Invalid,
  type ValidationReason,
  invalid,
} from "./agent-draft.ts";
import { agentNameKey, parseAgentName } from "./agent-name.ts";
import { isIntervalInRange, parseInterval } from "./interval.ts";
import { parseSlippagePercent } from "./slippage.ts";
import type { VenueProfiles } from "./venue-profile.ts";

const intervalTextOf = (draft: AgentFieldsDraft): string =>
  (draft.interval ?? parseAgentName(draft.name)?.interval ?? "").trim();

/** Returns the first field that is missing or malformed, validations 4 to 7. Null when all are filled in. */
export function findIncompleteField(draft: AgentFieldsDraft): Invalid | null {
  if (draft.marketId.trim() === "") return invalid("agent_incomplete", "agent.marketId");
  if (draft.name.trim() === "") return invalid("agent_incomplete", "agent.name");
  if (draft.venue === "") return invalid("venue_missing", "agent.venue");
  const text = intervalTextOf(draft);
  if (text === "") return invalid("interval_missing", "agent.interval");
  const interval = parseInterval(text);
  if (interval === null || !isIntervalInRange(interval)) {
    return invalid("interval_out_of_range", "agent.interval");
  }
  return null;
}

/** Checks an agent's own fields: validations 4 to 7, then that the venue trades the market, then the slippage. */
export function validateAgentFields(
  draft: AgentFieldsDraft,
  profiles: VenueProfiles,
): { readonly ok: true; readonly value: AgentFields } | Invalid {
  const incomplete = findIncompleteField(draft);
  if (incomplete !== null) return incomplete;
  const refuse = (reason: ValidationReason, field: string) => invalid(reason, `agent.${field}`);
  const intervalText = intervalTextOf(draft);
  const interval = parseInterval(intervalText);
  if (interval === null) return refuse("interval_out_of_range", "interval");
  if (draft.venue === "") return refuse("venue_missing", "venue");
  const marketId = draft.marketId.trim();
  const market = profiles[draft.venue].markets.find((each) => each.marketId === marketId);
  if (market === undefined) return refuse("market_unknown", "marketId");
  const slippageBps =
    draft.slippagePercent === undefined
      ? undefined
      : parseSlippagePercent(String(draft.slippagePercent));
  if (slippageBps === null) return refuse("slippage_out_of_range", "slippagePercent");
  const name = draft.name.trim();
  return {
    ok: true,
    value: {
      name,
      nameKey: agentNameKey(name),
      market,
      venue: draft.venue,
      intervalText,
      interval,
      slippageBps,
    },
  };
}
