import { createTrader, type FundedAgent } from "../test/trader.ts";

const AGENTS_PER_TRADER = 10;
const TRADERS_AT_ONCE = 6;

/** Creates agents with custody and a deposit, ten for each owner, as owners at the page do. */
export async function createFundedAgents(
  port: number,
  count: number,
): Promise<readonly FundedAgent[]> {
  const agents: FundedAgent[] = [];
  let left = count;
  const work = async () => {
    while (left > 0) {
      const share = Math.min(AGENTS_PER_TRADER, left);
      left -= share;
      const trader = await createTrader(`http://127.0.0.1:${port}`);
      await trader.takePracticeMoney("10", "10000");
      for (let made = 0; made < share; made += 1) {
        agents.push(await trader.createAgent(`Bench ${made}`));
      }
    }
  };
  await Promise.all(Array.from({ length: TRADERS_AT_ONCE }, work));
  return agents;
}
