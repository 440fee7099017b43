import * as z from "zod/mini";
import { READINESS_RANGES } from "../domain/readiness.ts";
import { agent } from "./agent.ts";
import { agentId, chatId, isoTime, name, network, ownAgent } from "./fields.ts";
import { READS, free, route, type ResponseOf } from "./route.ts";

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.int().check(z.minimum(least), z.maximum(most));

/** The bar an owner wants cleared before an agent trades with real money. */
const readinessBar = z.strictObject({
  days: within(READINESS_RANGES.days),
  trades: within(READINESS_RANGES.trades),
  fallPercent: within(READINESS_RANGES.fallPercent),
  matchedPercent: within(READINESS_RANGES.matchedPercent),
  luckPercent: within(READINESS_RANGES.luckPercent),
});

const count = z.int().check(z.minimum(0), z.maximum(1_000_000));
const share = z.nullable(z.number().check(z.minimum(-1_000_000), z.maximum(1_000_000)));

/** An agent that was made from another one, or from which another one was made. */
const copy = z.strictObject({ agentId, chatId, name: z.string(), network });

/** What the server recorded of an agent's readiness, and the owner's bar. */
export const getReadiness = route("GET", "/api/agents/:botId/readiness", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "ledger", "position"],
  response: z.strictObject({
    bar: readinessBar,
    /** Time since which the figures below count: the agent's creation. */
    since: isoTime,
    /** Alerts that came too late, or whose bars nothing evaluated in time. */
    missedAlerts: z.int(),
    /** Exits that took longer than a minute. */
    waitedExits: z.int(),
    /** Times without a price younger than 30 s; empty where prices cannot be missing. */
    withoutPrices: z.array(z.strictObject({ from: isoTime, to: isoTime })),
    /** The agent it was made from by going live, with play money; absent for any other. */
    twin: z.optional(copy),
    /** Agents with real money that were made from it. */
    live: z.array(copy),
  }),
});

export type Readiness = ResponseOf<typeof getReadiness>;

/** Replaces the owner's bar, for all agents. */
export const setReadinessBar = route("PUT", "/api/readiness-bar", {
  ...free("It trades nothing; going live makes an agent that is off and has no money."),
  access: { kind: "session" },
  changes: ["agent"],
  body: z.strictObject({ bar: readinessBar }),
  response: readinessBar,
});

/**
 * Makes a new agent on a real network from an agent with play money: its alerts, rules, plan and limits, a size and a
 * largest loss a day of at most 10 %. It is off and has no money. Below the owner's bar the wallet signs what is
 * missing.
 */
export const goLive = route("POST", "/api/agents/:botId/go-live", {
  bearer: "live_below_bar",
  ...ownAgent,
  changes: ["agent", "chats"],
  body: z.strictObject({
    name: name(1, 120),
    network,
    /** Figures that the bar is held against, as the page computed them. */
    figures: z.strictObject({
      days: count,
      trades: count,
      totalReturn: share,
      holdingReturn: share,
      fall: share,
      fallLimit: share,
      compared: count,
      matched: count,
      medianBps: share,
      slippageBps: count,
      luck: share,
      tries: z.nullable(count),
      keptOutReturn: share,
      missedAlerts: count,
      waitedExits: count,
      hoursWithoutPrices: z.number().check(z.minimum(0), z.maximum(1_000_000)),
    }),
  }),
  status: 201,
  response: agent,
});
