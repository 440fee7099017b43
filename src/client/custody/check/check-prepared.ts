import { address, type Address } from "@solana/kit";
import { parseDecimal } from "../../../domain/amount.ts";
import { VENUE_APPROVALS } from "../../../venues/approvals.ts";
import type { VenueApproval } from "../../../venues/venue-approval.ts";
import { fromBase64 } from "../../lib/base64.ts";
import { pinnedMultisig } from "../approval-memory.ts";
import type { CheckResult, PreparedTransaction, RequestedApproval } from "../approval-phase.ts";
import type { OwnerFact } from "../../../contract/owner-facts.ts";
import { holdToNote } from "./hold-to-note.ts";
import { checkTransaction } from "./check-transaction.ts";
import { deriveLookupTable } from "../../../solana/programs/address-lookup-table.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";

/**
 * Checks a prepared transaction against what was asked, with this page's own copy of the venue's addresses, and against
 * the accounts that the owner signed for; `facts` are newest first. A venue that is not among `venues` cannot be checked,
 * so nothing of it is approved.
 */
export function checkPrepared(
  prepared: PreparedTransaction,
  asked: RequestedApproval,
  facts: readonly OwnerFact[],
  venues: readonly VenueApproval[] = VENUE_APPROVALS,
): CheckResult {
  const venue = venues.find((known) => known.venue === asked.venue);
  if (venue === undefined) {
    return { kind: "mismatch", reason: "This page cannot check transactions of that venue." };
  }
  const terms = venue.on(prepared.network);
  const claimed = prepared.tables.map((table) => ({
    address: address(table.address),
    addresses: table.addresses.map((key) => address(key)),
  }));
  const { intent, amount, market, leverage, asset } = asked;
  const pinned = pinnedMultisig(asked.agentId);
  const request = {
    intent,
    method: prepared.method,
    wallet: address(asked.wallet),
    multisig: address(prepared.multisig),
    vault: address(prepared.vault),
    pinnedMultisig: pinned,
    tables: vouchedTables(claimed, terms.sharedAddresses),
    amount: amount === null ? null : parseDecimal(amount, terms.quote.decimals),
    market,
    leverage,
    moved: asset,
  };
  const checked = checkTransaction(fromBase64(prepared.transaction), request, terms);
  return holdToNote(checked, prepared, asked, { facts, pinned });
}

/** Lookup table as claimed by the server. */
interface ClaimedTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/**
 * Returns the claimed tables as far as this page believes them: an address it does not know itself becomes one that
 * nothing has, so that it fits no place where a check expects a wallet, a vault or an account.
 *
 * What the page knows are programs, mints and the venue's own accounts, all of which the called programs verify; a
 * server that lies about them gets a transaction that fails on chain.
 */
export function vouchedTables(
  claimed: readonly ClaimedTable[],
  known: readonly Address[],
): LookupTables {
  return Object.fromEntries(
    claimed.map(({ address: table, addresses }) => [
      table,
      addresses.map((key, place) =>
        known.includes(key) ? key : deriveLookupTable(table, BigInt(place)).address,
      ),
    ]),
  );
}
