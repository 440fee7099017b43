import type { Address, Instruction } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  createAssociatedTokenIdempotent,
} from "../../solana/programs/associated-token.ts";
import type { Chain } from "../../solana/chain.ts";
import { spendingLimitSize } from "../../solana/programs/squads-accounts.ts";
import { type ExpectedEffect, type PlanStep, planStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import {
  type JupiterInstance,
  type SpotAsset,
  type SpotToken,
  quoteToken,
  TOKEN_ACCOUNT_SIZE,
  tokenAccountOf,
  baseFor,
} from "./instance.ts";
import {
  addLimit,
  isOurLimit,
  limitAddress,
  limitEffects,
  removeLimit,
  requirePlausibleLimit,
} from "./spending-limits.ts";
import type { TokenReading, VaultReading } from "./vault-reader.ts";

/** Compute unit limit of a set-up; three token accounts and two limits take about 150,000. */
const SET_UP_COMPUTE_UNITS = 300_000;

/** Rent of the accounts a set-up opens, in lamports. */
export interface SetUpRents {
  readonly tokenAccount: bigint;
  readonly limit: bigint;
}

/** Returns the present rent of token accounts, and of limits with one member and one destination. */
export async function readSetUpRents(chain: Pick<Chain, "minimumBalance">): Promise<SetUpRents> {
  const [tokenAccount, limit] = await Promise.all([
    chain.minimumBalance(TOKEN_ACCOUNT_SIZE),
    chain.minimumBalance(spendingLimitSize(1, 1)),
  ]);
  return { tokenAccount, limit };
}

interface Part {
  readonly instructions: readonly Instruction[];
  readonly expects: readonly ExpectedEffect[];
  readonly rentLamports: bigint;
}

const NOTHING: Part = { instructions: [], expects: [], rentLamports: 0n };

function openAccount(
  parties: { readonly payer: Address; readonly owner: Address },
  token: SpotToken,
  isOpen: boolean,
  rentLamports: bigint,
): Part {
  const { payer, owner } = parties;
  if (isOpen) return NOTHING;
  const { mint, tokenProgram } = token;
  return {
    instructions: [createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram })],
    expects: [
      {
        kind: "account_exists",
        address: tokenAccountOf(owner, token),
        programId: tokenProgram,
      },
    ],
    rentLamports,
  };
}

function setLimit(
  account: VenueAccount,
  mint: Address,
  { limit: present, limitLamports }: TokenReading,
  amount: bigint,
  rentLamports: bigint,
): Part {
  if (isOurLimit(present, account, mint) && present.amount === amount) return NOTHING;
  return {
    instructions: [
      ...(present === null ? [] : [removeLimit(account, mint)]),
      addLimit(account, mint, amount),
    ],
    expects: limitEffects(account, mint, amount),
    rentLamports: rentLamports - limitLamports,
  };
}

function dropLimit(account: VenueAccount, mint: Address, heldLamports: bigint): Part {
  return {
    instructions: [removeLimit(account, mint)],
    expects: [{ kind: "account_gone", address: limitAddress(account, mint) }],
    rentLamports: -heldLamports,
  };
}

/** Required limits in base units of quote token and asset. */
export interface WantedLimits {
  readonly quote: bigint;
  readonly asset: bigint;
}

/** Returns the asset limit that lets the trading key sell again what the quote limit buys. */
export function assetLimitFor(asset: SpotAsset, quoteLimit: bigint, price: bigint): bigint {
  requirePlausibleLimit(quoteLimit);
  return baseFor(asset, quoteLimit, price) + 1n;
}

/**
 * Returns the one step that results in exactly two spending limits, the quote token's and the asset's, and opens the
 * token accounts trading needs; none when all of it exists. Limits of other assets are removed in the same transaction.
 */
export function planLimitsFrom(
  instance: JupiterInstance,
  account: VenueAccount,
  asset: SpotAsset,
  reading: VaultReading,
  wanted: WantedLimits,
  rents: SetUpRents,
): readonly PlanStep[] {
  const quote = quoteToken(instance);
  const traded = reading.assets.find((known) => known.asset === asset);
  if (traded === undefined) throw new Error("The reading does not hold the traded asset");
  const { owner, vault, tradingKey } = account;
  const stale = reading.assets.filter((known) => known.asset !== asset && known.limit !== null);
  const open = (holder: Address, token: SpotToken, held: bigint | null): Part =>
    openAccount({ payer: owner, owner: holder }, token, held !== null, rents.tokenAccount);
  const parts = [
    // The vault's quote account is opened by the first deposit: here it would leave no space for a wallet's own
    // assertions
    open(tradingKey, quote, reading.quote.heldByTradingKey),
    open(tradingKey, asset, traded.heldByTradingKey),
    open(vault, asset, traded.held),
    ...stale.map((known) => dropLimit(account, known.asset.mint, known.limitLamports)),
    setLimit(account, quote.mint, reading.quote, wanted.quote, rents.limit),
    setLimit(account, asset.mint, traded, wanted.asset, rents.limit),
  ];
  const before = parts.flatMap(({ instructions }) => instructions);
  if (before.length === 0) return [];
  const hasNewLimit = before.some(
    ({ programAddress }) => programAddress !== ASSOCIATED_TOKEN_PROGRAM,
  );
  const rent = parts.reduce((sum, { rentLamports }) => sum + rentLamports, 0n);
  const limits = [
    `${formatDecimal(wanted.quote, quote.decimals)} ${instance.quote.symbol}`,
    `${formatDecimal(wanted.asset, asset.decimals)} ${asset.marketId}`,
  ];
  const label = hasNewLimit
    ? `Let the trading key move at most ${limits.join(" and ")} a day`
    : "Open the token accounts trading needs";
  return [
    planStep(label, SET_UP_COMPUTE_UNITS, {
      before,
      expects: parts.flatMap(({ expects }) => expects),
      ...(rent > 0n ? { ownerRentLamports: rent } : {}),
    }),
  ];
}
