import type { Address } from "@solana/kit";
import { sameBytes } from "../same-instruction.ts";
import type { AccountLayout } from "./anchor.ts";

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
