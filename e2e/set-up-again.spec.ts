import { expect } from "@playwright/test";
import type { Address } from "@solana/kit";
import { parseAgentId } from "../src/domain/ids.ts";
import { deriveUser } from "../src/venues/drift/pdas.ts";
import { DRIFT_INSTANCES } from "../src/venues/drift/instance.ts";
import { createTrader, type Trader } from "../test/trader.ts";
import { openRealNetwork, programFiles } from "../test/twin/real-network.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";
import { deployOn } from "./real-life.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

const { absent, programs = {} } = programFiles(process.env);
const SOL = 1_000_000_000n;
const DOLLAR = 1_000_000n;

/** Deletes a funded agent's exchange account and sets the agent up again, over nothing but the product's routes. */
async function liveTwice(trader: Trader, network: "practice" | "devnet"): Promise<string> {
  const agent = await trader.createAgent("Agent", { network });
  const { botId, chatId } = agent;
  const recorded = () => trader.call("GET", `/api/agents/get-agentBychatId/${chatId}`);
  expect(await recorded()).toMatchObject({ number: 0 });
  await trader.call("PUT", `/api/agents/${botId}/trading-status`, { tradingStatus: "off" });
  await trader.approve(botId, "withdraw", "500");
  await trader.approve(botId, "delete");

  await trader.approve(botId, "set-up");
  expect(await recorded()).not.toHaveProperty("number");
  await trader.approve(botId, "deposit", "400");
  expect(await recorded()).toMatchObject({ number: 1 });

  await agent.fire("enter");
  await expect
    .poll(async () => Number((await agent.position()).position), { timeout: patient(120_000) })
    .toBeGreaterThan(0);
  return botId;
}

test("an agent whose exchange account was deleted is set up again on practice", async ({
  running,
}) => {
  const trader = await createTrader(running.product.url);
  await trader.takePracticeMoney("5", "1000");
  await liveTwice(trader, "practice");
});

const onReal = "an agent whose exchange account was deleted is set up again on the real programs";
test(`${onReal}${absent === null ? "" : ` [not run: ${absent}]`}`, async () => {
  test.skip(absent !== null, absent ?? "");
  const dataDir = makeDataDir();
  const network = await openRealNetwork(programs, { minPerpAuctionDuration: 0 });
  const { keys, settings } = await deployOn(network, dataDir.path);
  const product = await startProduct(dataDir.path, await freePort(), settings);
  try {
    const trader = await createTrader(product.url);
    await network.give(trader.address as Address, 5n * SOL);
    await network.giveDollars(trader.address as Address, 1_000n * DOLLAR);
    const { vault } = keys.of(parseAgentId(await liveTwice(trader, "devnet")));
    const { programId } = DRIFT_INSTANCES.devnet;
    const owners = [0, 1].map(
      (number) => network.account(deriveUser(DRIFT_INSTANCES.devnet, vault, number))?.owner,
    );
    expect(owners).toEqual([undefined, programId]);
  } finally {
    await product.stop();
    await network.close();
    dataDir.remove();
  }
});
