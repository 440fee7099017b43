import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import type { Network } from "../src/domain/network.ts";

const AGENTS_PER_TRADER = 10;
const TRADERS_AT_ONCE = 6;

/** Network of the agents and where their owners' money comes from; the practice network's faucet unless said. */
interface FundedOn {
  readonly network: Network;
  fund(trader: Trader): Promise<void>;
}

const ON_PRACTICE: FundedOn = {
  network: "practice",
  fund: (trader) => trader.takePracticeMoney("10", "10000"),
};

/** Creates agents with custody and a deposit, ten for each owner, as owners at the page do. */
export async function createFundedAgents(
  port: number,
  count: number,
  { network, fund } = ON_PRACTICE,
): Promise<readonly FundedAgent[]> {
  const agents: FundedAgent[] = [];
  let left = count;
  const work = async () => {
    while (left > 0) {
      const share = Math.min(AGENTS_PER_TRADER, left);
      left -= share;
      const trader = await createTrader(`http://127.0.0.1:${port}`);
      await fund(trader);
      for (let made = 0; made < share; made += 1) {
        agents.push(await trader.createAgent(`Bench ${made}`, { network }));
      }
    }
  };
  await Promise.all(Array.from({ length: TRADERS_AT_ONCE }, work));
  return agents;
}
