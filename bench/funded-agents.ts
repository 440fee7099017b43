import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import type { Network } from "../src/domain/network.ts";
import type { ChainNode } from "./start-node.ts";

const TRADERS_AT_ONCE = 6;

/** Network of the agents, how many an owner has, and where his money comes from; the practice network's faucet unless said. */
interface FundedOn {
  readonly network: Network;
  readonly ofOwner?: number;
  /** Percent below the entry of their stop; absent: none. */
  readonly stopPercent?: number;
  fund(trader: Trader): Promise<void>;
}

export const ON_PRACTICE: FundedOn = {
  network: "practice",
  fund: (trader) => trader.takePracticeMoney("10", "10000"),
};

/** Initial balance of an owner's wallet at a node, in base units. */
const OWNED = { lamports: 10_000_000_000n, dollars: 10_000_000_000n };

export const fundedAt = (node: ChainNode): FundedOn => ({
  network: "mainnet",
  fund: ({ address }) => node.fund(address, OWNED.lamports, OWNED.dollars),
});

/** Creates agents with custody and a deposit, in the order of their owners, as owners at the page do. */
export async function createFundedAgents(
  port: number,
  count: number,
  { network, ofOwner = 10, stopPercent, fund }: FundedOn = ON_PRACTICE,
): Promise<readonly FundedAgent[]> {
  const agents: FundedAgent[] = [];
  let left = count;
  const work = async () => {
    while (left > 0) {
      const share = Math.min(ofOwner, left);
      left -= share;
      const trader = await createTrader(`http://127.0.0.1:${port}`, undefined, { waits: true });
      await fund(trader);
      for (let made = 0; made < share; made += 1) {
        agents.push(await trader.createAgent(`Bench ${made}`, { network, stopPercent }));
      }
    }
  };
  await Promise.all(Array.from({ length: TRADERS_AT_ONCE }, work));
  return agents;
}
