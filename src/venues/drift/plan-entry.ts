import { type Address, getBase16Decoder } from "@solana/kit";
import { addressBytes } from "../../solana/address-codec.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { transferChecked } from "../../solana/programs/token.ts";
import type { ExpectedEffect, PlanStep, VenueAccount } from "../venue.ts";
import type { MarketAccounts } from "./instructions.ts";
import { DELEGATE_OFFSET } from "./layout-user.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  updateUserDelegate,
  updateUserName,
} from "./instructions.ts";
import { deriveSpotMarketVault, deriveUser, deriveUserStats } from "./pdas.ts";
import type { DriftProfile } from "./profile.ts";

/** Compute units a plan's transaction may use; the largest measured took 155,000. */
export const PLAN_COMPUTE_UNITS = 600_000;

/** Returns the effect of naming a trading key; the all-zero address for nobody. */
export function delegateEffect(
  profile: DriftProfile,
  account: VenueAccount,
  delegate: Address,
): ExpectedEffect {
  return {
    kind: "bytes_at",
    address: deriveUser(profile, account.vault, account.subAccountId),
    offset: DELEGATE_OFFSET,
    hex: getBase16Decoder().decode(addressBytes(delegate)),
  };
}

/** Returns the step that opens the exchange account and names the delegate, or nothing when both are done. */
export function planSetUpFrom(
  profile: DriftProfile,
  account: VenueAccount,
  accountName: string,
  present: { readonly hasStats: boolean; readonly delegate: Address | null },
): readonly PlanStep[] {
  const user = { authority: account.vault, subAccountId: account.subAccountId };
  const asVault = [
    ...(present.hasStats ? [] : [initializeUserStats(profile, account.vault)]),
    ...(present.delegate === null ? [initializeUser(profile, user, accountName)] : []),
    ...(present.delegate === account.delegate
      ? []
      : [updateUserDelegate(profile, user, account.delegate)]),
  ];
  if (asVault.length === 0) return [];
  const programId = profile.programId;
  return [
    {
      label: "Open the exchange account and name the trading key",
      before: [],
      asVault,
      after: [],
      computeUnitLimit: PLAN_COMPUTE_UNITS,
      expects: [
        {
          kind: "account_exists",
          address: deriveUserStats(profile, account.vault),
          programId,
        },
        {
          kind: "account_exists",
          address: deriveUser(profile, account.vault, account.subAccountId),
          programId,
        },
        delegateEffect(profile, account, account.delegate),
      ],
    },
  ];
}

/** Returns the step that renames the exchange account; the name is cut to the 32 bytes the program keeps. */
export function planRenameFrom(
  profile: DriftProfile,
  account: VenueAccount,
  accountName: string,
): PlanStep {
  const user = { authority: account.vault, subAccountId: account.subAccountId };
  return {
    label: "Rename the exchange account",
    before: [],
    asVault: [updateUserName(profile, user, accountName)],
    after: [],
    computeUnitLimit: PLAN_COMPUTE_UNITS,
    expects: [],
  };
}

/** Returns the step that moves quote tokens from the owner's wallet through the vault to the exchange. */
export function planDepositFrom(
  profile: DriftProfile,
  account: VenueAccount,
  amount: bigint,
  markets: MarketAccounts,
): PlanStep {
  const { mint, decimals } = profile.quote;
  const ownerTokens = associatedTokenAddress(account.owner, mint);
  const vaultTokens = associatedTokenAddress(account.vault, mint);
  return {
    label: `Deposit ${profile.quote.symbol}`,
    before: [
      createAssociatedTokenIdempotent({ payer: account.owner, owner: account.vault, mint }),
      transferChecked(
        { source: ownerTokens, mint, destination: vaultTokens, authority: account.owner },
        { amount, decimals },
      ),
    ],
    asVault: [
      deposit(
        profile,
        { authority: account.vault, subAccountId: account.subAccountId },
        {
          spotMarketIndex: profile.quoteSpotMarketIndex,
          tokenAccount: vaultTokens,
          amount,
          markets,
        },
      ),
    ],
    after: [],
    computeUnitLimit: PLAN_COMPUTE_UNITS,
    expects: [
      { kind: "token_delta", account: ownerTokens, mint, delta: -amount },
      {
        kind: "token_delta",
        account: deriveSpotMarketVault(profile, profile.quoteSpotMarketIndex),
        mint,
        delta: amount,
      },
    ],
  };
}
