import type { Chain } from "../../solana/chain.ts";
import { type LedgerReading, LAMPORTS, VAULT, VAULT_SOL } from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import type { JupiterInstance } from "./instance.ts";
import { readVault, type TokenReading } from "./vault-reader.ts";

const heldOf = ({ held, heldByTradingKey }: TokenReading): bigint =>
  (held ?? 0n) + (heldByTradingKey ?? 0n);

/** Reads an agent's balances on chain: the vault's SOL, and each token of vault and trading key. */
export async function readJupiterLedger(
  { chain, instance }: { readonly chain: Chain; readonly instance: JupiterInstance },
  account: VenueAccount,
): Promise<LedgerReading> {
  const [reading, { slot, accounts }] = await Promise.all([
    readVault(chain, instance, account),
    chain.accounts([account.vault]),
  ]);
  const { symbol, decimals } = instance.quote;
  return {
    slot: slot > reading.slot ? slot : reading.slot,
    balances: [
      { ...VAULT, asset: symbol, decimals, amount: heldOf(reading.quote) },
      { ...VAULT_SOL, ...LAMPORTS, amount: accounts[0]?.lamports ?? 0n },
      ...reading.assets.map(({ asset, ...held }) => ({
        ...VAULT,
        asset: asset.marketId,
        decimals: asset.decimals,
        amount: heldOf(held),
      })),
    ],
    accruing: [],
  };
}
