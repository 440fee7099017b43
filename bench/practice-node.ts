import { randomBytes } from "node:crypto";
import { createMemoryLedger } from "../test/memory-ledger.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { PRACTICE_LOOKUP_TABLE } from "../src/practice/practice-table.ts";
import { createCustodyKeys } from "../src/server/custody/account/custody-keys.ts";
import { verifyEd25519 } from "../src/server/crypto/verify-ed25519.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { newDataDir } from "./bench-database.ts";
import { type RpcBehaviour, startRpcServer } from "../test/rpc-server.ts";

/** Genesis hash by which the product identifies mainnet at start. */
const GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

/** Opens the practice chain behind JSON-RPC, which the product takes for mainnet; `before` may slow its answers. */
export async function openPracticeNode(before?: NonNullable<RpcBehaviour["before"]>) {
  const chain = await createPracticeChain({
    ledger: createMemoryLedger(),
    clock: { now: () => Date.now() },
    prices: createPracticeMarket(),
    verifySignature: verifyEd25519,
  });
  const rpc = await startRpcServer(chain);
  rpc.behave({
    ...(before && { before }),
    after: (method, result) => (method === "getGenesisHash" ? GENESIS_HASH : result),
  });
  return { chain, rpc };
}

/** Returns the product's settings for such a node, with a new secret, and the fee payer that follows from it. */
export function practiceNodeSettings(url: string) {
  const secret = randomBytes(32).toString("hex");
  const { feePayer } = createCustodyKeys(Buffer.from(secret));
  const settings = {
    NETWORKS: "mainnet",
    RPC_URL_MAINNET: url,
    LOOKUP_TABLE_MAINNET: PRACTICE_LOOKUP_TABLE,
    DELEGATE_SECRET_FILE: writeKeyFile(newDataDir(), secret),
  };
  return { feePayer: feePayer.address, settings };
}
