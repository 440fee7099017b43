import { setTimeout as sleep } from "node:timers/promises";
import type { Chain, LatestBlockhash } from "../../../solana/chain.ts";
import { landSent, sendFirst } from "../../../solana/land-signed.ts";

/** Sends PnL settlements outside the lanes: no order waits for them. */
export interface Settlements {
  /** Sends a settlement, then resends it in the background until it landed or expired. Throws as `sendFirst`. */
  begin(chain: Chain, agentId: string, sent: SentSettlement): Promise<void>;
  /** Stops all sending. */
  stop(): Promise<void>;
}

interface SentSettlement {
  readonly transaction: Uint8Array;
  readonly lifetime: LatestBlockhash;
}

interface SettlementLog {
  warn(detail: object, message: string): void;
}

/** Creates the settlement sender of a process. Stopping it early loses nothing: the next close settles both. */
export function createSettlements(log: SettlementLog): Settlements {
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal, ref: false });

  async function follow(chain: Chain, agentId: string, sent: SentSettlement): Promise<void> {
    const { lastValidBlockHeight, slot: blockhashSlot } = sent.lifetime;
    const lifetime = { lastValidBlockHeight, blockhashSlot };
    try {
      const landing = await landSent({ chain, sleep: pause }, sent.transaction, lifetime);
      const isSettled = landing.kind === "landed" && landing.status.error === null;
      if (!isSettled) log.warn({ landing, agentId }, "gain or loss not settled");
    } catch (error) {
      if (!ending.signal.aborted) log.warn({ err: error, agentId }, "gain or loss not settled");
    }
  }

  return {
    async begin(chain, agentId, sent) {
      await sendFirst(chain, sent.transaction);
      const run = follow(chain, agentId, sent).finally(() => running.delete(run));
      running.add(run);
    },
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}
