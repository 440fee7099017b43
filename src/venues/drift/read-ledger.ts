import type { Address } from "@solana/kit";
import { type Account, type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { TOKEN_PROGRAM, tokenAccountCodec } from "../../solana/programs/token.ts";
import {
  type AccruingBalance,
  type LedgerReading,
  LAMPORTS,
  VAULT,
  VAULT_SOL,
} from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import { tokenAmount } from "./balance.ts";
import { BASE_DECIMALS, bookUsers } from "./book-transaction.ts";
import { type DriftSpotMarket, spotMarketLayout } from "./layout-spot-market.ts";
import { BALANCE_TYPE, type DriftUser, userLayout } from "./layout-user.ts";
import { readOwned, requireOwned } from "./owned-account.ts";
import { deriveSpotMarket } from "./pdas.ts";
import { type DriftInstance, marketName } from "./instance.ts";

/** Reads an agent's balances on chain: the vault, its tokens and every exchange account it has had. */
export async function readDriftLedger(
  { chain, instance }: { readonly chain: Chain; readonly instance: DriftInstance },
  account: VenueAccount,
): Promise<LedgerReading> {
  const { quote, quoteSpotMarketIndex } = instance;
  const users = bookUsers(instance, account);
  const tokens = associatedTokenAddress(account.vault, quote.mint);
  const { slot, accounts } = await chain.accounts([
    deriveSpotMarket(instance, quoteSpotMarketIndex),
    account.vault,
    tokens,
    ...users.map(({ address }) => address),
  ]);
  const [spot, vault, held, ...found] = accounts;
  const market = requireOwned(instance, spotMarketLayout, spot);
  const asset = { asset: quote.symbol, decimals: quote.decimals };
  const decoded = users.map(({ subAccount }, at) => ({
    subAccount,
    user: readOwned(instance, userLayout, found[at]),
  }));
  return {
    slot,
    balances: [
      { ...VAULT, ...asset, amount: tokensIn(held, quote.mint) },
      { ...VAULT_SOL, ...LAMPORTS, amount: vault?.lamports ?? 0n },
      ...decoded.flatMap(({ user, subAccount }) => positionBalances(instance, user, subAccount)),
    ],
    accruing: decoded.map(({ user, subAccount }) => ({
      place: "exchange",
      subAccount,
      market: "",
      ...asset,
      ...depositOf(user, market),
    })),
  };
}

function depositOf(
  user: DriftUser | null,
  market: DriftSpotMarket,
): Pick<AccruingBalance, "amount" | "principal" | "index"> {
  const position = user?.spotPositions.find(
    ({ marketIndex }) => marketIndex === market.marketIndex,
  );
  if (user === null || position === undefined) {
    return { amount: 0n, principal: null, index: market.cumulativeDepositInterest };
  }
  const isDeposit = position.balanceType === BALANCE_TYPE.deposit;
  return {
    amount: tokenAmount(position, market),
    principal: position.cumulativeDeposits + user.settledPerpPnl,
    index: isDeposit ? market.cumulativeDepositInterest : market.cumulativeBorrowInterest,
  };
}

function positionBalances(instance: DriftInstance, user: DriftUser | null, subAccount: number) {
  const { symbol, decimals } = instance.quote;
  return (user?.perpPositions ?? [])
    .filter(({ baseAssetAmount: base, quoteAssetAmount: quote }) => base !== 0n || quote !== 0n)
    .flatMap(({ marketIndex, baseAssetAmount, quoteAssetAmount }) => {
      const market = marketName(instance, marketIndex);
      const at = { place: "position", subAccount, market } as const;
      return [
        { ...at, asset: symbol, decimals, amount: quoteAssetAmount },
        { ...at, asset: market, decimals: BASE_DECIMALS, amount: baseAssetAmount },
      ];
    });
}

/**
 * Returns the balance of a token account. Throws `ChainUnavailableError` when the node returned it without its content.
 */
function tokensIn(account: Account | null | undefined, mint: Address): bigint {
  if (account === null || account === undefined) return 0n;
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) return 0n;
  const isWhole = account.data.length >= tokenAccountCodec.fixedSize;
  const held =
    account.owner === TOKEN_PROGRAM && isWhole ? tokenAccountCodec.decode(account.data) : null;
  if (held?.mint === mint) return held.amount;
  throw new ChainUnavailableError(`A node answered token account ${account.address} wrongly`);
}
