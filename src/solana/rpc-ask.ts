import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__INVALID_REQUEST,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaError,
} from "@solana/kit";
import {
  ChainUnavailableError,
  TransactionRefusedError,
  UnreadableTransactionError,
  type TransactionError,
} from "./chain.ts";
import {
  type TransactionErrorName,
  instructionErrorOfCode,
  readInstructionError,
  readTransactionError,
  transactionErrorOfCode,
} from "./transaction-errors.ts";

/** Throws when a node's answer is impossible; no part of it is used. */
export function requireAnswer(isPossible: boolean, what: string): asserts isPossible {
  if (!isPossible) {
    throw new ChainUnavailableError(`The node's answer is impossible: ${what}.`, {
      trouble: "wrong_answer",
    });
  }
}

/** Returns whether a value is an unsigned 64-bit integer, as amounts, slots and heights are. */
export const isU64 = (value: unknown): value is bigint =>
  typeof value === "bigint" && value >= 0n && value < 1n << 64n;

/** Returns the node's refusal of a transaction before its execution, or `null` for any other failure. */
export function refusalOf(error: unknown): TransactionRefusedError | null {
  const whole = (name: TransactionErrorName) =>
    new TransactionRefusedError({ kind: "transaction", name }, []);
  if (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)
  ) {
    const reason = transactionErrorFromRpc(error.cause ?? null);
    return reason && new TransactionRefusedError(reason, error.context.logs ?? []);
  }
  if (
    isSolanaError(
      error,
      SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
    )
  ) {
    return whole("SignatureFailure");
  }
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)) {
    const isTooLarge = error.context.__serverMessage.includes("too large");
    return whole(isTooLarge ? "TransactionTooLarge" : "SanitizeFailure");
  }
  return null;
}

/** Returns whether an error is a node's refusal to list accounts: unsupported, too expensive or disabled. */
export function isRefusedQuestion(error: unknown): boolean {
  const cause = error instanceof ChainUnavailableError ? error.cause : error;
  return (
    isSolanaError(cause) &&
    (isSolanaError(cause, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
      isSolanaError(cause, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
      isSolanaError(cause, SOLANA_ERROR__JSON_RPC__INVALID_REQUEST) ||
      isSolanaError(
        cause,
        SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX,
      ) ||
      (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
        [403, 405, 410].includes(cause.context.statusCode)))
  );
}

/** Runs the call and converts every foreign failure into `ChainUnavailableError`. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    if (
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
    ) {
      throw new UnreadableTransactionError("The transaction's version is not known here.");
    }
    // An invalid request is our own fault, not the node's
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)) throw error;
    throw new ChainUnavailableError("The node answered with an error.", {
      cause: error,
      trouble: isSolanaError(error) ? "unreachable" : "wrong_answer",
    });
  }
}

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
