import type { Address, Instruction } from "@solana/kit";
import { deriveUser } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { Mismatch } from "../mismatch.ts";

/** How many sub-accounts of the vault are tried when an instruction does not say which it means. */
const SUB_ACCOUNTS_TRIED = 16;

export const NOT_MINE = "The vault would act for a venue account that is not this agent's.";

export const bytesOf = (given: Instruction): Uint8Array => new Uint8Array(given.data ?? []);

/** Returns which of the vault's sub-accounts an address is; any other address is refused. */
export function subAccountOf(
  user: Address | undefined,
  vault: Address,
  instance: DriftInstance,
): number {
  for (let id = 0; id < SUB_ACCOUNTS_TRIED; id += 1) {
    if (deriveUser(instance, vault, id) === user) return id;
  }
  throw new Mismatch(NOT_MINE);
}
