import type { Signature } from "@solana/kit";
import { parseSignature } from "../../solana/parse-address.ts";
import {
  type Chain,
  type Progress,
  type SignatureStatus,
  TransactionRefusedError,
  type TransactionOutcome,
} from "../../solana/chain.ts";
import { type CustodyRow, dropSignature } from "../store/custody/custody.ts";
import { listSignatures } from "../../solana/list-signatures.ts";
import type { ChainRound } from "./chain-round.ts";
import { forgetClosedAccounts, movedTokens, stateShows } from "./landed-effects.ts";
import { decodeExpectation, type Expectation, searchedAccountOf } from "./account/expectation.ts";
import { explainCustodyFailure } from "./explain-chain.ts";
import { findByEffect } from "./find-by-effect.ts";
import { isSignedOver } from "./is-signed-over.ts";
import { type SettleDeps, settleTransaction } from "./settle-transaction.ts";

/**
 * Queries the outcome of one transaction from a node and settles it once known.
 *
 * Used for a transaction just sent, one whose report was lost with a closed tab, one an earlier process left open, and
 * one that was replaced but may still land. It is expired only when this one node shows that its last valid block is
 * final and then finds neither its signature nor its effect. Throws `ChainUnavailableError`; retrying, also on another
 * node, is safe.
 */
export async function followTransaction(
  deps: SettleDeps,
  row: CustodyRow,
  round: ChainRound,
): Promise<void> {
  const { node } = round;
  if (row.settledAt !== null) return;
  const expects = decodeExpectation(row.expects);
  const final = await round.finalAfter(row);

  if (row.signature !== null) {
    const sent = parseSignature(row.signature);
    const least = final === null ? {} : { minSlot: final.slot };
    const look = async (): Promise<SignatureStatus | null> =>
      (await node.signatureStatuses([sent], least)).statuses[0] ?? null;
    let status = await look();
    if (status === null && row.transaction !== null && final === null) {
      await resend(node, row.transaction);
      status = await look();
      if (status === null) return;
    }
    if (status !== null) {
      if (status.commitment === "processed") return;
      const ours = await isOurs(node, row, expects, sent, status);
      if (ours === "unknown") return;
      if (ours) {
        await settleLanded(deps, node, row, expects, sent, status);
        return;
      }
      await dropSignature(deps.db, row);
    }
  }
  const found = await searchLanded(deps, row, round, expects, final);
  if (found !== undefined) {
    await confirm(deps, node, row, expects, found);
    return;
  }
  if (final === null) return;
  await settleTransaction(deps, row, {
    state: row.state === "abandoned" ? "abandoned" : "expired",
    reason: row.reason ?? expiryReason(row),
  });
}

function expiryReason(row: CustodyRow): string {
  switch (row.state) {
    case "sent":
      return "The transaction expired without landing. Nothing was moved.";
    case "abandoned":
      return "It was replaced by a newer one.";
    default:
      return "It was not signed in time.";
  }
}

// Returns whether the transaction is ours: signed over exactly our message, using the account only ours can use, or
// with the expected transfers
async function isOurs(
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  sent: Signature,
  status: SignatureStatus,
): Promise<boolean | "unknown"> {
  if (row.transaction !== null) return true;
  if (isSignedOver(row, sent)) return true;
  if (expects.vaultTransaction !== null) {
    const since = { minSlot: status.slot, sinceSlot: status.slot };
    const users = await listSignatures(chain, expects.vaultTransaction, since);
    return users.includes(sent);
  }
  const outcome = await chain.transaction(sent);
  // The node that returned the status may not have the transaction yet
  if (outcome === null) return "unknown";
  return expects.effects.every(
    (effect) =>
      effect.kind !== "lamports_at_least" || (outcome.lamportDeltas.get(effect.address) ?? 0n) > 0n,
  );
}

async function settleLanded(
  deps: SettleDeps,
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  sent: Signature,
  status: SignatureStatus,
): Promise<void> {
  const outcome = await chain.transaction(sent);
  if (status.error !== null) {
    const venues = [...(deps.networks.get(row.network)?.venues.values() ?? [])];
    const reason = explainCustodyFailure(
      status.error,
      outcome?.logs ?? [],
      venues.map(({ programErrors }) => programErrors),
    );
    await settleTransaction(deps, row, { state: "failed", reason, signature: sent });
    return;
  }
  // The node that returned the status may not have the transaction yet
  if (outcome !== null) await confirm(deps, chain, row, expects, outcome);
}

async function confirm(
  deps: SettleDeps,
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  outcome: TransactionOutcome,
): Promise<void> {
  forgetClosedAccounts(deps.networks.get(row.network), expects.effects);
  const hasEffect =
    movedTokens(outcome, expects.effects) &&
    (await stateShows(chain, expects.effects, outcome.slot));
  await settleTransaction(
    deps,
    row,
    hasEffect
      ? { state: "confirmed", signature: outcome.signature, landed: outcome }
      : {
          state: "failed",
          reason: "The transaction landed without the expected effect.",
          signature: outcome.signature,
        },
  );
}

// Searches by the account that only one transaction can use; of several prepared for it, the one whose bytes were
// signed
async function searchLanded(
  deps: SettleDeps,
  row: CustodyRow,
  round: ChainRound,
  expects: Expectation,
  final: Progress | null,
): Promise<TransactionOutcome | undefined> {
  const searched = searchedAccountOf(expects);
  if (searched === null) return undefined;
  const users = await round.usersOf(searched, row.blockhashSlot, final);
  if (expects.vaultTransaction === null) {
    return (
      users.find(({ signature }) => isSignedOver(row, signature)) ??
      findByEffect(deps, row, round, expects, users)
    );
  }
  return users.find(
    (outcome) =>
      movedTokens(outcome, expects.effects) &&
      (isSignedOver(row, outcome.signature) ||
        !round.rows.some((other) => isSignedOver(other, outcome.signature))),
  );
}

async function resend(chain: Chain, transaction: Uint8Array): Promise<void> {
  try {
    await chain.send(transaction);
  } catch (error) {
    // A refusal proves nothing about an earlier send; only the signature's status and its expiry do
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
}
