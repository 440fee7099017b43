import type { Address } from "@solana/kit";
import type { LedgerMovement } from "../../domain/ledger/entry.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import {
  flowMovements,
  lamportMovements,
  tokenChange,
  VAULT,
  walletChange,
} from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import { type JupiterInstance, quoteToken, type SpotToken, tokenAccountOf } from "./instance.ts";
import { limitAddress } from "./spending-limits.ts";

/** Vault and trading key: a transfer between the two is neither a trade nor a flow. */
const holders = ({ vault, tradingKey }: VenueAccount): readonly Address[] => [vault, tradingKey];

/** Returns the agent's accounts of one token. */
export function tokenAccounts(account: VenueAccount, token: SpotToken): readonly Address[] {
  return holders(account).map((holder) => tokenAccountOf(holder, token));
}

/** Returns the accounts whose transactions can change the agent's balances, whether they exist or not. */
export function bookAddresses(
  instance: JupiterInstance,
  account: VenueAccount,
): readonly Address[] {
  return [
    account.vault,
    ...[quoteToken(instance), ...instance.assets].flatMap((token) => tokenAccounts(account, token)),
  ];
}

/** Returns the ledger movements of a landed transaction, from the balance changes of vault and trading key. */
export function bookTransaction(
  instance: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): readonly LedgerMovement[] {
  if (outcome.error !== null) return [];
  const { quote } = instance;
  const changeOf = (token: SpotToken): bigint =>
    tokenAccounts(account, token).reduce(
      (sum, address) => sum + tokenChange(outcome, address, token.mint),
      0n,
    );
  const quoteAsset = { asset: quote.symbol, decimals: quote.decimals };
  const quoteChange = changeOf(quoteToken(instance));
  const changed = instance.assets
    .map((asset) => ({ asset, change: changeOf(asset) }))
    .filter(({ change }) => change !== 0n);
  const tokens = [quoteToken(instance), ...instance.assets];
  const rented = [
    ...tokens.map((token) => tokenAccountOf(account.vault, token)),
    ...tokens.map(({ mint }) => limitAddress(account, mint)),
    account.multisig,
  ];
  const lamports = lamportMovements(withoutWrapped(instance, account, outcome), account, rented);
  const [only] = changed;
  if (changed.length === 1 && only !== undefined && only.change * quoteChange < 0n) {
    const { marketId, decimals } = only.asset;
    const base = { marketId, decimals, amount: only.change };
    return [{ ...VAULT, ...quoteAsset, kind: "trade", amount: quoteChange, base }, ...lamports];
  }
  return [
    ...flowMovements(
      quoteAsset,
      [{ at: VAULT, change: quoteChange }],
      walletChange(outcome, account.owner, quote.mint),
    ),
    ...changed.flatMap(({ asset: { marketId, mint, decimals }, change }) =>
      flowMovements(
        { asset: marketId, decimals },
        [{ at: VAULT, change }],
        walletChange(outcome, account.owner, mint),
      ).map((movement) => ({
        ...movement,
        base: { marketId, decimals, amount: movement.amount },
      })),
    ),
    ...lamports,
  ];
}

/** Wrapped SOL is also included in its account's lamports; it is counted as the token. */
function withoutWrapped(
  { assets }: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): TransactionOutcome {
  const wrapped = assets.find(({ marketId }) => marketId === "SOL");
  if (wrapped === undefined) return outcome;
  const lamportDeltas = new Map(outcome.lamportDeltas);
  for (const address of [
    ...tokenAccounts(account, wrapped),
    tokenAccountOf(account.owner, wrapped),
  ]) {
    const tokens = tokenChange(outcome, address, wrapped.mint);
    const lamports = lamportDeltas.get(address);
    if (lamports !== undefined) lamportDeltas.set(address, lamports - tokens);
  }
  return { ...outcome, lamportDeltas };
}
