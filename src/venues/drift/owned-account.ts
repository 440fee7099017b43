import { type Account, ChainUnavailableError } from "../../solana/chain.ts";
import type { AccountLayout } from "../../solana/encoding/anchor.ts";
import { decodeSame } from "../../solana/encoding/decode-same.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import type { VenueAccount } from "../venue.ts";
import { type DriftUser, userLayout } from "./layout-user.ts";
import type { DriftInstance } from "./instance.ts";

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
