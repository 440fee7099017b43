import type { Address } from "@solana/kit";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Network } from "../../domain/network.ts";
import type { Chain } from "../../solana/chain.ts";
import type { Networks } from "../networks.ts";

/** Balance below which a fee payer should be topped up: about ten thousand orders' fees. */
const LOW_LAMPORTS = 100_000_000n;

/** Monitors the account that pays for every order. */
export interface FeePayerWatch {
  /** Reads one network's fee payer; called together with other reads of the chain to share requests. */
  look(network: Network): Promise<void>;
}

/**
 * Exports balances and unreachable chains as metrics; logs one line when a balance becomes low, not while it stays low.
 */
export function watchFeePayer(deps: {
  readonly registry: Registry;
  readonly networks: Networks;
  readonly feePayer: Address;
  readonly log: { warn(detail: object, message: string): void };
  /** Called on every reading with a low balance. */
  readonly onLow?: (network: string) => Promise<void>;
}): FeePayerWatch {
  const { networks, feePayer, log } = deps;
  const balance = new Gauge({
    name: "fee_payer_lamports",
    help: "Balance of the account that pays for orders.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  const available = new Gauge({
    name: "chain_available",
    help: "1 when the chain answered the last time it was asked.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  const failures = new Counter({
    name: "chain_unavailable_total",
    help: "Times the chain did not answer when it was asked for the fee payer's balance.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  const low = new Set<string>();
  async function lookAt(network: string, chain: Pick<Chain, "accounts">) {
    try {
      const [account] = (await chain.accounts([feePayer])).accounts;
      const lamports = account?.lamports ?? 0n;
      available.set({ network }, 1);
      balance.set({ network }, Number(lamports));
      const isLow = lamports < LOW_LAMPORTS;
      if (isLow && !low.has(network)) {
        log.warn(
          { network, feePayer, lamports: lamports.toString() },
          "the account that pays for orders is low: send it SOL",
        );
      }
      if (isLow) low.add(network);
      else low.delete(network);
      if (isLow) await deps.onLow?.(network);
    } catch {
      available.set({ network }, 0);
      failures.inc({ network });
    }
  }

  return {
    async look(network) {
      const runtime = networks.get(network);
      if (runtime !== undefined) await lookAt(network, runtime.chain);
    },
  };
}
