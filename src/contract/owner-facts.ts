import * as z from "zod/mini";
import { NETWORKS } from "../domain/network.ts";
import { VENUE_IDS } from "../domain/venue-id.ts";
import { OWNER_LIMIT_RANGES } from "../domain/owner-limits.ts";
import { agentId, isoTime, line, onOff, ownAgent, signature, walletAddress } from "./fields.ts";
import { leverage } from "./plan.ts";
import { READS, route, type ResponseOf } from "./route.ts";

const limit = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.nullable(z.int().check(z.minimum(least), z.maximum(most)));

/** A plan as it is kept with what was signed: as in the domain. */
const bps = z.int().check(z.minimum(0), z.maximum(100_000));
const count = z.int().check(z.minimum(0), z.maximum(100_000));
const ofAtr = z.strictObject({ kind: z.literal("atr"), length: count, timesHundredths: count });
const ofPercent = z.strictObject({ kind: z.literal("percent"), bps });
const pinnedPlan = z.strictObject({
  stop: z.optional(
    z.strictObject({
      at: z.union([ofPercent, ofAtr]),
      trail: z.optional(
        z.strictObject({ afterBps: bps, by: z.union([ofPercent, ofAtr]), stepBps: bps }),
      ),
      breakEvenAfterBps: z.optional(bps),
    }),
  ),
  targets: z.optional(
    z.readonly(
      z
        .array(
          z.strictObject({
            at: z.union([
              ofPercent,
              z.strictObject({ kind: z.literal("r"), timesHundredths: count }),
            ]),
            closePercent: count,
          }),
        )
        .check(z.maxLength(4)),
    ),
  ),
  adds: z.optional(
    z.strictObject({
      on: z.union([
        z.strictObject({ kind: z.literal("signal") }),
        z.strictObject({ kind: z.enum(["against", "favour"]), bps }),
      ]),
      times: count,
      sizePercent: count,
    }),
  ),
  maxPositionPercent: z.optional(count),
  holdBars: z.optional(count),
  closeWithoutStop: z.optional(z.boolean()),
});

/** What an owner's signature pins of one agent. */
export const pinnedTerms = z.strictObject({
  agentId,
  network: z.enum(NETWORKS),
  venue: z.nullable(z.enum(VENUE_IDS)),
  marketId: line(1, 64),
  interval: line(0, 64),
  autoTrade: onOff,
  slippageBps: z.int().check(z.minimum(0), z.maximum(10_000)),
  positionSizePercent: z.int().check(z.minimum(0), z.maximum(100)),
  maxSignalAgeSeconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  limits: z.strictObject({
    dayLossBps: limit(OWNER_LIMIT_RANGES.dayLossBps),
    fallBps: limit(OWNER_LIMIT_RANGES.fallBps),
    tradesPerDay: limit(OWNER_LIMIT_RANGES.tradesPerDay),
    lossesInRow: limit(OWNER_LIMIT_RANGES.lossesInRow),
    assetShareBps: limit(OWNER_LIMIT_RANGES.assetShareBps),
  }),
  /** Absent where nothing was planned. */
  plan: z.optional(pinnedPlan),
  /** Absent: 1. */
  leverage: z.optional(leverage),
  custody: z.nullable(
    z.strictObject({ multisig: walletAddress, vault: walletAddress, tradingKey: walletAddress }),
  ),
});

/** Milliseconds since the epoch, within what a text can name. */
const time = z.int().check(z.minimum(0), z.maximum(253_402_300_799_999));

/** Parts of a text that an owner signed; `ownerText` writes the text again from them. */
export const ownerTextParts = z.strictObject({
  host: line(1, 255),
  origin: line(1, 300),
  wallet: walletAddress,
  change: line(1, 5_000),
  nonce: line(1, 100),
  issuedAt: time,
  expiresAt: time,
  pinned: pinnedTerms,
});

const ownerFact = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("signed"),
    at: isoTime,
    wallet: walletAddress,
    text: z.string(),
    signature,
    parts: ownerTextParts,
  }),
  /** Auto-trade was turned off; what was signed before no longer turns it on. */
  z.strictObject({ kind: z.literal("off"), at: isoTime }),
  /** The operator withdrew this trading key. */
  z.strictObject({
    kind: z.literal("key_withdrawn"),
    at: isoTime,
    tradingKey: walletAddress,
  }),
]);

/** Largest number of facts in one response. */
export const FACTS_PAGE = 100;

/** The newest of what an agent's owner signed that its signer holds it to, and of what ended it; newest first. */
export const listOwnerFacts = route("GET", "/api/agents/:botId/owner-facts", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "custody"],
  freshMs: 0,
  response: z.array(ownerFact),
});

export type OwnerFact = ResponseOf<typeof listOwnerFacts>[number];
