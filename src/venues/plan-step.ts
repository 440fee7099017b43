import type { Address, Instruction } from "@solana/kit";
import type { LookupTables } from "../solana/programs/squads-message.ts";

/** An on-chain fact that proves a step had its intended effect. */
export type ExpectedEffect =
  | { readonly kind: "account_exists"; readonly address: Address; readonly programId: Address }
  | { readonly kind: "account_gone"; readonly address: Address }
  /** The account contains these bytes at the offset; `hex` in lower case. */
  | {
      readonly kind: "bytes_at";
      readonly address: Address;
      readonly offset: number;
      readonly hex: string;
    }
  | { readonly kind: "lamports_at_least"; readonly address: Address; readonly lamports: bigint }
  | {
      readonly kind: "token_delta";
      readonly account: Address;
      readonly mint: Address;
      /** Change of the account within the landed transaction, in base units. */
      readonly delta: bigint;
    };

/**
 * One transaction the owner signs. `before` and `after` run with the owner's own authority; `asVault` runs with the
 * vault's, wrapped by custody into create, approve, execute and close of one multisig transaction.
 */
export interface PlanStep {
  readonly label: string;
  readonly before: readonly Instruction[];
  readonly asVault: readonly Instruction[];
  readonly after: readonly Instruction[];
  readonly computeUnitLimit: number;
  readonly expects: readonly ExpectedEffect[];
  /** Sentence for the owner on what has to happen before the step can have its effect; absent: it can have it now. */
  readonly waitsFor?: string;
  /** Steps that complete what this one begins; absent: none. */
  readonly followedBy?: number;
  /** Rent the owner's wallet pays for accounts the step opens; absent: none. */
  readonly ownerRentLamports?: bigint;
  /** Lookup tables without which the step does not fit, as read from the chain; absent: none. */
  readonly tables?: LookupTables;
}

/** Returns a step of these parts; without any it does nothing. */
export const planStep = (
  label: string,
  computeUnitLimit: number,
  parts: Partial<PlanStep> = {},
): PlanStep => ({
  label,
  before: [],
  asVault: [],
  after: [],
  computeUnitLimit,
  expects: [],
  ...parts,
});

/** There is no buyer at an acceptable price now; the message is a sentence for the owner. */
export class NoRouteError extends Error {
  override readonly name = "NoRouteError";
}

/** The account holds something that the venue cannot plan with; the message is a sentence for the owner. */
export class PlanRefusedError extends Error {
  override readonly name = "PlanRefusedError";
}
