import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";

/** One account's content. Never changed in place, so that a rollback is forgetting. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

const NO_DATA = new Uint8Array(0);

/** What the runtime sees at an address nobody has paid for. */
export const EMPTY_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: NO_DATA,
  executable: false,
};

export type ReadAccount = (address: Address) => AccountState | undefined;

/** Accounts changed on top of a base: kept by merging into the base, undone by forgetting. */
export interface Overlay {
  get(address: Address): AccountState;
  set(address: Address, state: AccountState): void;
  readonly changes: ReadonlyMap<Address, AccountState>;
}

/** Builds an overlay over what `base` reads. */
export function createOverlay(base: ReadAccount): Overlay {
  const changes = new Map<Address, AccountState>();
  return {
    changes,
    get: (address) => changes.get(address) ?? base(address) ?? EMPTY_ACCOUNT,
    set: (address, state) => void changes.set(address, state),
  };
}
