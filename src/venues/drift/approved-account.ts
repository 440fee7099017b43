import type { Address, Instruction } from "@solana/kit";
import { deriveUser } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { Mismatch } from "../mismatch.ts";

/** Number of sub-accounts of the vault tried for an instruction that does not name its sub-account. */
const SUB_ACCOUNTS_TRIED = 16;

export const NOT_MINE = "The vault would act for a venue account that is not this agent's.";

export const bytesOf = (given: Instruction): Uint8Array => new Uint8Array(given.data ?? []);

/** Returns the number of the vault's sub-account with this address; refuses any other address. */
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
