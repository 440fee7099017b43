import * as z from "zod/mini";
import { NO_PRICES, NODE_TROUBLES, SOURCE_FAULTS, STOP_REASONS } from "../domain/agent-health.ts";
import { decimalText, isoTime, network, venue } from "./fields.ts";
import { OPEN, route } from "./route.ts";
import { ISSUER_POWERS } from "../domain/issuer-power.ts";

/** One RPC node of a network, named by its position in the setting; `trouble` is its fault and since when. */
const node = z.strictObject({
  name: z.string(),
  /** True for the node that is currently asked first. */
  isUsed: z.boolean(),
  trouble: z.nullable(
    z.strictObject({
      kind: z.enum(NODE_TROUBLES),
      since: isoTime,
    }),
  ),
});

const livePrice = z.strictObject({
  asset: z.string(),
  /** In USD; null before the first. */
  price: z.nullable(decimalText),
  /** Time of the newest price by its sources' clocks; null before the first. */
  at: z.nullable(isoTime),
  /** How many sources agree on it. */
  sources: z.int(),
  /** Whether real money may enter at it: two sources agree, and fewer than a third of those that answered differ. */
  isConfirmed: z.boolean(),
  /** Why there is no newer price: none younger than 30 s, sources disagree, one alone is not believed, a jump waits. */
  missing: z.nullable(z.enum(NO_PRICES)),
});

/** Newest live prices of a network, as the stream of events sends them whenever one is published. */
export const pricesEvent = z.strictObject({ network, assets: z.array(livePrice) });

export type PricesEvent = z.infer<typeof pricesEvent>;

/** Live prices that a network's markets follow: of each asset the newest, and what is wrong with which source since when. */
const livePrices = z.strictObject({
  assets: z.array(livePrice),
  sources: z.array(
    z.strictObject({
      name: z.string(),
      trouble: z.nullable(
        z.strictObject({
          kind: z.enum(SOURCE_FAULTS),
          /** The same in words, with what mends a refusal. */
          text: z.string(),
          since: isoTime,
          assets: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/** Networks, venues and AI providers this deployment offers, and the state of its RPC nodes. */
export const getDeployment = route("GET", "/api/deployment", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 600 },
  response: z.strictObject({
    networks: z.array(
      z.strictObject({
        network,
        explorerUrl: z.nullable(z.string()),
        /** Empty where the network has no RPC nodes, as on practice. */
        nodes: z._default(z.array(node), []),
        prices: z.optional(livePrices),
        venues: z.array(
          z.strictObject({
            venue,
            /** `unread` until this server has read the venue for the first time. */
            status: z.enum(["available", "paused", "coming soon", "retired", "unread"]),
            reason: z.optional(z.string()),
            /** When this was read, if that is minutes ago because the chain does not answer. */
            readAt: z.optional(isoTime),
            quoteSymbol: z.string(),
            quoteDecimals: z.int(),
            /** Tokens held at the venue that their issuers have power over, read from the tokens' mints on chain. */
            issued: z.optional(
              z.array(
                z.strictObject({ symbol: z.string(), powers: z.array(z.enum(ISSUER_POWERS)) }),
              ),
            ),
          }),
        ),
      }),
    ),
    /** Origins of AI providers that the page's content security policy allows. */
    aiOrigins: z._default(z.array(z.string()), []),
  }),
});

/**
 * Readiness: 200 while the server can store alerts, 503 within a second once its database hangs, is full or only reads.
 * `nobody_trades` is a 200 too: alerts are stored, but no server of the database has a trading process that was there
 * within the last 5 seconds, so that orders and exits wait. `cannot_trade`: they are there, and on the networks listed none
 * can, because its signer or no node has answered for ten seconds. `clock_wrong`: this machine's clock and the one that
 * everything goes by differ. For load balancers (code) and monitors (status).
 */
export const getHealth = route("GET", "/api/health", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: null },
  response: z.strictObject({
    status: z.enum(["ok", "nobody_trades", "cannot_trade", "clock_wrong"]),
    stopped: z.optional(
      z.array(z.strictObject({ network, reason: z.enum(STOP_REASONS), since: isoTime })),
    ),
    /** The machine's clock minus the database's, by which everything goes; only when they are more than 30 s apart. */
    clockDifferenceSeconds: z.optional(z.int()),
  }),
});

/**
 * Liveness: the server can be reached, whatever the state of its dependencies. For pages that check whether they are
 * online.
 */
export const headHealth = route("HEAD", "/api/health", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: null },
  status: 200,
});
