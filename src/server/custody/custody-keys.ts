import type { Address } from "@solana/kit";
import { deriveKeypair, type Keypair } from "../../solana/keys.ts";
import { deriveMultisig, deriveVault } from "../../solana/programs/squads-pdas.ts";

/** Everything that follows from the master secret and an agent's id. */
export interface AgentKeys {
  readonly delegate: Keypair;
  /** Signs once, when the multisig is created. */
  readonly createKey: Keypair;
  readonly multisig: Address;
  readonly vault: Address;
}

/** The deployment's keys, derived from one secret: nothing is stored, nothing can be lost with a database. */
export interface CustodyKeys {
  /** Pays for every order. */
  readonly feePayer: Keypair;
  of(agentId: string): AgentKeys;
}

const MAX_KEPT = 10_000;

/** Makes the keys of a deployment. `secret` has at least 32 bytes. */
export function createCustodyKeys(secret: Uint8Array): CustodyKeys {
  const kept = new Map<string, AgentKeys>();
  return {
    feePayer: deriveKeypair(secret, "fee-payer"),
    of(agentId) {
      const known = kept.get(agentId);
      if (known !== undefined) return known;
      const createKey = deriveKeypair(secret, `create-key:${agentId}`);
      const multisig = deriveMultisig(createKey.address).address;
      const keys: AgentKeys = {
        delegate: deriveKeypair(secret, `delegate:${agentId}`),
        createKey,
        multisig,
        vault: deriveVault(multisig).address,
      };
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(agentId, keys);
      return keys;
    },
  };
}
