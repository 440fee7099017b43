import { isSolanaError, type SolanaError } from "@solana/kit";
import type { TransactionError } from "./chain.ts";
import {
  instructionErrorOfCode,
  readInstructionError,
  readTransactionError,
  transactionErrorOfCode,
} from "./transaction-errors.ts";

/**
 * Converts a node's error to our type, null for none.
 *
 * Nodes answer `"BlockhashNotFound"`, `{InstructionError: [3, {Custom: 6003}]}` or `{InstructionError: [1, "Name"]}`;
 * Kit converts some of them to numbered errors, sometimes as the cause of another error.
 */
export function transactionErrorFromRpc(err: unknown): TransactionError | null {
  if (err === null || err === undefined) return null;
  if (isSolanaError(err)) return fromKit(err) ?? { kind: "transaction", name: "Unknown" };
  if (typeof err === "string") return { kind: "transaction", name: readTransactionError(err) };
  const [name = "", detail] = Object.entries(err)[0] ?? [];
  if (name !== "InstructionError" || !Array.isArray(detail)) {
    return { kind: "transaction", name: readTransactionError(name) };
  }
  const [position, reason] = detail as [unknown, unknown];
  const instructionIndex = Number.parseInt(String(position), 10);
  if (typeof reason === "string") {
    return { kind: "instruction", name: readInstructionError(reason), instructionIndex };
  }
  const [word = "", value] = Object.entries((reason ?? {}) as Record<string, unknown>)[0] ?? [];
  const failed = {
    kind: "instruction",
    name: readInstructionError(word),
    instructionIndex,
  } as const;
  return failed.name === "Custom"
    ? { ...failed, code: Number.parseInt(String(value), 10) }
    : failed;
}

function fromKit(error: SolanaError): TransactionError | null {
  const { __code, index, code } = error.context as {
    readonly __code: number;
    readonly index?: unknown;
    readonly code?: unknown;
  };
  const instruction = instructionErrorOfCode(__code);
  if (instruction !== undefined) {
    return {
      kind: "instruction",
      name: instruction,
      ...(typeof index === "number" ? { instructionIndex: index } : {}),
      ...(typeof code === "number" ? { code } : {}),
    };
  }
  const transaction = transactionErrorOfCode(__code);
  if (transaction !== undefined) return { kind: "transaction", name: transaction };
  return isSolanaError(error.cause) ? fromKit(error.cause) : null;
}
