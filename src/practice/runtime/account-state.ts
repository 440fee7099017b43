import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";

/** One account's content. It is immutable, so that a rollback only discards references. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

const NO_DATA = new Uint8Array(0);

/** Account state at an address without lamports. */
export const EMPTY_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: NO_DATA,
  executable: false,
};

export type ReadAccount = (address: Address) => AccountState | undefined;

/** Account changes on top of a base: committed by merging into the base, rolled back by discarding. */
export type Overlay = ReturnType<typeof createOverlay>;

/** Creates an overlay over the accounts `base` reads. */
export function createOverlay(base: ReadAccount) {
  const changes = new Map<Address, AccountState>();
  return {
    changes: changes as ReadonlyMap<Address, AccountState>,
    get: (address: Address) => changes.get(address) ?? base(address) ?? EMPTY_ACCOUNT,
    set: (address: Address, state: AccountState) => void changes.set(address, state),
  };
}
