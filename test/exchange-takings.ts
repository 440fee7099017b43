import { tokenAccountCodec } from "../src/solana/programs/token.ts";
import { tokenAmount } from "../src/venues/drift/balance.ts";
import { DIRECTION } from "../src/venues/drift/instruction-arguments.ts";
import { perpMarketLayout } from "../src/venues/drift/layout-perp-market.ts";
import { spotMarketLayout } from "../src/venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE } from "../src/venues/drift/layout-user.ts";
import { ORDER_ACTION, parseOrderActionLog } from "../src/venues/drift/order-action-record.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveUser,
} from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "../src/venues/drift/instance.ts";
import type { CustodyWorld } from "./custody-world.ts";

/** Quote units the exchange holds and has charged, by its own records. */
export interface ExchangeHoldings {
  /** Total cost of the agent's fills so far, fees included, from the exchange's logs. */
  readonly fills: bigint;
  /** Balance of the pools that gains are paid from and losses and fees are paid into. */
  readonly pool: bigint;
  /** Balance of the exchange's token account. */
  readonly vault: bigint;
}

async function costOfFills({ chain, keys, agentId }: CustodyWorld): Promise<bigint> {
  const user = deriveUser(instance, keys.of(agentId).vault, 0);
  const signatures = await chain.signaturesFor(user, 1_000);
  const outcomes = await Promise.all(signatures.map((signature) => chain.transaction(signature)));
  let cost = 0n;
  for (const line of outcomes.flatMap((outcome) => outcome?.logs ?? [])) {
    const record = parseOrderActionLog(line);
    if (record?.action !== ORDER_ACTION.fill || record.taker !== user) continue;
    const quote = record.quoteAssetAmountFilled ?? 0n;
    cost += record.takerOrderDirection === DIRECTION.long ? quote : -quote;
    cost += record.takerFee ?? 0n;
  }
  return cost;
}

/** Reads the exchange's quote token balances and its logged cost of the agent's trades. */
export async function readExchange(world: CustodyWorld): Promise<ExchangeHoldings> {
  const index = instance.quoteSpotMarketIndex;
  const { accounts } = await world.chain.accounts([
    derivePerpMarket(instance, 0),
    deriveSpotMarket(instance, index),
    deriveSpotMarketVault(instance, index),
  ]);
  const [perp, spot, vault] = accounts;
  if (perp == null || spot == null || vault == null) throw new Error("There is no exchange");
  const { amm, pnlPool } = perpMarketLayout.decode(perp.data);
  const scaledBalance = pnlPool.scaledBalance + amm.feePool.scaledBalance;
  return {
    fills: await costOfFills(world),
    pool: tokenAmount(
      { scaledBalance, balanceType: BALANCE_TYPE.deposit },
      spotMarketLayout.decode(spot.data),
    ),
    vault: tokenAccountCodec.decode(vault.data).amount,
  };
}
