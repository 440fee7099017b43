import type { Address } from "@solana/kit";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import type { DriftInstance } from "../../venues/drift/instance.ts";
import type { CustodyIntent } from "./custody-intent.ts";

/** What the user asked for, from this browser's own knowledge wherever it has any. */
export interface ApprovalRequest {
  readonly intent: CustodyIntent;
  readonly method: "sign" | "signAndSend";
  readonly wallet: Address;
  readonly multisig: Address;
  readonly vault: Address;
  /** The multisig this browser saw being created for the agent, when it did. */
  readonly pinnedMultisig: string | null;
  /** This page's own copy of the venue's addresses, not the server's word. */
  readonly instance: DriftInstance;
  /** Lookup tables the transaction may name, as far as this page believes what they hold. */
  readonly tables: LookupTables;
  /** Base units; null when the intent has no amount. */
  readonly amount: bigint | null;
}
