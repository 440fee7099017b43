import { type Account, ChainUnavailableError } from "../../solana/chain.ts";
import type { AccountLayout } from "../../solana/encoding/anchor.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import type { VenueAccount } from "../venue.ts";
import { type DriftUser, userLayout } from "./layout-user.ts";
import type { DriftInstance } from "./instance.ts";
import type { Address } from "@solana/kit";
import { sameBytes } from "../../solana/encoding/instruction.ts";

/**
 * Decodes an account of the exchange as a node returned it; null when it does not exist.
 *
 * Throws `ChainUnavailableError` when its content is missing or truncated or its owner is wrong: that is a node's
 * fault, never an empty account.
 */
export function readOwned<T>(
  { programId }: Pick<DriftInstance, "programId">,
  layout: AccountLayout<T>,
  account: Account | null | undefined,
): T | null {
  if (account === null || account === undefined) return null;
  // Anyone can send lamports to the address of a deleted account
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) return null;
  const isWhole = account.data.length >= layout.size && layout.matches(account.data);
  if (account.owner === programId && isWhole) {
    return decodeSame(layout, account.address, account.data);
  }
  throw new ChainUnavailableError(`A node answered ${layout.name} ${account.address} wrongly`);
}

/** Decodes an account that must exist on a working exchange, under the rules of `readOwned`. */
export function requireOwned<T>(
  instance: Pick<DriftInstance, "programId">,
  layout: AccountLayout<T>,
  account: Account | null | undefined,
): T {
  const held = readOwned(instance, layout, account);
  if (held === null) throw new ChainUnavailableError(`A node answered without a ${layout.name}`);
  return held;
}

/**
 * Returns the agent's own account; throws `ChainUnavailableError` when the node returned another account in its place.
 */
export function ownUser(account: VenueAccount, user: DriftUser | null): DriftUser | null {
  if (user === null) return null;
  if (user.authority === account.vault && user.subAccountId === account.subAccountId) return user;
  throw new ChainUnavailableError(`A node answered another ${userLayout.name} than the agent's`);
}

interface Decoded {
  readonly layout: AccountLayout<unknown>;
  readonly data: Uint8Array;
  readonly value: unknown;
}

/** Number of accounts whose last bytes are remembered; the ones read longest ago are forgotten first. */
const MAX_KEPT = 100;

const kept = new Map<Address, Decoded>();

/**
 * Decodes an account's data, or returns what the same bytes of that account were decoded to before: an order reads the
 * same accounts several times. The result is shared: never change it.
 */
export function decodeSame<T>(layout: AccountLayout<T>, address: Address, data: Uint8Array): T {
  const known = kept.get(address);
  kept.delete(address);
  const isKnown = known?.layout === layout && sameBytes(known.data, data);
  const decoded = isKnown ? known : { layout, data: data.slice(), value: layout.decode(data) };
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(address, decoded);
  return decoded.value as T;
}
