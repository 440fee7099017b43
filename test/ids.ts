import { assertIsAddress, type Address } from "@solana/kit";
import {
  type OwnerAddress,
  parseAgentId,
  parseChatId,
  parseEventId,
  parseOrderId,
  parseOwner,
} from "../src/domain/ids.ts";

const idOf = (digit: string): string => digit.repeat(32);

/** Ids for tests, each a hexadecimal digit thirty-two times. */
export const agentIdOf = (digit: string) => parseAgentId(idOf(digit));
export const chatIdOf = (digit: string) => parseChatId(idOf(digit));
export const eventIdOf = (digit: string) => parseEventId(idOf(digit));
export const orderIdOf = (digit: string) => parseOrderId(idOf(digit));

/** Returns an owner's address with a short name at its beginning. */
export const ownerNamed = (name: string) =>
  parseOwner(name.replaceAll(/[^1-9A-HJ-NP-Za-km-z]/g, "z").padEnd(32, "1"));

/** A key whose address is an owner's. */
export type OwnerKey<Key> = Key & { readonly address: Address & OwnerAddress };

/** Returns a key as an owner's. */
export function ownerKey<Key extends { readonly address: Address }>(key: Key): OwnerKey<Key> {
  const address = parseOwner(key.address);
  assertIsAddress(address);
  return { ...key, address };
}
