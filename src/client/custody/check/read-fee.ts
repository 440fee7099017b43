import { getU32Decoder, getU64Decoder } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import type { TransactionSettings } from "../../../solana/transaction-settings.ts";
import { insist } from "../../../venues/mismatch.ts";

/** Network fee per signature, in lamports. */
const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Compute units per instruction when no limit is set. */
const DEFAULT_UNITS = 200_000n;

const MICRO = 1_000_000n;

/** Highest accepted priority fee in lamports: 0.01 SOL; our server never sets more. */
const MAX_FEE_LAMPORTS = 10_000_000n;

const UNKNOWN_OPTION = "The transaction sets a fee option this page does not know.";

function priorityFeeOf(budget: readonly FullInstruction[], otherCount: number): bigint {
  let units = DEFAULT_UNITS * BigInt(otherCount);
  let price = 0n;
  for (const { data } of budget) {
    const [kind] = data;
    insist((kind === 2 && data.length === 5) || (kind === 3 && data.length === 9), UNKNOWN_OPTION);
    if (kind === 2) units = BigInt(getU32Decoder().decode(data, 1));
    else price = getU64Decoder().decode(data, 1);
  }
  return (units * price + MICRO - 1n) / MICRO;
}

/** Fee settings of a message: in the header from version 1 on, in instructions before. */
interface FeeOptions {
  readonly settings: TransactionSettings | null;
  readonly budget: readonly FullInstruction[];
  readonly signerCount: number;
  /** Number of instructions that are not compute-budget instructions. */
  readonly otherCount: number;
}

/** Returns the maximum fee of the transaction in lamports; throws `Mismatch` above the accepted priority fee. */
export function readFee({ settings, budget, signerCount, otherCount }: FeeOptions): bigint {
  // The network ignores budget instructions next to a header, so their presence is suspicious
  insist(settings === null || budget.length === 0, UNKNOWN_OPTION);
  const priorityFee =
    settings === null ? priorityFeeOf(budget, otherCount) : (settings.priorityFeeLamports ?? 0n);
  const fee = SIGNATURE_FEE_LAMPORTS * BigInt(signerCount) + priorityFee;
  insist(fee <= MAX_FEE_LAMPORTS, "The network fee is far higher than this needs.");
  return fee;
}
