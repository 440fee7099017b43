import type { Address } from "@solana/kit";
import type { CustodyIntent } from "../domain/custody-intent.ts";
import type { Network } from "../domain/network.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { FullInstruction } from "../solana/encoding/instruction.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import type { Effect, EffectKind } from "./effect.ts";
import { insist } from "./mismatch.ts";

/** The addresses of one agent, as the browser itself knows them. */
export interface ApprovalParties {
  readonly wallet: Address;
  readonly multisig: Address;
  readonly vault: Address;
}

/** The user's request, as far as possible from data the browser itself has. */
export interface ApprovalRequest extends ApprovalParties {
  readonly intent: CustodyIntent;
  readonly method: "sign" | "signAndSend";
  /** The multisig whose creation for the agent this browser observed; null without one. */
  readonly pinnedMultisig: string | null;
  /** Lookup tables the transaction may use, as far as the page has verified their content. */
  readonly tables: LookupTables;
  /** Quote base units; null when the intent has no amount. */
  readonly amount: bigint | null;
  /** Market the agent trades, by the venue's name. */
  readonly market: string;
  /** Leverage of the agent's entries; absent: 1. */
  readonly leverage?: number | undefined;
  /** The one asset to be moved; null for all of them, and where none is moved. */
  readonly moved: string | null;
}

/** A token of an agent's transactions. `symbol` is the venue's name for it. */
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
  /** `asset`: the traded asset, and only the requested one where one was named. */
  readonly token: "quote" | "asset" | "any";
  readonly amount: "asked" | "any";
}

/** Allowed effects of one intent at a venue. Every other effect is refused. */
export interface IntentRule {
  readonly may: readonly EffectKind[];
  /** Effect kinds allowed at most once, beside those that are never allowed twice. */
  readonly once?: readonly EffectKind[];
  /** Parties whose token accounts it may open. */
  readonly opensFor?: readonly Party[];
  /** Parties whose token accounts it may close, and allowed receivers of their rent. */
  readonly closes?: { readonly of: Party; readonly rentTo: readonly Party[] };
  readonly moves?: MoveRule;
  /** Venue-specific check over all effects. Throws `Mismatch`. */
  readonly check?: (effects: readonly Effect[], request: ApprovalRequest) => void;
}

/** Approval terms of a venue on one network. */
export interface ApprovalTerms {
  readonly quote: NamedToken;
  /** Other assets a vault can hold; empty where the venue holds positions. */
  readonly assets: readonly NamedToken[];
  /** Programs, mints and accounts of the venue that a lookup table may hold. */
  readonly sharedAddresses: readonly Address[];
  /** Rules by intent; an intent without a rule cannot be verified and is refused. */
  readonly rules: Readonly<Partial<Record<CustodyIntent, IntentRule>>>;
  /**
   * Decodes one instruction of the venue that runs with `authority`, the wallet or the vault. Null for another
   * program's instruction; throws `Mismatch` for an instruction of the venue that no owner needs.
   */
  read(given: FullInstruction, authority: Address, parties: ApprovalParties): Effect | null;
}

/** A venue's part of transaction approval: it runs in the browser, which trusts no server. */
export interface VenueApproval {
  readonly venue: VenueId;
  on(network: Network): ApprovalTerms;
}

/** Throws `Mismatch` with the sentence unless the effects contain exactly one of a kind. */
export function requireOne(effects: readonly Effect[], kind: EffectKind, sentence: string): void {
  insist(effects.filter((effect) => effect.kind === kind).length === 1, sentence);
}

/** Throws `Mismatch` where an account would be set to another leverage than the agent's. */
export function requireLeverage(
  effects: readonly Effect[],
  { leverage = 1 }: ApprovalRequest,
): void {
  const isOther = effects.some(
    (effect) => effect.kind === "venue-account" && (effect.leverage ?? leverage) !== leverage,
  );
  insist(!isOther, "The transaction would allow another leverage than the agent's.");
}
