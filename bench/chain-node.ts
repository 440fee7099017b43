import { parseAddress } from "../src/solana/encoding/address-codec.ts";
import { openPracticeNode } from "./practice-node.ts";
import type { NodeAnswer, NodeLimits, NodeRequest } from "./start-node.ts";

let limits: NodeLimits | null = null;
let allowed = 0;
let filledAtMs = 0;

/** Takes one request from what the node allows; a second's requests may come at once. */
function isAllowed({ perSecond }: NodeLimits): boolean {
  const nowMs = performance.now();
  allowed = Math.min(perSecond, allowed + ((nowMs - filledAtMs) * perSecond) / 1_000);
  filledAtMs = nowMs;
  if (allowed < 1) return false;
  allowed -= 1;
  return true;
}

const { chain, rpc } = await openPracticeNode(() => {
  if (limits === null) return undefined;
  if (!isAllowed(limits)) {
    // The method is the newest call
    rpc.calls.splice(-1, 1, "refused");
    return { kind: "status", status: 429 };
  }
  return { kind: "slow", ms: limits.answerMs };
});

const answer = (message: NodeAnswer) => process.send?.(message);

process.on("disconnect", () => process.exit(0));
process.on("message", (request: NodeRequest) => {
  if ("calls" in request) {
    answer({ calls: rpc.calls.splice(0) });
    return;
  }
  if ("limits" in request) {
    limits = request.limits;
    return;
  }
  const { owner, lamports, quoteUnits } = request;
  void chain
    .fund(parseAddress(owner), { lamports: BigInt(lamports), quoteUnits: BigInt(quoteUnits) })
    .then(() => answer({ funded: owner }));
});
answer({ url: rpc.url });
