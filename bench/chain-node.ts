import { parseAddress } from "../src/solana/parse-address.ts";
import { openPracticeNode } from "./practice-node.ts";
import type { NodeAnswer, NodeRequest } from "./start-node.ts";

const { chain, rpc } = await openPracticeNode();

const answer = (message: NodeAnswer) => process.send?.(message);

process.on("disconnect", () => process.exit(0));
process.on("message", (request: NodeRequest) => {
  if ("calls" in request) {
    answer({ calls: rpc.calls.splice(0) });
    return;
  }
  const { owner, lamports, quoteUnits } = request;
  void chain
    .fund(parseAddress(owner), { lamports: BigInt(lamports), quoteUnits: BigInt(quoteUnits) })
    .then(() => answer({ funded: owner }));
});
answer({ url: rpc.url });
