import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createTrader, type FundedAgent } from "./trader.ts";

const FILLS = 480;
const FILL_POLL_MS = 250;

/** Makes a funded agent that has traded, owned by the wallet in the file, which is made when it is missing. */
export async function seedPractice(address: string, walletFile: string): Promise<void> {
  const seed = existsSync(walletFile)
    ? Buffer.from(
        (JSON.parse(readFileSync(walletFile, "utf8")) as { secret: string }).secret,
        "hex",
      )
    : randomBytes(32);
  const trader = await createTrader(address, seed);
  writeFileSync(walletFile, JSON.stringify({ secret: trader.secret }), { mode: 0o600 });
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent(`Seeded ${randomBytes(2).toString("hex")} SOL-1h`);
  for (const [index, alert] of ["enter", "exit", "enter"].entries()) {
    await fireAndFill(agent, alert, index + 1);
  }
  console.log(`Seeded an agent of the practice wallet ${trader.address}, with an open position.`);
}

async function fireAndFill(agent: FundedAgent, alert: string, trades: number): Promise<void> {
  const { status } = await agent.fire(alert, new Date().toISOString());
  if (status !== 202) throw new Error(`the alert was answered with ${status}`);
  for (let polls = 0; polls < FILLS; polls += 1) {
    const log = await agent.log();
    if (log.filter((entry) => entry.status === "success").length >= trades) return;
    await new Promise((resolve) => setTimeout(resolve, FILL_POLL_MS));
  }
  throw new Error("the trade was not filled in time");
}
