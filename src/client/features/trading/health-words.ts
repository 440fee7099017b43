import type { AgentHealth } from "../../../contract/agent-health.ts";
import { HEALTH_LIMITS_MS } from "../../../domain/agent-health.ts";
import { lengthText } from "../../../domain/length-text.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";

/** One part of the health line. */
export interface HealthPart {
  readonly tone: "fault" | "unknown" | "well";
  readonly text: string;
}

const fault = (text: string): HealthPart => ({ tone: "fault", text });
const unknown = (text: string): HealthPart => ({ tone: "unknown", text });
const well = (text: string): HealthPart => ({ tone: "well", text });

/** Returns the parts of an agent's health in words, faults first. */
export function healthParts(health: AgentHealth): readonly HealthPart[] {
  const parts = [
    alertPart(health),
    reconcilePart(health),
    bookPart(health),
    candlePart(health),
    venuePart(health),
    keyPart(health),
    ordersPart(health),
    fillsPart(health),
  ].filter((part) => part !== null);
  return [
    ...parts.filter(({ tone }) => tone === "fault"),
    ...parts.filter(({ tone }) => tone !== "fault"),
  ];
}

const ageMs = ({ at }: AgentHealth, since: string): number => Date.parse(at) - Date.parse(since);

const OUTCOMES = {
  accepted: "",
  duplicate: ", a repeat",
  ignored: ", ignored",
  refused: ", refused",
  denied: ", denied",
} as const;

function alertPart(health: AgentHealth): HealthPart {
  const { lastAlert, isTrading, awaitsAlerts } = health;
  if (lastAlert === null) return well("No alert yet");
  const age = ageMs(health, lastAlert.at);
  if (isTrading && awaitsAlerts && age > HEALTH_LIMITS_MS.silent) {
    return fault(`No alert for ${lengthText(age)}`);
  }
  return well(`Last alert ${lengthText(age)} ago${OUTCOMES[lastAlert.outcome]}`);
}

function reconcilePart(health: AgentHealth): HealthPart {
  if (health.reconciledAt === null) return unknown("Not reconciled yet");
  const age = ageMs(health, health.reconciledAt);
  if (age > HEALTH_LIMITS_MS.reconcile) return fault(`Not reconciled for ${lengthText(age)}`);
  return well(`Reconciled ${lengthText(age)} ago`);
}

function bookPart(health: AgentHealth): HealthPart {
  const { state, checkedAt, since } = health.book;
  if (state === "different") {
    const lasts = since === undefined ? "" : ` for ${lengthText(ageMs(health, since))}`;
    return fault(`Book differs from chain${lasts}`);
  }
  if (checkedAt === undefined) return unknown("Book not compared yet");
  const age = ageMs(health, checkedAt);
  return age > HEALTH_LIMITS_MS.check
    ? fault(`Book not compared with chain for ${lengthText(age)}`)
    : well(`Book equals chain, checked ${lengthText(age)} ago`);
}

function candlePart(health: AgentHealth): HealthPart | null {
  const { candles } = health;
  switch (candles?.state) {
    case undefined:
      return null;
    case "on_time":
      return well("Candles on time");
    case "late":
      return fault("Candles are late");
    case "missing":
      return fault(candles.reason === undefined ? "No usable candles" : bare(candles.reason));
    case "waiting":
      return unknown("Conditions wait for the next bar");
    case "resting":
      return well("Conditions rest while Auto-Trade is off");
  }
}

const bare = (sentence: string): string => sentence.replace(/\.$/, "");

function venuePart(health: AgentHealth): HealthPart {
  const { id, isAnswering, since, reason } = health.venue;
  const name = VENUE_PROFILES[id].label;
  if (isAnswering === null) return unknown(`${name} unknown`);
  if (isAnswering) return well(`${name} answers`);
  const lasts = since === undefined ? "" : ` for ${lengthText(ageMs(health, since))}`;
  const why = reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`;
  return fault(`${name} has not answered${lasts}${why}`);
}

function keyPart({ key, isTrading }: AgentHealth): HealthPart {
  switch (key) {
    case null:
      return unknown("Key unknown");
    case "ours":
      return well("Key may trade");
    case "foreign":
      return fault("Another key may trade");
    case "pending":
      return fault("Set-up not finished");
    case "none":
      return isTrading ? fault("Key may not trade") : well("Key revoked");
  }
}

function ordersPart(health: AgentHealth): HealthPart {
  const { orders, since } = health.unsettled;
  if (orders === 0) return well("No order on the way");
  const what = `${orders} ${orders === 1 ? "order" : "orders"}`;
  const age = since === undefined ? 0 : ageMs(health, since);
  return age >= HEALTH_LIMITS_MS.unsettled
    ? fault(`${what} without an outcome for ${lengthText(age)}`)
    : well(`${what} on the way`);
}

/** Returns nothing without a fill, because an idle agent has none. */
function fillsPart({ fills }: AgentHealth): HealthPart | null {
  if (fills === null) return null;
  const { count, p50Ms, p95Ms } = fills;
  if (count === 1) return well(`Alert to fill of the last day: ${secondsText(p50Ms)}`);
  return well(
    `Alert to fill of the last day: half in ${secondsText(p50Ms)}, 95 % in ${secondsText(p95Ms)}`,
  );
}

/** Returns a length of time in seconds, with one place below ten of them. */
const secondsText = (ms: number): string =>
  ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : lengthText(ms);
