import type { Address } from "@solana/kit";

type Awaitable<T> = T | Promise<T>;

interface HasAddress {
  readonly address: Address;
}

/** What is made once for an agent and never changes. */
export interface CustodyAddresses {
  readonly createKey: HasAddress;
  readonly multisig: Address;
  readonly vault: Address;
}

/** What follows from the deployment's secrets and may be known to everybody: addresses, and whose they are. */
export interface PublicKeys {
  /** Pays for every order. */
  readonly feePayer: HasAddress;
  /** What paid under secrets that were replaced, newest first. */
  readonly formerFeePayers: readonly HasAddress[];
  /** What a new agent is set up with. */
  of(agentId: string): Awaitable<CustodyAddresses & { readonly delegate: HasAddress }>;
  /** The agent's trading key of this address; null when it is none of the present secret's. */
  delegateAt(agentId: string, address: Address): Awaitable<HasAddress | null>;
  /** Says whether the address was ever a trading key of the agent, also under a replaced secret. */
  isDelegate(agentId: string, address: Address): Awaitable<boolean>;
  /** The custody made with this create key under any secret; null when the key is none of ours. */
  custodyOf(agentId: string, createKey: Address): Awaitable<CustodyAddresses | null>;
  /** Adds the signature of the agent's create key, which can do nothing but create the agent's multisig. */
  coSign(agentId: string, transaction: Uint8Array): Awaitable<Uint8Array>;
}
