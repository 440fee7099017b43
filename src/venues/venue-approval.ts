import type { Address } from "@solana/kit";
import type { CustodyIntent } from "../domain/custody-intent.ts";
import type { Network } from "../domain/network.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { FullInstruction } from "../solana/encoding/instruction.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import type { Effect, EffectKind } from "./effect.ts";
import { insist } from "./mismatch.ts";

/** The addresses of one agent, from the browser's own knowledge. */
export interface ApprovalParties {
  readonly wallet: Address;
  readonly multisig: Address;
  readonly vault: Address;
}

/** What the user asked for, from the browser's own knowledge wherever it has any. */
export interface ApprovalRequest extends ApprovalParties {
  readonly intent: CustodyIntent;
  readonly method: "sign" | "signAndSend";
  /** The multisig this browser saw being created for the agent; null where it saw none. */
  readonly pinnedMultisig: string | null;
  /** Lookup tables the transaction may name, as far as the page believes what they hold. */
  readonly tables: LookupTables;
  /** Quote base units; null when the intent has no amount. */
  readonly amount: bigint | null;
  /** Market the agent trades, in the venue's words. */
  readonly market: string;
  /** The one asset that was asked to be moved; null for all of them, and where none is moved. */
  readonly moved: string | null;
}

/** A token that an agent's transactions may be about. `symbol` is how the venue calls it. */
export interface NamedToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  readonly symbol: string;
}

export type Party = "wallet" | "vault" | "trading-key";

/** Tokens an intent moves: from the wallet to the vault, or from the vault to the wallet. */
export interface MoveRule {
  readonly from: "wallet" | "vault";
  /** `asset`: what is traded, and only the asked one where one was asked for. */
  readonly token: "quote" | "asset" | "any";
  readonly amount: "asked" | "any";
}

/** What one intent may do at a venue. Whatever a rule does not allow is refused. */
export interface IntentRule {
  readonly may: readonly EffectKind[];
  /** Kinds that may come once at most, beside those that never may come twice. */
  readonly once?: readonly EffectKind[];
  /** Whose token accounts it may open. */
  readonly opensFor?: readonly Party[];
  /** Whose token accounts it may close, and who may get their rent. */
  readonly closes?: { readonly of: Party; readonly rentTo: readonly Party[] };
  readonly moves?: MoveRule;
  /** What only the venue knows, of all effects together. Throws `Mismatch`. */
  readonly check?: (effects: readonly Effect[], request: ApprovalRequest) => void;
}

/** What a venue on one network lets its owners approve. */
export interface ApprovalTerms {
  readonly quote: NamedToken;
  /** What else a vault can hold; empty where the venue holds positions. */
  readonly assets: readonly NamedToken[];
  /** Programs, mints and accounts of the venue that a lookup table may hold. */
  readonly sharedAddresses: readonly Address[];
  /** Intents that are left out cannot be checked and are refused. */
  readonly rules: Readonly<Partial<Record<CustodyIntent, IntentRule>>>;
  /**
   * Reads one instruction of the venue's own that runs with `authority`, the wallet or the vault. Null for an instruction
   * that is not the venue's; throws `Mismatch` for one that is and that no owner needs.
   */
  read(given: FullInstruction, authority: Address, parties: ApprovalParties): Effect | null;
}

/** A venue's part of approving: it runs in the browser, which believes no server. */
export interface VenueApproval {
  readonly venue: VenueId;
  on(network: Network): ApprovalTerms;
}

/** Insists that the effects hold exactly one of a kind; throws the sentence as `Mismatch` otherwise. */
export function requireOne(effects: readonly Effect[], kind: EffectKind, sentence: string): void {
  insist(effects.filter((effect) => effect.kind === kind).length === 1, sentence);
}
