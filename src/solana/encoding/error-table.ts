import type { Address } from "@solana/kit";

/** A program's own errors: code to name and to a text for the user. */
export interface ProgramErrors {
  readonly programId: Address;
  readonly errors: Readonly<Record<number, readonly [name: string, words: string]>>;
}
