import type { Address, Instruction } from "@solana/kit";
import { type Chain, TransactionRefusedError } from "../../../solana/chain.ts";
import { instruction, readonly, signer, writable } from "../../../solana/encoding/instruction.ts";
import type { Keypair } from "../../../solana/encoding/keys.ts";
import { setComputeUnitLimit } from "../../../solana/programs/compute-budget.ts";
import {
  createExchangeReader,
  type ExchangeReading,
} from "../../../venues/drift/exchange-reader.ts";
import type { DriftInstance } from "../../../venues/drift/instance.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import {
  initializeUser,
  initializeUserStats,
  type MarketAccounts,
  remaining,
  type UserAccounts,
} from "../../../venues/drift/instructions.ts";
import {
  type DriftOrder,
  type DriftUser,
  isUsed,
  OPEN_ORDERS_OFFSET,
  userLayout,
} from "../../../venues/drift/layout-user.ts";
import {
  deriveState,
  deriveUser,
  deriveUserStats,
  type DriftIds,
} from "../../../venues/drift/pdas.ts";
import { isTrigger, isTriggered, isTriggerReached } from "../../../venues/drift/protective.ts";
import { isFillable } from "../../../venues/drift/resting-order.ts";
import { signTransaction, practiceKeyPair } from "../../sign-transaction.ts";

/** A keeper's trigger of a user's order; the keeper is paid a flat reward for it. */
export const keeperTrigger = (
  ids: DriftIds,
  { address }: Pick<Keypair, "address">,
  user: UserAccounts,
  orderId: number,
  markets: MarketAccounts,
): Instruction =>
  instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      signer(address),
      writable(deriveUser(ids, address, 0)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      ...remaining(markets),
    ],
    driftArguments.triggerOrder.encode({ orderId }),
  );

/** A keeper's fill of a user's order, the newest where none is named; the keeper is paid for it. */
export const keeperFill = (
  ids: DriftIds,
  { address }: Pick<Keypair, "address">,
  user: UserAccounts,
  orderId: number | null,
  markets: MarketAccounts,
): Instruction =>
  instruction(
    ids.programId,
    [
      readonly(deriveState(ids)),
      signer(address),
      writable(deriveUser(ids, address, 0)),
      writable(deriveUserStats(ids, address)),
      writable(deriveUser(ids, user.authority, user.subAccountId)),
      writable(deriveUserStats(ids, user.authority)),
      ...remaining(markets),
    ],
    driftArguments.fillPerpOrder.encode({ orderId, makerOrderId: null }),
  );

/** The chain, which gives the keeper what its fees cost. */
interface FundedChain extends Chain {
  fund(
    owner: Address,
    grant: { readonly lamports: bigint; readonly quoteUnits: bigint },
  ): Promise<unknown>;
}

const KEEPER = practiceKeyPair("keeper");
const KEEPER_LAMPORTS = 1_000_000_000n;
const COMPUTE_UNITS = 400_000;

/** Offset of the flag that an account has an open order, behind their count. */
const HAS_OPEN_ORDER_OFFSET = OPEN_ORDERS_OFFSET + 1;

/** Returns what a keeper does about an order now; null for nothing. */
function workOn(
  instance: DriftInstance,
  reading: ExchangeReading,
  user: DriftUser,
  order: DriftOrder,
  markets: MarketAccounts,
): Instruction | null {
  const market = reading.markets.find((each) => each.market.marketIndex === order.marketIndex);
  if (market === undefined) return null;
  if (isTriggered(order)) {
    return isFillable(reading, order)
      ? keeperFill(instance, KEEPER, user, order.orderId, markets)
      : null;
  }
  return isTriggerReached(order, market.price.price)
    ? keeperTrigger(instance, KEEPER, user, order.orderId, markets)
    : null;
}

/** Creates the keeper's account at the exchange where it has none. */
async function openAccount(chain: FundedChain, instance: DriftInstance): Promise<void> {
  const user = { authority: KEEPER.address, subAccountId: 0 };
  const [held] = (await chain.accounts([deriveUser(instance, KEEPER.address, 0)])).accounts;
  if (held != null) return;
  await chain.fund(KEEPER.address, { lamports: KEEPER_LAMPORTS, quoteUnits: 0n });
  await send(chain, [
    initializeUserStats(instance, KEEPER.address),
    initializeUser(instance, user, "keeper"),
  ]);
}

async function send(chain: Chain, instructions: readonly Instruction[]): Promise<void> {
  const { blockhash } = await chain.latestBlockhash();
  const all = [setComputeUnitLimit(COMPUTE_UNITS), ...instructions];
  await chain.send(signTransaction([KEEPER], all, blockhash)).catch((error: unknown) => {
    // Somebody else was first, or the price went back
    if (!(error instanceof TransactionRefusedError)) throw error;
  });
}

/**
 * Creates the practice exchange's keeper: each look triggers the orders whose price is reached, for the exchange's flat
 * fee, and fills triggered ones once their auction is over. On a real network strangers do this for the fees.
 */
export function createKeeper(chain: FundedChain, instance: DriftInstance) {
  const reader = createExchangeReader(chain, instance);
  return async (): Promise<void> => {
    const holders = await chain.accountsOf(instance.programId, {
      offset: HAS_OPEN_ORDER_OFFSET,
      bytes: Uint8Array.of(1),
    });
    const users = (holders ?? [])
      .filter(({ data }) => data.length === userLayout.size)
      .map(({ data }) => userLayout.decode(data));
    const open = users.flatMap((user) =>
      user.orders.filter(isTrigger).map((order) => ({ user, order })),
    );
    if (open.length === 0) return;
    const reading = await reader.read([]);
    for (const { user, order } of open) {
      const held = user.perpPositions.filter(isUsed).map(({ marketIndex }) => marketIndex);
      const markets = reader.marketAccounts(reading, [...held, order.marketIndex]);
      const work = workOn(instance, reading, user, order, markets);
      if (work === null) continue;
      await openAccount(chain, instance);
      await send(chain, [work]);
    }
  };
}
