import type { Address } from "@solana/kit";
import type { LedgerBalance } from "../domain/ledger/balance.ts";
import type { LedgerAccount, LedgerMovement } from "../domain/ledger/entry.ts";
import { type Account, ChainUnavailableError, type TransactionOutcome } from "../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../solana/programs/system.ts";
import { tokenAccountCodec } from "../solana/programs/token.ts";

/** A balance that also grows without a transaction and is rounded by the venue. */
export interface AccruingBalance extends LedgerBalance {
  /** Net deposits according to the venue's own count; null where the venue keeps none. */
  readonly principal: bigint | null;
  /** The venue's interest index: a balance grows by no more than the index does. */
  readonly index: bigint;
}

/** On-chain balances of one agent, at one slot. */
export interface LedgerReading {
  readonly slot: bigint;
  readonly balances: readonly LedgerBalance[];
  readonly accruing: readonly AccruingBalance[];
  /** Funding of open positions that their next order settles, in quote base units; negative when owed. */
  readonly unpaidFunding: bigint;
}

/** SOL in lamports: nine decimals. */
export const LAMPORTS = { asset: "SOL", decimals: 9 } as const;

type Place = Pick<LedgerAccount, "place" | "subAccount" | "market">;

export const VAULT: Place = { place: "vault", subAccount: 0, market: "" };
export const VAULT_SOL: Place = { place: "vault_sol", subAccount: 0, market: "" };

/**
 * Returns the balance of a token account; null where it does not exist.
 *
 * Throws `ChainUnavailableError` when its content is missing or it belongs to another token: that is a node's fault,
 * never a balance of zero.
 */
export function tokenBalance(
  account: Account | null | undefined,
  token: { readonly mint: Address; readonly tokenProgram: Address },
): bigint | null {
  if (account === null || account === undefined) return null;
  // Anyone can send lamports to an address before its token account exists
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) return null;
  const isWhole = account.data.length >= tokenAccountCodec.fixedSize;
  const held =
    account.owner === token.tokenProgram && isWhole ? tokenAccountCodec.decode(account.data) : null;
  if (held?.mint === token.mint) return held.amount;
  throw new ChainUnavailableError(`A node answered token account ${account.address} wrongly`);
}

/** Returns a transaction's change of one token account, in base units. */
export function tokenChange(outcome: TransactionOutcome, account: Address, mint: Address): bigint {
  return outcome.tokenDeltas
    .filter((moved) => moved.account === account && moved.mint === mint)
    .reduce((sum, { delta }) => sum + delta, 0n);
}

/** Returns a transaction's change over all of a wallet's accounts of a token, in base units. */
export function walletChange(outcome: TransactionOutcome, owner: Address, mint: Address): bigint {
  return outcome.tokenDeltas
    .filter((moved) => moved.owner === owner && moved.mint === mint)
    .reduce((sum, { delta }) => sum + delta, 0n);
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Returns the movements of one token into, out of and between an agent's places.
 *
 * A change is a deposit or withdrawal up to the opposite change of the owner's wallet; the rest is external. It is
 * booked at the place where it arrived or left; remaining differences are transfers between places.
 */
export function flowMovements(
  token: { readonly asset: string; readonly decimals: number },
  places: readonly { readonly at: Place; readonly change: bigint }[],
  ownerChange: bigint,
): readonly LedgerMovement[] {
  const flow = places.reduce((sum, { change }) => sum + change, 0n);
  const own = flow > 0n ? min(flow, max(0n, -ownerChange)) : max(flow, min(0n, -ownerChange));
  const main = places.find(({ change }) => change !== 0n && change > 0n === flow > 0n)?.at ?? VAULT;
  const movement = (kind: LedgerMovement["kind"], at: Place, amount: bigint): LedgerMovement[] =>
    amount === 0n ? [] : [{ ...at, ...token, kind, amount }];
  return [
    ...movement(flow > 0n ? "deposit" : "withdrawal", main, own),
    ...movement("external", main, flow - own),
    ...places.flatMap(({ at, change }) =>
      movement("transfer", at, at === main ? change - flow : change),
    ),
  ];
}

/**
 * Returns the vault's lamport changes by purpose: rent paid for the agent's accounts, rent recovered, and transfers
 * with the owner or another party.
 */
export function lamportMovements(
  { lamportDeltas, feeLamports, feePayer }: TransactionOutcome,
  { owner, vault }: { readonly owner: Address; readonly vault: Address },
  rentAccounts: readonly Address[],
): readonly LedgerMovement[] {
  const changeOf = (address: Address): bigint => lamportDeltas.get(address) ?? 0n;
  const rents = [...new Set(rentAccounts)].map(changeOf);
  const paid = rents.filter((rent) => rent > 0n).reduce((sum, rent) => sum + rent, 0n);
  const returned = rents.filter((rent) => rent < 0n).reduce((sum, rent) => sum - rent, 0n);
  const moved = changeOf(vault) + paid - returned;
  const ownerChange = changeOf(owner) + (feePayer === owner ? feeLamports : 0n);
  const movement = (kind: LedgerMovement["kind"], amount: bigint): LedgerMovement[] =>
    amount === 0n ? [] : [{ ...VAULT_SOL, ...LAMPORTS, kind, amount }];
  return [
    ...flowMovements(LAMPORTS, [{ at: VAULT_SOL, change: moved }], ownerChange),
    ...movement("rent_paid", -paid),
    ...movement("rent_returned", returned),
  ];
}
