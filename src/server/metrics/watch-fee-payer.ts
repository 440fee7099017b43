import type { Address } from "@solana/kit";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Network } from "../../domain/network.ts";
import type { Chain } from "../../solana/chain.ts";
import type { Networks } from "../networks.ts";

/** Below this a fee payer should be topped up: about ten thousand orders' fees. */
const LOW_LAMPORTS = 100_000_000n;

/** Looks after the account that pays for every order. */
export interface FeePayerWatch {
  /** Asks one network's chain; whoever reads that chain anyway calls it in the same moment. */
  look(network: Network): Promise<void>;
}

/** Shows balances and unreachable chains in the metrics; logs one line when a balance becomes low, none while it stays. */
export function watchFeePayer(deps: {
  readonly registry: Registry;
  readonly networks: Networks;
  readonly feePayer: Address;
  readonly log: { warn(detail: object, message: string): void };
  /** Called with every look that finds a balance low. */
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
