import type { Address, Signature } from "@solana/kit";
import type { LedgerRecord } from "../../../practice/ledger.ts";
import type { TransactionError, TransactionOutcome } from "../../../solana/chain.ts";

interface TokenDeltaJson {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly delta: string;
}

export interface OutcomeRow {
  readonly signature: Signature;
  readonly slot: string;
  readonly block_time: string | null;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly fee_lamports: string;
  readonly fee_payer: Address | null;
  readonly lamport_deltas: Readonly<Record<Address, string>>;
  readonly token_deltas: readonly TokenDeltaJson[];
}

/** Returns JSON with amounts as text, because JSON numbers cannot represent a u64. */
export function encodeRecord({ outcome }: LedgerRecord) {
  return {
    signature: outcome.signature,
    slot: outcome.slot.toString(),
    blockTime: outcome.blockTime?.toString() ?? null,
    error: outcome.error,
    logs: outcome.logs,
    feeLamports: outcome.feeLamports.toString(),
    feePayer: outcome.feePayer ?? null,
    lamportDeltas: Object.fromEntries(
      [...outcome.lamportDeltas].map(([address, delta]) => [address, delta.toString()]),
    ),
    tokenDeltas: outcome.tokenDeltas.map((entry) => ({ ...entry, delta: entry.delta.toString() })),
  };
}

export function decodeOutcome(row: OutcomeRow): TransactionOutcome {
  const lamportDeltas = Object.entries(row.lamport_deltas) as [Address, string][];
  return {
    signature: row.signature,
    slot: BigInt(row.slot),
    blockTime: row.block_time === null ? null : BigInt(row.block_time),
    error: row.error,
    logs: row.logs,
    feeLamports: BigInt(row.fee_lamports),
    ...(row.fee_payer === null ? {} : { feePayer: row.fee_payer }),
    lamportDeltas: new Map(lamportDeltas.map(([address, delta]) => [address, BigInt(delta)])),
    tokenDeltas: row.token_deltas.map((entry) => ({ ...entry, delta: BigInt(entry.delta) })),
  };
}
