import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId } from "../../../domain/ids.ts";
import type { Chain } from "../../../solana/chain.ts";
import { landSent, sendFirst } from "../../../solana/land-signed.ts";
import type { Lifetime } from "../../../solana/settle-signature.ts";

/** Sends PnL settlements outside the lanes: no order waits for them. */
export interface Settlements {
  /** Sends a settlement, then resends it in the background until it landed or expired. Throws as `sendFirst`. */
  begin(chain: Chain, agentId: AgentId, sent: SentSettlement): Promise<void>;
  /** Stops all sending. */
  stop(): Promise<void>;
}

interface SentSettlement extends Lifetime {
  readonly transaction: Uint8Array;
}

interface SettlementLog {
  warn(detail: object, message: string): void;
}

/** Waits between two looks at a settlement; rejects when the signal aborts. */
export type SettlementPause = (ms: number, signal: AbortSignal) => Promise<unknown>;

const byTimer: SettlementPause = (ms, signal) => sleep(ms, undefined, { signal, ref: false });

/** Creates the settlement sender of a process. Stopping it early loses nothing: the next close settles both. */
export function createSettlements(
  log: SettlementLog,
  pauseFor: SettlementPause = byTimer,
): Settlements {
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const pause = (ms: number) => pauseFor(ms, ending.signal);

  async function follow(chain: Chain, agentId: AgentId, sent: SentSettlement): Promise<void> {
    try {
      const landing = await landSent({ chain, sleep: pause }, sent.transaction, sent);
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
