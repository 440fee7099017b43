import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { Network } from "../../domain/network.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads-pdas.ts";
import type { Effect, EffectKind } from "../effect.ts";
import { insist, Mismatch } from "../mismatch.ts";
import {
  type ApprovalRequest,
  type ApprovalTerms,
  type IntentRule,
  type MoveRule,
  requireOne,
  type VenueApproval,
} from "../venue-approval.ts";
import { readLimitChange } from "./approved-limits.ts";
import { readSale } from "./approved-sale.ts";
import {
  JUPITER_INSTANCE,
  JUPITER_PRACTICE_INSTANCE,
  JUPITER_PROGRAM,
  type JupiterInstance,
  quoteToken,
} from "./instance.ts";
import { sharedAddresses } from "./shared-addresses.ts";

const LIMITS: readonly EffectKind[] = ["create-token-account", "spending-limit", "limit-removal"];

const HOME: MoveRule = { from: "vault", token: "quote", amount: "asked" };

function checkLimit(
  { mint, amount }: Extract<Effect, { kind: "spending-limit" }>,
  { market, amount: asked }: ApprovalRequest,
  { quote, assets, dailyLimit }: JupiterInstance,
): void {
  if (mint !== quote.mint) {
    const traded = assets.find(({ marketId }) => marketId === market);
    insist(mint === traded?.mint, "The trading key would be allowed another asset.");
    return;
  }
  if (asked === null) {
    insist(
      amount <= dailyLimit,
      "The trading key would be allowed more a day than a new agent is.",
    );
  } else insist(amount === asked, "The limit is not what you asked for.");
}

function checkLimits(
  effects: readonly Effect[],
  request: ApprovalRequest,
  instance: JupiterInstance,
): void {
  const limits = effects.filter((effect) => effect.kind === "spending-limit");
  for (const limit of limits) checkLimit(limit, request, instance);
  const quoteLimits = limits.filter(({ mint }) => mint === instance.quote.mint).length;
  insist(
    quoteLimits <= 1 && limits.length - quoteLimits <= 1,
    "The trading key would be allowed more than one asset.",
  );
}

/** The whole amount that leaves the vault for a sale is sold, and nothing else. */
function checkSale(effects: readonly Effect[]): void {
  const sale = effects.find((effect) => effect.kind === "sale");
  const move = effects.find((effect) => effect.kind === "tokens");
  if (sale === undefined || move === undefined) {
    throw new Mismatch("The transaction would not close the position.");
  }
  insist(
    sale.mint === move.mint && sale.amount === move.amount,
    "What would leave the vault is not what would be sold.",
  );
}

function requireMove(effects: readonly Effect[]): void {
  requireOne(effects, "tokens", "The transaction would not move the money.");
}

function rulesOf(instance: JupiterInstance): Readonly<Partial<Record<CustodyIntent, IntentRule>>> {
  const limitRule: IntentRule = {
    may: LIMITS,
    opensFor: ["vault", "trading-key"],
    check: (effects, request) => checkLimits(effects, request, instance),
  };
  return {
    "set-up": { ...limitRule, may: [...LIMITS, "create-multisig", "lamports"] },
    "update-limits": limitRule,
    deposit: {
      may: ["create-token-account", "tokens"],
      opensFor: ["vault"],
      moves: { from: "wallet", token: "quote", amount: "asked" },
      check: requireMove,
    },
    withdraw: {
      may: ["create-token-account", "tokens"],
      opensFor: ["wallet"],
      moves: HOME,
      check: requireMove,
    },
    "close-positions": {
      may: ["create-token-account", "tokens", "sale", "close-token-account"],
      opensFor: ["vault", "wallet"],
      // A sale closes the temporary account it opened; an account with a balance cannot be closed
      closes: { of: "wallet", rentTo: ["vault", "wallet"] },
      moves: { from: "vault", token: "asset", amount: "any" },
      check: checkSale,
    },
    "move-assets": {
      may: ["create-token-account", "tokens"],
      opensFor: ["wallet"],
      moves: { from: "vault", token: "asset", amount: "any" },
      check: requireMove,
    },
    revoke: { may: ["limit-removal"] },
    delete: {
      may: ["create-token-account", "tokens", "limit-removal", "close-token-account", "lamports"],
      opensFor: ["wallet"],
      closes: { of: "vault", rentTo: ["vault", "wallet"] },
      moves: { from: "vault", token: "any", amount: "any" },
    },
  };
}

/** Returns the approval terms of an instance. */
export function termsOf(instance: JupiterInstance): ApprovalTerms {
  const quote = { ...quoteToken(instance), symbol: instance.quote.symbol };
  const assets = instance.assets.map((asset) => ({ ...asset, symbol: asset.marketId }));
  return {
    quote,
    assets,
    sharedAddresses: sharedAddresses(instance),
    rules: rulesOf(instance),
    read(given, authority, parties) {
      switch (given.programAddress) {
        case SQUADS_PROGRAM:
          return readLimitChange(given, authority, parties, [quote, ...assets]);
        case JUPITER_PROGRAM:
          return readSale(given, authority, parties, instance);
        default:
          return null;
      }
    },
  };
}

const instanceOn = (network: Network): JupiterInstance =>
  network === "practice" ? JUPITER_PRACTICE_INSTANCE : JUPITER_INSTANCE;

/** Approval rules of Jupiter. */
export const JUPITER_APPROVAL: VenueApproval = {
  venue: "jupiter",
  on: (network) => termsOf(instanceOn(network)),
};
