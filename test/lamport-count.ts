import type { Signature } from "@solana/kit";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { USDC_MINT } from "../src/solana/programs/token.ts";
import { deriveUser, deriveUserStats } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "../src/venues/drift/instance.ts";
import type { CustodyWorld } from "./custody-world.ts";

/** Counts every lamport an agent's custody can hold, so that a test can say where each one went. */
export interface LamportCount {
  /** Lamports of the owner, the multisig, the vault, both token accounts and the venue's accounts together. */
  total(): Promise<bigint>;
  /** Total fees of the owner's landed transactions since the count began. */
  fees(): Promise<bigint>;
}

export async function countLamports(world: CustodyWorld): Promise<LamportCount> {
  const owner = world.owner.address;
  const { multisig, vault } = world.keys.of(world.agentId);
  const held = [
    owner,
    multisig,
    vault,
    associatedTokenAddress(owner, USDC_MINT),
    associatedTokenAddress(vault, USDC_MINT),
    deriveUser(instance, vault, 0),
    deriveUserStats(instance, vault),
  ];
  const signatures = (): Promise<readonly Signature[]> => world.chain.signaturesFor(owner, 1_000);
  const before = new Set(await signatures());
  return {
    async total() {
      const { accounts } = await world.chain.accounts(held);
      return accounts.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n);
    },
    async fees() {
      const since = (await signatures()).filter((signature) => !before.has(signature));
      const outcomes = await Promise.all(since.map((one) => world.chain.transaction(one)));
      return outcomes.reduce((sum, outcome) => sum + (outcome?.feeLamports ?? 0n), 0n);
    },
  };
}
