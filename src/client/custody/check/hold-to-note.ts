import { ed25519 } from "@noble/curves/ed25519.js";
import type { OwnerFact } from "../../../contract/owner-facts.ts";
import { decodeBase58 } from "../../../domain/base58.ts";
import { ownerText, type PinnedCustody } from "../../../domain/owner-text.ts";
import { insist, Mismatch } from "../../../venues/mismatch.ts";
import type {
  CheckResult,
  PreparedTransaction,
  RequestedApproval,
  TransactionSummary,
} from "../approval-phase.ts";

const NOT_SIGNED =
  "The server shows a text about this agent's accounts that your wallet did not sign. Nothing is prepared with it.";

type SignedText = Extract<OwnerFact, { readonly kind: "signed" }>;

/** Returns whether this wallet signed exactly this text. */
function isSignedBy(wallet: string, { text, signature }: SignedText): boolean {
  const [bytes, key] = [decodeBase58(signature, 64), decodeBase58(wallet, 32)];
  if (bytes === null || key === null) return false;
  try {
    // Non-canonical signatures are refused, as by the server
    return ed25519.verify(bytes, new TextEncoder().encode(text), key, { zip215: false });
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

/** Throws `Mismatch` when a transaction gives rights to another trading key than the one its owner signed for. */
function requireKey(
  { effects }: TransactionSummary,
  { tradingKey }: PinnedCustody,
  facts: readonly OwnerFact[],
): void {
  const given = effects.flatMap((effect) =>
    effect.kind === "trading-key" || effect.kind === "spending-limit"
      ? (effect.tradingKey ?? [])
      : [],
  );
  // An operator who replaced the key withdrew the old one; the owner reads the new one before approving
  const isWithdrawn = facts.some(
    (fact) => fact.kind === "key_withdrawn" && fact.tradingKey === tradingKey,
  );
  insist(
    isWithdrawn || given.every((key) => key === tradingKey),
    `The trading key would be another one than you signed for: ${tradingKey}.`,
  );
}

/**
 * Compares a checked transaction with the accounts that its owner's wallet signed for, which any browser can verify. A
 * text that the wallet did not sign, another multisig or vault, and another trading key are mismatches.
 *
 * `pinned` is the multisig whose creation this browser saw, which may be newer than the text.
 */
export function holdToNote(
  checked: CheckResult,
  prepared: Pick<PreparedTransaction, "multisig" | "vault">,
  asked: RequestedApproval,
  { facts, pinned }: { readonly facts: readonly OwnerFact[]; readonly pinned: string | null },
): CheckResult {
  if (checked.kind === "mismatch") return checked;
  const { summary } = checked;
  const isCreation = summary.effects.some(({ kind }) => kind === "create-multisig");
  try {
    const signed = signedAccounts(facts, asked);
    if (signed === null || isCreation || pinned === prepared.multisig) {
      if (signed !== null) requireKey(summary, signed, facts);
      return checked;
    }
    insist(
      signed.multisig === prepared.multisig && signed.vault === prepared.vault,
      `You signed that this agent's vault is ${signed.vault}. This transaction is about another one.`,
    );
    requireKey(summary, signed, facts);
    return { kind: "matches", summary: { ...summary, isSignedFor: true } };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}
