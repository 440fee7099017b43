import { type Account, ChainUnavailableError } from "../../solana/chain.ts";
import type { AccountLayout } from "../../solana/encoding/anchor.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import type { VenueAccount } from "../venue.ts";
import { type DriftUser, userLayout } from "./layout-user.ts";
import type { DriftInstance } from "./instance.ts";

/**
 * Reads an account of the exchange as a node answered it; null when there is none.
 *
 * Throws `ChainUnavailableError` when it is answered without its content, shortened or as somebody else's: that is a node's
 * mistake, never an empty account.
 */
export function readOwned<T>(
  { programId }: Pick<DriftInstance, "programId">,
  layout: AccountLayout<T>,
  account: Account | null | undefined,
): T | null {
  if (account === null || account === undefined) return null;
  // What anybody may send to the address of an account that was deleted
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) return null;
  const isWhole = account.data.length >= layout.size && layout.matches(account.data);
  if (account.owner === programId && isWhole) return layout.decode(account.data);
  throw new ChainUnavailableError(`A node answered ${layout.name} ${account.address} wrongly`);
}

/** The same for an account the exchange cannot be without. */
export function requireOwned<T>(
  instance: Pick<DriftInstance, "programId">,
  layout: AccountLayout<T>,
  account: Account | null | undefined,
): T {
  const held = readOwned(instance, layout, account);
  if (held === null) throw new ChainUnavailableError(`A node answered without a ${layout.name}`);
  return held;
}

/** Returns the agent's own account; throws `ChainUnavailableError` when the node answered another one in its place. */
export function ownUser(account: VenueAccount, user: DriftUser | null): DriftUser | null {
  if (user === null) return null;
  if (user.authority === account.vault && user.subAccountId === account.subAccountId) return user;
  throw new ChainUnavailableError(`A node answered another ${userLayout.name} than the agent's`);
}
