import { address, getBase58Decoder } from "@solana/kit";
import type { VenueId } from "../../domain/venue-id.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import { sharedAddresses as driftAddresses } from "../../venues/drift/shared-addresses.ts";
import { JUPITER_PRACTICE_INSTANCE, JUPITER_INSTANCE } from "../../venues/jupiter/instance.ts";
import { sharedAddresses as jupiterAddresses } from "../../venues/jupiter/shared-addresses.ts";
import type { VenueInstance } from "../../venues/venue.ts";
import { parseDecimal } from "../../domain/amount.ts";
import { fromBase64 } from "../lib/base64.ts";
import { pinnedMultisig } from "./approval-memory.ts";
import type { PreparedTransaction } from "./approval-phase.ts";
import { checkSpotTransaction } from "./check-spot-transaction.ts";
import { checkTransaction, type CheckResult } from "./check-transaction.ts";
import type { CustodyIntent } from "./custody-intent.ts";
import { vouchedTables } from "./vouched-tables.ts";

/** What the user asked for, in the page's own words. */
export interface Asked {
  readonly intent: CustodyIntent;
  readonly agentId: string;
  readonly venue: VenueId;
  readonly wallet: string;
  /** Asset the agent trades, in the venue's words. */
  readonly market: string;
  /** The one asset to move; null for all of them, and where none is moved. */
  readonly asset: string | null;
  /** Decimal text as it was typed; null when the intent has no amount. */
  readonly amount: string | null;
}

/** Checks a prepared transaction against what was asked, with this page's own copy of the venue's addresses. */
export function checkPrepared(prepared: PreparedTransaction, asked: Asked): CheckResult {
  const bytes = fromBase64(prepared.transaction);
  const common = {
    intent: asked.intent,
    method: prepared.method,
    wallet: address(asked.wallet),
    multisig: address(prepared.multisig),
    vault: address(prepared.vault),
    pinnedMultisig: pinnedMultisig(asked.agentId),
  };
  const claimed = prepared.tables.map((table) => ({
    address: address(table.address),
    addresses: table.addresses.map((key) => address(key)),
  }));
  const amountOf = ({ quote }: VenueInstance) =>
    asked.amount === null ? null : parseDecimal(asked.amount, quote.decimals);
  if (asked.venue === "drift") {
    const instance = DRIFT_INSTANCES[prepared.network];
    const tables = vouchedTables(claimed, driftAddresses(instance, []));
    return checkTransaction(bytes, { ...common, instance, tables, amount: amountOf(instance) });
  }
  const instance = prepared.network === "practice" ? JUPITER_PRACTICE_INSTANCE : JUPITER_INSTANCE;
  return checkSpotTransaction(bytes, {
    ...common,
    instance,
    tables: vouchedTables(claimed, jupiterAddresses(instance)),
    market: asked.market,
    moved: asked.asset,
    amount: amountOf(instance),
  });
}

/** Returns a signature's 64 bytes as people and explorers write it. */
export function signatureText(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes);
}
