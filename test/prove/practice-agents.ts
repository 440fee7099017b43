import { randomBytes } from "node:crypto";
import {
  type AgentRule,
  alertNamesOf,
  createTrader,
  type FundedAgent,
  onAlert,
} from "../trader.ts";
import type { AlertTarget } from "./alert-senders.ts";

/** A wallet with its agents. */
export interface ProofOwner {
  /** Private key of the wallet, 32 bytes. */
  readonly seed: Uint8Array;
  readonly agents: readonly ProofAgent[];
}

interface ProofAgent extends AlertTarget {
  readonly agent: FundedAgent;
}

const counted = (action: string, needs: Readonly<Record<string, number>>): AgentRule => ({
  action,
  conditions: Object.entries(needs).map(([alertName, requiredCount]) => ({
    alertName,
    requiredCount,
  })),
});

/** Rule sets that agents get in turn: at once, counted with a reset, short, and turning from one side to the other. */
const RULE_SETS: readonly (readonly AgentRule[])[] = [
  [onAlert("enter", "OPEN_LONG"), onAlert("exit", "CLOSE_LONG")],
  [
    counted("OPEN_LONG", { dip: 3, trend: 1 }),
    counted("CLOSE_LONG", { peak: 2, trend: 1 }),
    counted("RESET_OPEN_LONG", { noise: 2 }),
  ],
  [counted("OPEN_SHORT", { fall: 2 }), counted("CLOSE_SHORT", { rise: 1 })],
  [counted("OPEN_LONG", { up: 2 }), counted("OPEN_SHORT", { down: 2 })],
];

/** Creates owners with new wallets and funded agents, over nothing but HTTP. */
export async function createOwners(
  url: string,
  owners: number,
  agentsOfEach: number,
): Promise<readonly ProofOwner[]> {
  return Promise.all(
    Array.from({ length: owners }, async (_, owner) => {
      const seed = randomBytes(32);
      const trader = await createTrader(url, seed);
      await trader.takePracticeMoney("10", "10000");
      const agents: ProofAgent[] = [];
      for (let at = 0; at < agentsOfEach; at += 1) {
        const rules = RULE_SETS[(owner * agentsOfEach + at) % RULE_SETS.length] ?? [];
        const [first = "", ...others] = alertNamesOf(rules);
        const agent = await trader.createAgent(`Proof ${at + 1}`, { rules });
        agents.push({ agent, alertNames: [first, ...others] });
      }
      return { seed, agents };
    }),
  );
}
