import { type Address, getBase16Decoder, getU32Encoder } from "@solana/kit";
import { addressBytes } from "../../solana/encoding/address-codec.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import { transferChecked } from "../../solana/programs/token.ts";
import { type ExpectedEffect, type PlanStep, planStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import { DELEGATE_OFFSET, MARGIN_RATIO_OFFSET } from "./layout-user.ts";
import {
  accountsOf,
  deposit,
  type MarketAccounts,
  initializeUser,
  initializeUserStats,
  leverageOfRatio,
  ownMarginRatio,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
} from "./instructions.ts";
import { deriveSpotMarketVault, deriveUserStats, userAddressOf } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";

/** Compute unit limit of a plan's transaction; the largest measured used 155,000. */
const PLAN_COMPUTE_UNITS = 600_000;

/** Returns a step of these parts; without any it does nothing. */
export const step = (label: string, parts: Partial<PlanStep>): PlanStep =>
  planStep(label, PLAN_COMPUTE_UNITS, parts);

/** Returns the expected effect of setting a trading key; the all-zero address removes it. */
export function delegateEffect(
  instance: DriftInstance,
  account: VenueAccount,
  tradingKey: Address,
): ExpectedEffect {
  return {
    kind: "bytes_at",
    address: userAddressOf(instance, account),
    offset: DELEGATE_OFFSET,
    hex: getBase16Decoder().decode(addressBytes(tradingKey)),
  };
}

/**
 * Returns the step that opens the exchange account and sets the trading key, or none when both are done.
 *
 * With the exchange account it opens the vault's token account: in the first deposit that would leave the instructions
 * a wallet adds no room.
 */
export function planSetUpFrom(
  instance: DriftInstance,
  account: VenueAccount,
  accountName: string,
  present: {
    readonly hasStats: boolean;
    readonly tradingKey: Address | null;
    /** The account's own initial margin ratio; 0 for none. One that the owner chose is kept. */
    readonly maxMarginRatio: number;
    /** Rent of the vault's token account, in lamports; null when it is open. */
    readonly vaultTokensRent: bigint | null;
  },
): readonly PlanStep[] {
  const user = accountsOf(account);
  const asVault = [
    ...(present.hasStats ? [] : [initializeUserStats(instance, account.vault)]),
    ...(present.tradingKey === null ? [initializeUser(instance, user, accountName)] : []),
    ...(present.tradingKey === account.tradingKey
      ? []
      : [
          ...(present.maxMarginRatio === 0 || isTooTight(account, present.maxMarginRatio)
            ? [updateUserCustomMarginRatio(instance, user, ownMarginRatio(account.leverage ?? 1))]
            : []),
          updateUserDelegate(instance, user, account.tradingKey),
        ]),
  ];
  if (asVault.length === 0) return [];
  const programId = instance.programId;
  const { owner, vault } = account;
  const rent = present.tradingKey === null ? present.vaultTokensRent : null;
  const { mint } = instance.quote;
  return [
    step("Open the exchange account and name the trading key", {
      before:
        rent === null
          ? []
          : [createAssociatedTokenIdempotent({ payer: owner, owner: vault, mint })],
      asVault,
      ...(rent === null ? {} : { ownerRentLamports: rent }),
      expects: [
        { kind: "account_exists", address: deriveUserStats(instance, vault), programId },
        { kind: "account_exists", address: userAddressOf(instance, account), programId },
        delegateEffect(instance, account, account.tradingKey),
      ],
    }),
  ];
}

/** Returns whether an account's own margin ratio leaves no room for its agent's leverage. */
const isTooTight = ({ leverage = 1 }: VenueAccount, maxMarginRatio: number): boolean =>
  leverage > (leverageOfRatio(maxMarginRatio) ?? leverage);

/** Returns the step that sets the account to its agent's leverage, wider or tighter, or none where it is. */
export function planLeverageFrom(
  instance: DriftInstance,
  account: VenueAccount,
  maxMarginRatio: number,
): readonly PlanStep[] {
  const { leverage = 1 } = account;
  if (leverageOfRatio(maxMarginRatio) === leverage) return [];
  const ratio = ownMarginRatio(leverage);
  return [
    step(`Allow orders with leverage ${leverage}`, {
      asVault: [updateUserCustomMarginRatio(instance, accountsOf(account), ratio)],
      expects: [
        {
          kind: "bytes_at",
          address: userAddressOf(instance, account),
          offset: MARGIN_RATIO_OFFSET,
          hex: getBase16Decoder().decode(getU32Encoder().encode(ratio)),
        },
      ],
    }),
  ];
}

/** Returns the step that renames the exchange account; the name is truncated to the program's 32 bytes. */
export function planRenameFrom(
  instance: DriftInstance,
  account: VenueAccount,
  accountName: string,
): PlanStep {
  return step("Rename the exchange account", {
    asVault: [updateUserName(instance, accountsOf(account), accountName)],
  });
}

/** Returns the step that moves quote tokens from the owner's wallet through the vault to the exchange. */
export function planDepositFrom(
  instance: DriftInstance,
  account: VenueAccount,
  amount: bigint,
  markets: MarketAccounts,
): PlanStep {
  const { mint, decimals } = instance.quote;
  const ownerTokens = associatedTokenAddress(account.owner, mint);
  const vaultTokens = associatedTokenAddress(account.vault, mint);
  return step(`Deposit ${instance.quote.symbol}`, {
    before: [
      createAssociatedTokenIdempotent({ payer: account.owner, owner: account.vault, mint }),
      transferChecked(
        { source: ownerTokens, mint, destination: vaultTokens, authority: account.owner },
        { amount, decimals },
      ),
    ],
    asVault: [
      deposit(instance, accountsOf(account), {
        spotMarketIndex: instance.quoteSpotMarketIndex,
        tokenAccount: vaultTokens,
        amount,
        markets,
      }),
    ],
    expects: [
      { kind: "token_delta", account: ownerTokens, mint, delta: -amount },
      {
        kind: "token_delta",
        account: deriveSpotMarketVault(instance, instance.quoteSpotMarketIndex),
        mint,
        delta: amount,
      },
    ],
  });
}
