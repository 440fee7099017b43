import { AppError, found } from "../../contract/errors.ts";
import { parseAddress, parseSignature } from "../../solana/encoding/address-codec.ts";
import { ChainUnavailableError, TransactionRefusedError } from "../../solana/chain.ts";
import { lookupTablesOf } from "../../solana/decode-transaction.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import { signatureOf, unsignedSigners } from "../../solana/signing.ts";
import { verifyReturned } from "../../solana/verify-returned.ts";
import { type CustodyRow, findCustodyRow, recordSent } from "../store/custody/custody.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { askChain, explainCustodyFailure } from "./explain-chain.ts";
import type { PrepareDeps } from "./prepare-transaction.ts";
import { commit, settle } from "./settle-transaction.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";

/** Records that the wallet sent a prepared transaction by itself. Idempotent. */
export async function acceptSent(
  deps: PrepareDeps,
  id: string,
  signature: string,
): Promise<CustodyRow> {
  const row = found(await findCustodyRow(deps.db, id));
  requireSignature(signature);
  if (row.settledAt !== null || row.signature === signature) return row;
  if (row.state === "sent") throw new AppError("transaction_open");
  if (decodeExpectation(row.expects).needsCoSigner) {
    throw new AppError("conflict", {
      message: "This transaction needs a second signature: hand it back signed, unsent.",
    });
  }
  await store(deps, row, signature, null);
  await deps.follower.follow(row.agentId);
  return found(await findCustodyRow(deps.db, id));
}

/**
 * Accepts a transaction the wallet signed: compares it with the prepared one, co-signs where needed, stores bytes and
 * signature, and only then sends.
 */
export async function acceptSigned(
  deps: PrepareDeps,
  id: string,
  returned: Uint8Array,
): Promise<CustodyRow> {
  const row = found(await findCustodyRow(deps.db, id));
  if (row.settledAt !== null) return row;
  if (row.state === "abandoned") {
    throw new AppError("conflict", {
      message: "A newer transaction replaced this one. Nothing was sent.",
    });
  }
  const signed = await coSign(deps, row, returned, await tablesOf(deps, row));
  const signature = signatureOf(signed);
  if (row.signature === signature) return row;
  if (row.state === "sent") throw new AppError("transaction_open");
  const stored = await store(deps, row, signature, signed);
  await sendFirst(deps, stored, signed);
  await deps.follower.follow(row.agentId);
  return found(await findCustodyRow(deps.db, id));
}

/** Returns the contents of the lookup tables the prepared bytes name; the signed transaction may name no others. */
async function tablesOf(deps: PrepareDeps, row: CustodyRow): Promise<LookupTables> {
  const chain = deps.networks.get(row.network)?.chain;
  const named = lookupTablesOf(row.message);
  return chain === undefined ? {} : askChain(() => readTables(chain, named));
}

async function coSign(
  deps: PrepareDeps,
  row: CustodyRow,
  returned: Uint8Array,
  tables: LookupTables,
): Promise<Uint8Array> {
  const verdict = verifyReturned(row.message, returned, tables);
  if (verdict.kind === "refused") throw new AppError("transaction_changed");
  const missing = unsignedSigners(returned, verifyEd25519);
  const owner = parseAddress(row.owner);
  if (missing.includes(owner)) {
    throw new AppError("transaction_changed", {
      message: "The wallet's signature is missing or wrong. Nothing was sent.",
    });
  }
  const needed = decodeExpectation(row.expects).needsCoSigner;
  const signed = needed
    ? await askChain(() => Promise.resolve(deps.keys.coSign(row.agentId, returned)))
    : returned;
  if (unsignedSigners(signed, verifyEd25519).length > 0) throw new AppError("transaction_changed");
  return signed;
}

async function store(
  deps: PrepareDeps,
  row: CustodyRow,
  signature: string,
  transaction: Uint8Array | null,
): Promise<CustodyRow> {
  const at = new Date(deps.clock.now());
  const stored = await recordSent(deps.db, row, { signature, transaction, at });
  if (stored === null || (stored.state === "sent" && stored.signature !== signature)) {
    throw new AppError("transaction_open");
  }
  deps.publisher.publish(row.owner, { topic: "custody", id: row.agentId });
  return stored;
}

// First send only: nobody else holds these bytes yet, so a refusal before execution is final
async function sendFirst(deps: PrepareDeps, row: CustodyRow, signed: Uint8Array): Promise<void> {
  const chain = deps.networks.get(row.network)?.chain;
  if (chain === undefined || row.settledAt !== null) return;
  try {
    await chain.send(signed);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return;
    if (!(error instanceof TransactionRefusedError)) throw error;
    if (error.error.kind !== "instruction") return;
    const reason = explainCustodyFailure(error.error, error.logs);
    await commit(deps, row, await settle(deps, row, { state: "failed", reason }));
  }
}

function requireSignature(text: string): void {
  try {
    parseSignature(text);
  } catch (cause) {
    throw new AppError("validation_failed", {
      fields: { signature: "Not a signature." },
      cause,
    });
  }
}
