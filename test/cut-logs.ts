import type { Networks } from "../src/server/networks.ts";
import { wrapChain } from "./wrap-chain.ts";

/** Returns the networks with a practice chain that kept only the first lines of every log but the whole ones'. */
export function cutLogs(networks: Networks, whole: readonly string[]): Networks {
  const runtime = networks.get("practice");
  if (runtime === undefined) throw new Error("The world has no practice network");
  const chain = wrapChain(runtime.chain, (inner) => ({
    async transaction(signature) {
      const outcome = await inner.transaction(signature);
      if (outcome === null || whole.includes(signature)) return outcome;
      return { ...outcome, logs: [...outcome.logs.slice(0, 3), "Log truncated"] };
    },
  }));
  return new Map([["practice", { ...runtime, chain }]]);
}
