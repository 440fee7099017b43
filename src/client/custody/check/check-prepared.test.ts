import type { Blockhash } from "@solana/kit";
import { beforeEach, describe, expect, it } from "vitest";
import { NETWORKS } from "../../../domain/network.ts";
import { keypairFromSeed } from "../../../solana/keys.ts";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import { deriveMultisig, deriveVault } from "../../../solana/programs/squads-pdas.ts";
import { vaultLife } from "../../../solana/programs/squads-vault-life.ts";
import { compileTransaction } from "../../../solana/transaction.ts";
import { deriveSpotMarket } from "../../../venues/drift/pdas.ts";
import { planDepositFrom } from "../../../venues/drift/plan-entry.ts";
import { DRIFT_INSTANCES, type DriftInstance } from "../../../venues/drift/instance.ts";
import { toBase64 } from "../../lib/base64.ts";
import { pinMultisig } from "../approval-memory.ts";
import { checkPrepared } from "./check-prepared.ts";

const keyOf = (seed: number) => keypairFromSeed(new Uint8Array(32).fill(seed)).address;
const wallet = keyOf(1);
const multisig = deriveMultisig(keyOf(2)).address;
const vault = deriveVault(multisig).address;
const AGENT = "agent";

beforeEach(() => pinMultisig(AGENT, multisig));

/** What a server hands out for a deposit of 500 in an instance's quote token, for an agent on this network. */
function check(instance: DriftInstance, network: (typeof NETWORKS)[number]) {
  const account = { owner: wallet, multisig, vault, delegate: keyOf(3), subAccountId: 0 };
  const markets = { oracles: [], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [] };
  const step = planDepositFrom(instance, account, 500_000_000n, markets);
  const bytes = compileTransaction({
    feePayer: wallet,
    lifetime: { blockhash: keyOf(9) as string as Blockhash, lastValidBlockHeight: 150n },
    instructions: [
      setComputeUnitLimit(600_000),
      setComputeUnitPrice(5_000n),
      ...step.before,
      ...vaultLife({
        multisig,
        transactionIndex: 1n,
        member: wallet,
        vault,
        rentCollector: wallet,
        instructions: step.asVault,
        tables: {},
      }),
    ],
  });
  const prepared = {
    network,
    method: "signAndSend",
    multisig,
    vault,
    tables: [],
    transaction: toBase64(bytes),
  } as unknown as Parameters<typeof checkPrepared>[0];
  return checkPrepared(prepared, {
    intent: "deposit",
    agentId: AGENT,
    venue: "drift",
    wallet,
    market: "SOL-PERP",
    asset: null,
    amount: "500",
  }).kind;
}

describe("a deposit of the token the exchange settles in", () => {
  it.each(NETWORKS)("is what was asked for on %s", (network) => {
    expect(check(DRIFT_INSTANCES[network], network)).toBe("matches");
  });

  it("is another thing than one of another network's token", () => {
    expect(check(DRIFT_INSTANCES.mainnet, "devnet")).toBe("mismatch");
    expect(check(DRIFT_INSTANCES.devnet, "mainnet")).toBe("mismatch");
  });
});
