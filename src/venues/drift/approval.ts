import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import type { Effect, EffectKind } from "../effect.ts";
import {
  type ApprovalTerms,
  type IntentRule,
  type MoveRule,
  requireOne,
  type VenueApproval,
} from "../venue-approval.ts";
import { readOwnCall, readVaultCall } from "./approved-calls.ts";
import { DRIFT_INSTANCES, type DriftInstance } from "./instance.ts";
import { sharedAddresses } from "./shared-addresses.ts";

const CLOSING: readonly EffectKind[] = [
  "venue-cancel",
  "venue-close",
  "venue-fill",
  "venue-settle",
];

const HOME: MoveRule = { from: "vault", token: "quote", amount: "asked" };

function checkDeposit(effects: readonly Effect[]): void {
  // The vault's token account is opened in a transaction of its own where both leave a wallet no room
  const opensOnly = effects.every(({ kind }) => kind === "create-token-account");
  if (opensOnly && effects.length > 0) return;
  requireOne(effects, "tokens", "The transaction would not move the money into the vault.");
  requireOne(effects, "venue-deposit", "The transaction would not deposit at the venue.");
}

function requireMoveHome(effects: readonly Effect[]): void {
  requireOne(effects, "tokens", "The transaction would not move the money to your wallet.");
}

function checkWithdrawal(effects: readonly Effect[]): void {
  // Realized gain is settled in a transaction of its own, before the amount to withdraw is known
  if (effects.every(({ kind }) => kind === "venue-settle")) return;
  requireOne(effects, "venue-withdrawal", "The transaction would not withdraw from the venue.");
  requireMoveHome(effects);
}

const RULES: Readonly<Partial<Record<CustodyIntent, IntentRule>>> = {
  "set-up": {
    may: ["create-multisig", "lamports", "create-token-account", "venue-account", "trading-key"],
    opensFor: ["vault"],
  },
  deposit: {
    may: ["create-token-account", "tokens", "venue-deposit", "venue-name"],
    opensFor: ["vault"],
    moves: { from: "wallet", token: "quote", amount: "asked" },
    check: checkDeposit,
  },
  withdraw: {
    may: ["create-token-account", "tokens", "venue-withdrawal", "venue-settle"],
    opensFor: ["wallet"],
    moves: HOME,
    check: checkWithdrawal,
  },
  "close-positions": { may: CLOSING },
  revoke: { may: ["trading-key"] },
  delete: {
    may: [
      ...CLOSING,
      "create-token-account",
      "tokens",
      "venue-withdrawal",
      "venue-deletion",
      "trading-key",
      "close-token-account",
      "lamports",
    ],
    once: ["close-token-account"],
    opensFor: ["wallet"],
    closes: { of: "vault", rentTo: ["vault"] },
    moves: { ...HOME, amount: "any" },
    check(effects) {
      if (effects.some(({ kind }) => kind === "venue-withdrawal")) requireMoveHome(effects);
    },
  },
};

function termsOf(instance: DriftInstance): ApprovalTerms {
  const { programId, quote } = instance;
  return {
    quote: { ...quote, tokenProgram: TOKEN_PROGRAM },
    assets: [],
    sharedAddresses: sharedAddresses(instance, []),
    rules: RULES,
    read(given, authority, { wallet, vault }) {
      if (given.programAddress !== programId) return null;
      return authority === vault
        ? readVaultCall(given, vault, instance)
        : readOwnCall(given, wallet, vault, instance);
    },
  };
}

/** Approval rules of Drift. */
export const DRIFT_APPROVAL: VenueApproval = {
  venue: "drift",
  on: (network) => termsOf(DRIFT_INSTANCES[network]),
};
