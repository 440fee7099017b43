import type { AgentHealth } from "../../../contract/agent-health.ts";
import { HEALTH_LIMITS_MS } from "../../../domain/agent-health.ts";
import { lengthText } from "../../../domain/interval.ts";
import { isBuiltIn, type Network } from "../../../domain/network.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import type { Times } from "../../lib/time-zone.ts";
import type { LivePrices, Node } from "../../queries/deployment.ts";

/** One thing that is known about an agent, its venue, its candles or its network's nodes. */
export interface HealthPart {
  readonly tone: "fault" | "unknown" | "well";
  readonly text: string;
}

const fault = (text: string): HealthPart => ({ tone: "fault", text });
const unknown = (text: string): HealthPart => ({ tone: "unknown", text });
const well = (text: string): HealthPart => ({ tone: "well", text });

/** Returns everything known of an agent's health in words, faults first. */
export function healthParts(
  health: AgentHealth,
  nodes: readonly Node[] | null,
  times: Times,
  prices: readonly HealthPart[] = [],
): readonly HealthPart[] {
  const parts = [
    ...prices,
    ...(nodes === null ? [] : nodeParts(nodes, times)),
    alertPart(health),
    reconcilePart(health),
    bookPart(health),
    candlePart(health, times),
    venuePart(health, times),
    keyPart(health),
    stopPart(health, times),
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
  if (health.reconciledAt === null) return unknown("Not checked against the chain yet");
  const age = ageMs(health, health.reconciledAt);
  if (age > HEALTH_LIMITS_MS.reconcile)
    return fault(`Not checked against the chain for ${lengthText(age)}`);
  return well(`Checked against the chain ${lengthText(age)} ago`);
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

function candlePart({ candles }: AgentHealth, times: Times): HealthPart | null {
  switch (candles?.state) {
    case undefined:
      return null;
    case "on_time":
      return well("Candles on time");
    case "late":
      return fault(`Candles are late${sinceText(candles.since, times)}`);
    case "missing":
      return fault(`No usable candles${sinceText(candles.since, times, candles.reason)}`);
    case "waiting":
      return unknown("Conditions wait for the next bar");
    case "resting":
      return well("Conditions rest while Auto-Trade is off");
  }
}

function venuePart({ venue }: AgentHealth, times: Times): HealthPart {
  const { id, isAnswering, since, reason } = venue;
  const name = VENUE_PROFILES[id].label;
  if (isAnswering !== false && reason !== undefined) {
    return fault(`${name} cannot be traded on${sinceText(since, times, reason)}`);
  }
  if (isAnswering === null) return unknown(`${name} unknown`);
  if (isAnswering) return well(`${name} answers`);
  return fault(`${name} ${TROUBLES.unreachable}${sinceText(since, times, reason)}`);
}

const TROUBLES: Readonly<Record<NonNullable<Node["trouble"]>["kind"], string>> = {
  unreachable: "has not answered",
  limited: "has refused requests as too many",
  refused: "has refused our key: its address in the server's settings needs one that is valid",
  behind: "has been behind the chain",
  without_history: "has not known old transactions",
  wrong_chain: "has served another chain",
  wrong_answer: "has given answers that cannot be right",
};

/**
 * Returns which of a network's nodes is in trouble since when, and which one is used instead.
 *
 * Nodes are named by their place in the setting, never by address: addresses carry keys.
 */
export function nodeParts(nodes: readonly Node[], times: Times): readonly HealthPart[] {
  const used = nodes.find(({ isUsed, trouble }) => isUsed && trouble === null);
  return [
    ...nodes.flatMap(({ name, trouble }) =>
      trouble ? fault(`${name} ${TROUBLES[trouble.kind]}${sinceText(trouble.since, times)}`) : [],
    ),
    used === undefined
      ? fault("Nothing is traded until a node answers; what was asked for is kept")
      : well(`${used.name} is used now`),
  ];
}

const NO_PRICE: Readonly<Record<NonNullable<LivePrices["assets"][number]["missing"]>, string>> = {
  stale: "",
  apart: ", because its sources disagree",
  unconfirmed: ", because one source alone is not believed",
  jumped:
    ", because it would have jumped by more than 20 %, which is believed of a third source or after ten seconds",
};

/** What waits for a price, and for a second source: with play money an entry does not. */
const PLAY = { missing: "nothing fills and exits wait", unconfirmed: "" };
const REAL = {
  missing: "nothing is bought, and closings wait once the last price is five minutes old",
  unconfirmed: ": nothing is bought until enough agree, closings go on",
};

/** Returns since when an asset has no live price, or what is wrong with its sources; all assets where none is named. */
export function priceParts(
  { assets, sources }: LivePrices,
  asset: string | undefined,
  times: Times,
  network: Network = "paper",
): readonly HealthPart[] {
  const { missing: waits, unconfirmed } = isBuiltIn(network) ? PLAY : REAL;
  const own = assets.filter((each) => asset === undefined || each.asset === asset);
  return [
    ...own.flatMap(({ asset: name, at, missing }) => {
      if (missing === null) return [];
      const since = at === null ? `No price of ${name} yet` : `No prices of ${name}`;
      return fault(`${since}${sinceText(at ?? undefined, times)}${NO_PRICE[missing]}: ${waits}`);
    }),
    ...own.flatMap(({ asset: name, sources: count, missing, isConfirmed }) => {
      if (missing !== null || isConfirmed) return [];
      if (count === 1) return unknown(`${name} has one price source alone${unconfirmed}`);
      return unknown(`The price sources of ${name} disagree${unconfirmed}`);
    }),
    ...sources.flatMap(({ trouble }) =>
      trouble === null || (asset !== undefined && !trouble.assets.includes(asset))
        ? []
        : unknown(`${trouble.text}${sinceText(trouble.since, times)}`),
    ),
  ];
}

/** Returns since when a fault lasts and why, as the end of its sentence. */
const sinceText = (since: string | undefined, times: Times, reason?: string): string =>
  (since === undefined ? "" : ` since ${times.short(since)}`) +
  (reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`);

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

function stopPart({ stopMissingSince }: AgentHealth, times: Times): HealthPart | null {
  if (stopMissingSince === null) return null;
  return fault(`Position without its plan's stop${sinceText(stopMissingSince, times)}`);
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
