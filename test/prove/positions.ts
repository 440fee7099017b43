import { setTimeout as sleep } from "node:timers/promises";
import { parseDecimal } from "../../src/domain/amount.ts";
import { createTrader } from "../trader.ts";
import type { Evidence } from "../judge/evidence.ts";
import type { Finding } from "../judge/judge.ts";
import type { ProofOwner } from "./practice-agents.ts";

/** Decimals of the base size of the practice exchange. */
const BASE_DECIMALS = 9;

/** Figures of a position are cached for a moment, in milliseconds. */
const CACHED_MS = 20_000;
const LOOK_MS = 500;

/** Compares what the product shows its owners as open positions with the sum of the chain's trades. */
export async function judgePositions(
  url: string,
  owners: readonly ProofOwner[],
  { fills, orders }: Evidence,
): Promise<readonly Finding[]> {
  const agentOf = new Map(orders.map(({ id, agentId }) => [id, agentId]));
  const open = new Map<string, bigint>();
  for (const { orderId, baseSize } of fills) {
    const agentId = agentOf.get(orderId) ?? "";
    open.set(agentId, (open.get(agentId) ?? 0n) + baseSize);
  }
  const found: Finding[] = [];
  for (const { seed, agents } of owners) {
    // A session of its own: the first one may have ended during a long run
    const trader = await createTrader(url, seed);
    for (const { agent } of agents) {
      const wanted = open.get(agent.botId) ?? 0n;
      const read = async () => {
        const { response } = await trader.call<{
          response: { position: string; available: boolean };
        }>("GET", `/api/trade/get-drift-position?agentId=${agent.botId}`);
        return response.available ? readSize(response.position) : null;
      };
      let shown = await read();
      for (let waitedMs = 0; shown !== wanted && waitedMs < CACHED_MS; waitedMs += LOOK_MS) {
        await sleep(LOOK_MS);
        shown = await read();
      }
      if (shown === wanted) continue;
      const text = `agent ${agent.botId}: its position is shown as ${String(shown)}, its trades make ${wanted}`;
      found.push({ kind: "differs", text });
    }
  }
  return found;
}

/** Returns a shown size in base units, below zero for a short. */
function readSize(text: string): bigint | null {
  const size = parseDecimal(text.replace(/^-/, ""), BASE_DECIMALS);
  return size !== null && text.startsWith("-") ? -size : size;
}
