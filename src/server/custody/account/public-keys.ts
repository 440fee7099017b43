import type { Address } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";

type Awaitable<T> = T | Promise<T>;

interface HasAddress {
  readonly address: Address;
}

/** Addresses created once for an agent, which never change. */
export interface CustodyAddresses {
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
