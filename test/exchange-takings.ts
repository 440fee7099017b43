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

/** Quote units of the exchange, by its own records. */
export interface ExchangeHoldings {
  /** What the agent's fills cost it so far, fees included, as the exchange logged them. */
  readonly fills: bigint;
  /** What the pools hold that winners are paid from and losers pay into, the fees among it. */
  readonly pool: bigint;
  /** What the exchange's token account holds. */
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

/** Reads what the exchange holds of everybody's quote tokens, and what it says the agent's trades cost. */
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
