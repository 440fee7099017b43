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
} from "@solana/kit";
import {
  ChainUnavailableError,
  TransactionRefusedError,
  UnreadableTransactionError,
} from "./chain.ts";
import { transactionErrorFromRpc } from "./rpc-error.ts";
import type { TransactionErrorName } from "./transaction-errors.ts";

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
