import type { AgentId } from "./ids.ts";
import { quoteName } from "./name-key.ts";
import type { Network } from "./network.ts";
import { loosenedLimits, OWNER_LIMIT_NAMES, type OwnerLimits } from "./owner-limits.ts";
import { planText, loosenedPlan } from "./plan/plan-words.ts";
import type { Plan } from "./plan/plan.ts";
import { formatSlippagePercent } from "./slippage.ts";
import type { VenueId } from "./venue-id.ts";
import { ownerLimitName, ownerLimitSize } from "./owner-limit-words.ts";

/** Accounts of an agent's custody, as base58 addresses. */
export interface PinnedCustody {
  readonly multisig: string;
  readonly vault: string;
  readonly tradingKey: string;
}

/** What an owner's signature pins of one agent: its signer opens nothing beyond. */
export interface PinnedTerms {
  readonly agentId: AgentId;
  readonly network: Network;
  /** Null for a venue that no longer exists. */
  readonly venue: VenueId | null;
  readonly marketId: string;
  readonly interval: string;
  readonly autoTrade: "on" | "off";
  readonly slippageBps: number;
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  readonly limits: OwnerLimits;
  /** Absent where nothing is planned for an open position. */
  readonly plan?: Plan | undefined;
  /** Absent: 1. */
  readonly leverage?: number | undefined;
  /** Null before custody was planned. */
  readonly custody: PinnedCustody | null;
}

/** Parts of a text that an owner's wallet signs to let one change happen. Times in milliseconds. */
export interface OwnerText {
  readonly host: string;
  readonly origin: string;
  readonly wallet: string;
  /** The change in words, on one line. */
  readonly change: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Null for a change that pins nothing. */
  readonly pinned: PinnedTerms | null;
}

/**
 * Returns the text, byte for byte what the wallet shows and signs. Two sets of parts never have the same text: every
 * part is on one line of its own.
 */
export function ownerText(parts: OwnerText): string {
  return [
    `${parts.host} asks you to confirm a change with your Solana account:`,
    parts.wallet,
    "",
    parts.change,
    "",
    ...(parts.pinned === null ? [] : [...pinnedLines(parts.pinned), ""]),
    "This signature is for this one change. It is used once.",
    "Signing moves no funds and costs nothing.",
    "",
    `URI: ${parts.origin}`,
    `Nonce: ${parts.nonce}`,
    `Issued At: ${new Date(parts.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(parts.expiresAt).toISOString()}`,
  ].join("\n");
}

function pinnedLines(terms: PinnedTerms): string[] {
  const { custody, limits, plan, leverage = 1 } = terms;
  const limit = OWNER_LIMIT_NAMES.map(
    (name) => `${ownerLimitName(name)} ${ownerLimitSize(name, limits[name])}`,
  );
  return [
    "Until you sign something newer, the server's signer holds this agent to:",
    `Agent: ${terms.agentId} (${terms.network})`,
    `Auto-trade: ${terms.autoTrade}`,
    `Market: ${terms.marketId} on ${terms.venue ?? "no venue"}, interval ${quoteName(terms.interval)}`,
    `Slippage: ${formatSlippagePercent(terms.slippageBps)}%`,
    `Position size: ${terms.positionSizePercent}%`,
    ...(leverage === 1 ? [] : [`Leverage: ${leverage}`]),
    ...(plan === undefined ? [] : [`Plan: ${planText(plan)}`]),
    `Age of alerts: ${terms.maxSignalAgeSeconds} seconds`,
    `Limits: ${limit.join(", ")}`,
    ...(custody === null
      ? ["Custody: none"]
      : [
          `Multisig: ${custody.multisig}`,
          `Vault: ${custody.vault}`,
          `Trading key: ${custody.tradingKey}`,
        ]),
  ];
}

/** Returns what of an agent as stored goes beyond what its owner signed, for a refusal; null when nothing does. */
export function beyondSigned(signed: PinnedTerms, stored: PinnedTerms): string | null {
  const [limit] = loosenedLimits(signed.limits, stored.limits);
  const [part] = loosenedPlan(signed.plan ?? null, stored.plan ?? null);
  const found: readonly (readonly [is: boolean, what: string])[] = [
    [signed.autoTrade !== "on", "auto-trade"],
    [stored.network !== signed.network, "network"],
    [stored.venue !== signed.venue, "venue"],
    [stored.marketId !== signed.marketId, "market"],
    [stored.interval !== signed.interval, "interval"],
    [stored.slippageBps > signed.slippageBps, "slippage"],
    [stored.positionSizePercent > signed.positionSizePercent, "position size"],
    [(stored.leverage ?? 1) > (signed.leverage ?? 1), "leverage"],
    [part !== undefined, `plan's ${part}`],
    [stored.maxSignalAgeSeconds > signed.maxSignalAgeSeconds, "age of alerts"],
    [limit !== undefined, limit === undefined ? "" : `limit "${ownerLimitName(limit)}"`],
    [stored.custody?.multisig !== signed.custody?.multisig, "multisig"],
    [stored.custody?.vault !== signed.custody?.vault, "vault"],
    [stored.custody?.tradingKey !== signed.custody?.tradingKey, "trading key"],
  ];
  const [, what] = found.find(([is]) => is) ?? [];
  return what === undefined ? null : `the owner has not signed its ${what}`;
}
