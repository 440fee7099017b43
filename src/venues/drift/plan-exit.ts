import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { transferTokens } from "../../solana/programs/token.ts";
import type { PlanStep, VenueAccount } from "../venue.ts";
import type { HeldPosition } from "./account-state.ts";
import {
  type MarketAccounts,
  cancelOrders,
  deleteUser,
  placeAndTakePerpOrder,
  settlePnl,
  updateUserDelegate,
  withdraw,
} from "./instructions.ts";
import { limitPrice, marketOrderParams } from "./order-params.ts";
import { deriveSpotMarketVault, deriveUser } from "./pdas.ts";
import { baseAmountOffset, OPEN_ORDERS_OFFSET } from "./layout-user.ts";
import { delegateEffect, PLAN_COMPUTE_UNITS } from "./plan-entry.ts";
import type { DriftProfile } from "./profile.ts";

/** Worst price the owner's own closing order accepts, from the oracle price: 5 %, the largest tolerance of an agent. */
const CLOSE_SLIPPAGE_BPS = 500;

const step = (label: string, parts: Partial<PlanStep>): PlanStep => ({
  label,
  before: [],
  asVault: [],
  after: [],
  computeUnitLimit: PLAN_COMPUTE_UNITS,
  expects: [],
  ...parts,
});

const userOf = (account: VenueAccount) => ({
  authority: account.vault,
  subAccountId: account.subAccountId,
});

/** Returns the step with which the owner cancels all orders and closes all positions; its parts are empty when nothing is open. */
export function planCloseFrom(
  profile: DriftProfile,
  account: VenueAccount,
  held: readonly HeldPosition[],
  openOrders: number,
  markets: MarketAccounts,
): PlanStep {
  const user = userOf(account);
  const address = deriveUser(profile, account.vault, account.subAccountId);
  const open = held.filter(({ slot }) => slot.baseAssetAmount !== 0n);
  const closing = open.map(({ reading, slot }) => {
    const side = slot.baseAssetAmount < 0n ? "long" : "short";
    return placeAndTakePerpOrder(
      profile,
      user,
      account.vault,
      marketOrderParams({
        marketIndex: slot.marketIndex,
        side,
        baseSize: slot.baseAssetAmount < 0n ? -slot.baseAssetAmount : slot.baseAssetAmount,
        price: limitPrice(
          side,
          reading.price.price,
          CLOSE_SLIPPAGE_BPS,
          reading.market.amm.orderTickSize,
        ),
        reduceOnly: true,
      }),
      markets,
    );
  });
  return step("Close positions", {
    asVault: [
      ...(openOrders > 0 ? [cancelOrders(profile, user, account.vault, markets)] : []),
      ...closing,
    ],
    expects: [
      ...(openOrders > 0
        ? [{ kind: "bytes_at" as const, address, offset: OPEN_ORDERS_OFFSET, hex: "00" }]
        : []),
      ...open.map(({ place }) => ({
        kind: "bytes_at" as const,
        address,
        offset: baseAmountOffset(place),
        hex: "0000000000000000",
      })),
    ],
  });
}

/** Returns the step that moves quote tokens from the exchange through the vault to the owner's wallet. */
export function planWithdrawFrom(
  profile: DriftProfile,
  account: VenueAccount,
  amount: bigint,
  markets: MarketAccounts,
): PlanStep {
  const { mint } = profile.quote;
  const ownerTokens = associatedTokenAddress(account.owner, mint);
  const vaultTokens = associatedTokenAddress(account.vault, mint);
  return step(`Withdraw ${profile.quote.symbol}`, {
    asVault: [
      withdraw(profile, userOf(account), {
        spotMarketIndex: profile.quoteSpotMarketIndex,
        tokenAccount: vaultTokens,
        amount,
        // Reduce-only keeps a rounding error from becoming a borrow
        reduceOnly: true,
        markets,
      }),
      // Unchecked, because with the mint named the transaction would not fit without a lookup table
      transferTokens(
        { source: vaultTokens, destination: ownerTokens, authority: account.vault },
        amount,
      ),
    ],
    expects: [
      { kind: "token_delta", account: ownerTokens, mint, delta: amount },
      {
        kind: "token_delta",
        account: deriveSpotMarketVault(profile, profile.quoteSpotMarketIndex),
        mint,
        delta: -amount,
      },
    ],
  });
}

/** Returns the step that turns realized PnL into collateral; the owner pays, the vault is not needed. */
export function planSettleFrom(
  profile: DriftProfile,
  account: VenueAccount,
  marketIndexes: readonly number[],
  markets: MarketAccounts,
): PlanStep {
  return step("Settle PnL", {
    before: marketIndexes.map((marketIndex) =>
      settlePnl(
        profile,
        userOf(account),
        account.owner,
        marketIndex,
        profile.quoteSpotMarketIndex,
        markets,
      ),
    ),
    // How much is settled depends on the market's pool; the account is named so that the transaction is found by it
    expects: [
      {
        kind: "account_exists",
        address: deriveUser(profile, account.vault, account.subAccountId),
        programId: profile.programId,
      },
    ],
  });
}

/** Returns the step that deletes the empty exchange account; its rent goes to the vault. */
export function planDeleteFrom(profile: DriftProfile, account: VenueAccount): PlanStep {
  return step("Delete the exchange account", {
    asVault: [deleteUser(profile, userOf(account))],
    expects: [
      {
        kind: "account_gone",
        address: deriveUser(profile, account.vault, account.subAccountId),
      },
    ],
  });
}

/** Returns the step that leaves the exchange account without a delegate. */
export function planRevokeFrom(profile: DriftProfile, account: VenueAccount): PlanStep {
  return step("Revoke the trading key", {
    // The exchange writes "nobody" as the all-zero address
    asVault: [updateUserDelegate(profile, userOf(account), SYSTEM_PROGRAM)],
    expects: [delegateEffect(profile, account, SYSTEM_PROGRAM)],
  });
}

/** Returns a step that does nothing. */
export function emptyStep(label: string): PlanStep {
  return step(label, {});
}
