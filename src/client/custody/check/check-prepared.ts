import { address, type Address } from "@solana/kit";
import { parseDecimal } from "../../../domain/amount.ts";
import { VENUE_APPROVALS } from "../../../venues/approvals.ts";
import type { VenueApproval } from "../../../venues/venue-approval.ts";
import { fromBase64 } from "../../lib/base64.ts";
import { givenKeys, type PinnedAccounts, pinnedAccounts } from "../approval-memory.ts";
import type {
  CheckResult,
  PreparedTransaction,
  RequestedApproval,
  Unvouched,
} from "../approval-phase.ts";
import type { OwnerFact } from "../../../contract/owner-facts.ts";
import { checkTransaction } from "./check-transaction.ts";
import { deriveLookupTable } from "../../../solana/programs/address-lookup-table.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { signedForms } from "../../../solana/signing.ts";
import { ed25519 } from "@noble/curves/ed25519.js";
import { decodeBase58 } from "../../../domain/base58.ts";
import { ownerText, type PinnedCustody } from "../../../domain/owner-text.ts";
import { Mismatch, insist } from "../../../venues/mismatch.ts";

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
  const pinned = pinnedAccounts(asked.agentId);
  const request = {
    intent,
    method: prepared.method,
    wallet: address(asked.wallet),
    multisig: address(prepared.multisig),
    vault: address(prepared.vault),
    pinnedMultisig: pinned.multisig,
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

const NOT_SIGNED =
  "The server shows a text about this agent's accounts that your wallet did not sign. Nothing is prepared with it.";

type SignedText = Extract<OwnerFact, { readonly kind: "signed" }>;

/** Returns whether this wallet signed exactly this text, by itself or in an envelope. */
function isSignedBy(wallet: string, { text, signature, parts }: SignedText): boolean {
  const [bytes, key] = [decodeBase58(signature, 64), decodeBase58(wallet, 32)];
  if (bytes === null || key === null) return false;
  try {
    // Non-canonical signatures are refused, as by the server
    return signedForms(text, wallet, parts.host).some((form) =>
      ed25519.verify(bytes, form, key, { zip215: false }),
    );
  } catch {
    return false;
  }
}

/** Returns the accounts in the newest text that an agent's owner signed; null when no text names any. Throws `Mismatch`. */
function signedAccounts(
  facts: readonly OwnerFact[],
  { wallet, agentId }: RequestedApproval,
): PinnedCustody | null {
  const newest = facts.find(
    (fact): fact is SignedText => fact.kind === "signed" && fact.parts.pinned.custody !== null,
  );
  if (newest === undefined) return null;
  const { parts, text } = newest;
  insist(
    parts.wallet === wallet &&
      parts.pinned.agentId === agentId &&
      ownerText(parts) === text &&
      isSignedBy(wallet, newest),
    NOT_SIGNED,
  );
  return parts.pinned.custody;
}

/**
 * Compares a checked transaction with the accounts that its owner's wallet signed for, which any browser can verify. A
 * text that the wallet did not sign, another multisig or vault, and another trading key are mismatches; what no text
 * names and this browser did not see is told as unvouched. That a key was withdrawn is not taken from the server: the
 * owner signs for the next one.
 *
 * `pinned` has the multisig whose creation this browser saw, which may be newer than the text.
 */
export function holdToNote(
  checked: CheckResult,
  prepared: Pick<PreparedTransaction, "multisig" | "vault">,
  asked: RequestedApproval,
  { facts, pinned }: { readonly facts: readonly OwnerFact[]; readonly pinned: PinnedAccounts },
): CheckResult {
  if (checked.kind === "mismatch") return checked;
  const { summary } = checked;
  const isCreation = summary.effects.some(({ kind }) => kind === "create-multisig");
  const isSeen = isCreation || pinned.multisig === prepared.multisig;
  const keys = givenKeys(summary.effects);
  try {
    const signed = signedAccounts(facts, asked);
    if (signed !== null) {
      insist(
        isSeen || (signed.multisig === prepared.multisig && signed.vault === prepared.vault),
        `You signed that this agent's vault is ${signed.vault}. This transaction is about another one.`,
      );
      insist(
        keys.every((key) => key === signed.tradingKey),
        `The trading key would be another one than you signed for: ${signed.tradingKey}.`,
      );
      return checked;
    }
    // The first key of a vault that was made here is the server's word, as the vault's create key was
    const isKeyKnown = pinned.tradingKey === null && isSeen;
    const unvouched: readonly Unvouched[] = [
      ...(isSeen ? [] : ["vault" as const]),
      ...(isKeyKnown || keys.every((key) => key === pinned.tradingKey)
        ? []
        : ["trading key" as const]),
    ];
    return unvouched.length === 0
      ? checked
      : { kind: "matches", summary: { ...summary, unvouched } };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}
