import type { Address } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import { deriveKeypair, type Keypair } from "../../../solana/encoding/keys.ts";
import { signTransaction, unsignedSigners } from "../../../solana/signing.ts";
import { verifyEd25519 } from "../../crypto/verify-ed25519.ts";
import { createRecent } from "./recent.ts";
import { deriveMultisig, deriveVault } from "../../../solana/programs/squads.ts";

/** Keys and addresses derived from the master secret and an agent's id. */
export interface AgentKeys {
  readonly tradingKey: Keypair;
  /** Signs only the creation of the multisig. */
  readonly createKey: Keypair;
  readonly multisig: Address;
  readonly vault: Address;
}

/** The deployment's keys, derived from one secret; none is stored in the database. */
export interface CustodyKeys {
  /** Pays the network fee of every order. */
  readonly feePayer: Keypair;
  /** Fee payers derived from replaced secrets, newest first. */
  readonly formerFeePayers: readonly Keypair[];
  /** Returns the keys for a new agent. */
  of(agentId: AgentId): AgentKeys;
  /**
   * Returns the agent's trading key with this address, of any generation of the present secret; null when none matches.
   */
  tradingKeyAt(agentId: AgentId, address: Address): Keypair | null;
  /** Returns the trading key after this one: the next generation, or the first of the present secret. */
  tradingKeyAfter(agentId: AgentId, address: Address): Keypair;
  /** Returns whether the address was ever a trading key of the agent, including under a replaced secret. */
  isTradingKey(agentId: AgentId, address: Address): boolean;
  /** Returns whether multisig and vault are the agent's, derived from any present or replaced secret. */
  isCustody(agentId: AgentId, account: Pick<AgentKeys, "multisig" | "vault">): boolean;
  /** Returns the custody derived with this create key under any secret; null when the key is not ours. */
  custodyOf(agentId: AgentId, createKey: Address): Omit<AgentKeys, "tradingKey"> | null;
  /** Adds the signature of the agent's create key where the transaction asks for it. */
  coSign(agentId: AgentId, transaction: Uint8Array): Uint8Array;
}

/** Maximum number of agents and of single keys that are remembered; a derivation takes a third of a millisecond. */
const MAX_KEPT = 20_000;

/** Maximum number of trading keys per agent under one secret. */
const GENERATIONS = 32;

const tradingKeyLabel = (agentId: AgentId, generation: number): string =>
  generation === 0 ? `delegate:${agentId}` : `delegate:${agentId}:${generation}`;

/** The agents' keys under one secret. */
interface SecretKeys {
  tradingKey(agentId: AgentId, generation: number): Keypair;
  custody(agentId: AgentId): Omit<AgentKeys, "tradingKey">;
  /** Returns the generation of the agent's trading key with this address; null when none matches. */
  generationOf(agentId: AgentId, address: Address): number | null;
}

function keysUnder(secret: Uint8Array): SecretKeys {
  const tradingKeys = createRecent<string, Keypair>(MAX_KEPT);
  const custodies = createRecent<AgentId, Omit<AgentKeys, "tradingKey">>(MAX_KEPT);
  const tradingKey = (agentId: AgentId, generation: number): Keypair => {
    const label = tradingKeyLabel(agentId, generation);
    return tradingKeys.get(label) ?? tradingKeys.set(label, deriveKeypair(secret, label));
  };
  return {
    tradingKey,
    custody(agentId) {
      const known = custodies.get(agentId);
      if (known !== undefined) return known;
      const createKey = deriveKeypair(secret, `create-key:${agentId}`);
      const multisig = deriveMultisig(createKey.address).address;
      return custodies.set(agentId, { createKey, multisig, vault: deriveVault(multisig).address });
    },
    generationOf(agentId, address) {
      for (let generation = 0; generation < GENERATIONS; generation += 1) {
        if (tradingKey(agentId, generation).address === address) return generation;
      }
      return null;
    },
  };
}

/**
 * Creates the keys of a deployment. Every secret has at least 32 bytes; the `retired` ones, newest first, sign nothing.
 */
export function createCustodyKeys(
  secret: Uint8Array,
  retired: readonly Uint8Array[] = [],
): CustodyKeys {
  const present = keysUnder(secret);
  const all = [present, ...retired.map(keysUnder)];
  const custodies = (agentId: AgentId) => all.map((each) => each.custody(agentId));
  return {
    feePayer: deriveKeypair(secret, "fee-payer"),
    formerFeePayers: retired.map((former) => deriveKeypair(former, "fee-payer")),
    of: (agentId) => ({
      tradingKey: present.tradingKey(agentId, 0),
      ...present.custody(agentId),
    }),
    tradingKeyAt(agentId, address) {
      const generation = present.generationOf(agentId, address);
      return generation === null ? null : present.tradingKey(agentId, generation);
    },
    tradingKeyAfter(agentId, address) {
      const next = (present.generationOf(agentId, address) ?? -1) + 1;
      if (next >= GENERATIONS) {
        throw new Error("This agent's key was replaced too often: replace the master secret");
      }
      return present.tradingKey(agentId, next);
    },
    isTradingKey: (agentId, address) =>
      all.some((each) => each.generationOf(agentId, address) !== null),
    isCustody: (agentId, { multisig, vault }) =>
      custodies(agentId).some((each) => each.multisig === multisig && each.vault === vault),
    custodyOf: (agentId, createKey) =>
      custodies(agentId).find((each) => each.createKey.address === createKey) ?? null,
    coSign(agentId, transaction) {
      const missing = unsignedSigners(transaction, verifyEd25519);
      const custody = custodies(agentId).find(({ createKey }) =>
        missing.includes(createKey.address),
      );
      return custody === undefined ? transaction : signTransaction(transaction, custody.createKey);
    },
  };
}

type Awaitable<T> = T | Promise<T>;

interface HasAddress {
  readonly address: Address;
}

/** Addresses created once for an agent, which never change. */
interface CustodyAddresses {
  readonly createKey: HasAddress;
  readonly multisig: Address;
  readonly vault: Address;
}

/** The public part of the deployment's keys: addresses, and which agent they belong to. */
export interface PublicKeys {
  /** Pays the network fee of every order. */
  readonly feePayer: HasAddress;
  /** Fee payers derived from replaced secrets, newest first. */
  readonly formerFeePayers: readonly HasAddress[];
  /** Returns the addresses for a new agent. */
  of(agentId: AgentId): Awaitable<CustodyAddresses & { readonly tradingKey: HasAddress }>;
  /** Returns the agent's trading key with this address; null when the present secret has none. */
  tradingKeyAt(agentId: AgentId, address: Address): Awaitable<HasAddress | null>;
  /** Returns whether the address was ever a trading key of the agent, including under a replaced secret. */
  isTradingKey(agentId: AgentId, address: Address): Awaitable<boolean>;
  /** Returns the custody derived with this create key under any secret; null when the key is not ours. */
  custodyOf(agentId: AgentId, createKey: Address): Awaitable<CustodyAddresses | null>;
  /** Adds the signature of the agent's create key, which can only create the agent's multisig. */
  coSign(agentId: AgentId, transaction: Uint8Array): Awaitable<Uint8Array>;
}
