import { createPracticeChain } from "../src/practice/practice-chain.ts";
import { createMemoryLedger } from "../src/practice/memory-ledger.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { verifyEd25519 } from "../src/server/verify-ed25519.ts";
import { parseAddress } from "../src/solana/parse-address.ts";
import { startRpcServer } from "../test/rpc-server.ts";
import type { NodeAnswer, NodeRequest } from "./start-node.ts";

/** Genesis hash by which the product identifies mainnet at start. */
const GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

const chain = await createPracticeChain({
  ledger: createMemoryLedger(),
  clock: { now: () => Date.now() },
  prices: createPracticeMarket(),
  verifySignature: verifyEd25519,
});
const rpc = await startRpcServer(chain);
rpc.behave({
  after: (method, result) => (method === "getGenesisHash" ? GENESIS_HASH : result),
});

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
