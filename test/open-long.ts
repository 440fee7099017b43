import { compileTransaction } from "../src/solana/transaction.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { findCustodyAgent } from "../src/server/store/custody/multisigs.ts";
import { toVenueAccount } from "../src/server/custody/account/venue-account.ts";
import type { Approved, OrderIntent } from "../src/domain/order/order.ts";
import { type CustodyWorld, SOL } from "./custody-world.ts";
import { findVenue } from "../src/server/networks.ts";
import type { OrderTransaction } from "../src/venues/placed-order.ts";
import { passAuction } from "./auctions.ts";

/** Buys one unit of the agent's asset with its trading key, as an alert would. */
export const openLong = (world: CustodyWorld): Promise<void> =>
  tradeElsewhere(world, { side: "long", baseSize: 1_000_000_000n, reduceOnly: false });

/** Trades with the agent's key, and this product has no record of it. */
export async function tradeElsewhere(
  world: Pick<
    CustodyWorld,
    "database" | "agentId" | "clock" | "keys" | "chain" | "networks" | "lamports"
  >,
  traded: Pick<OrderIntent, "side" | "baseSize" | "reduceOnly">,
): Promise<void> {
  const agent = await findCustodyAgent(world.database.db, world.agentId);
  const account = agent === null ? null : toVenueAccount(agent);
  const venue = agent === null ? undefined : findVenue(world.networks, agent);
  if (agent === null || account === null || venue === undefined) throw new Error("No custody");
  const { tradingKey } = world.keys.of(world.agentId);
  if ((await world.lamports(tradingKey.address)) < SOL / 10n) {
    await world.chain.fund(tradingKey.address, { lamports: SOL, quoteUnits: 0n });
  }
  const send = async ({ instructions, tables = {} }: OrderTransaction) => {
    const bytes = compileTransaction({
      feePayer: tradingKey.address,
      lifetime: await world.chain.latestBlockhash(),
      instructions,
      tables,
    });
    const signature = await world.chain.send(signTransaction(bytes, tradingKey));
    return world.chain.transaction(signature);
  };
  const outcome = await send(
    await venue.buildOrder(account, {
      agentId: agent.agentId,
      market: { marketId: agent.marketId },
      ...traded,
      quoteSize: 155_000_000n,
      referencePrice: (await venue.price(agent.marketId)).price,
      slippageBps: 100,
    } as unknown as Approved<OrderIntent>),
  );
  if (outcome === null) throw new Error("The order is unknown");
  const report = venue.reportOrder(account, outcome);
  if (report.kind !== "resting") return;
  await passAuction(world);
  const progress = await venue.followOrder?.(account, report.order);
  if (progress?.kind !== "fillable") throw new Error("The order cannot be filled");
  await send(progress.transaction);
}

/** Closes all positions as their owner does: where the exchange holds auctions, by a second transaction after them. */
export async function closeByOwner(world: CustodyWorld): ReturnType<CustodyWorld["approve"]> {
  const closing = await world.prepare("close-positions");
  const closed = await world.approve(closing);
  if (closing.label !== "Place the closing orders") return closed;
  await passAuction(world);
  return world.approve(await world.prepare("close-positions"));
}
