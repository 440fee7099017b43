import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__INVALID_REQUEST,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  type RpcTransport,
  type SolanaError,
} from "@solana/kit";
import type { NodeTrouble } from "../domain/agent-health.ts";
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

/** Posts JSON over HTTP. Rejects when no complete answer within the size limit arrives in time. */
export type Post = (
  url: string,
  body: string,
  limits: { readonly timeoutMs: number; readonly maxBytes: number },
) => Promise<{ readonly status: number; readonly body: string }>;

/** Longest wait for one answer of a node, milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Largest answer accepted, in bytes: ten times a hundred accounts of the largest kind we read. */
const MAX_ANSWER_BYTES = 32_000_000;

/** Node faults by HTTP status, or by an error code that providers made of one. */
const TROUBLES: Readonly<Record<string, NodeTrouble>> = {
  401: "refused",
  402: "limited",
  403: "refused",
  413: "limited",
  429: "limited",
  "-32005": "behind",
  "-32011": "without_history",
  "-32014": "behind",
  "-32016": "behind",
  "-32019": "without_history",
  "-32401": "refused",
  "-32403": "refused",
  "-32429": "limited",
};

/** How providers say in words, under codes that mean something else elsewhere, that their rate is used up. */
const RATE_WORDS = /rate.?limit|request limit|limit exceeded|too many requests|quota|throttl/i;

/** Codes of errors about the call itself, whose words may hold anything. */
const ABOUT_THE_CALL: readonly string[] = ["-32002", "-32602"];

/** JSON-RPC errors as which a status of one call is read: too many accounts for a plan, a listing that is switched off. */
const CALL_STATUS: Readonly<Record<string, number>> = {
  "getMultipleAccounts 413": -32_602,
  "getProgramAccounts 403": -32_601,
  "getProgramAccounts 405": -32_601,
  "getProgramAccounts 410": -32_601,
};

/** What a node answers; `error` where it refuses. */
interface NodeAnswer {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** Returns the node's fault that an error tells; undefined where the error is about what was asked. */
function troubleOf({ code, message }: NonNullable<NodeAnswer["error"]>): NodeTrouble | undefined {
  const name = String(code);
  const isRate = RATE_WORDS.test(String(message)) && !ABOUT_THE_CALL.includes(name);
  return isRate ? "limited" : TROUBLES[name];
}

const INTEGER = /^-?\d+$/;

/** `JSON.parse` whose reviver also gets the text of a number, which the types do not know yet. */
const parseWithText = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, at: { readonly source?: string }) => unknown,
) => unknown;

/** Parses JSON with integers as bigints: amounts exceed a number's safe range. */
const parseAnswer = (text: string): unknown =>
  parseWithText(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && INTEGER.test(source)
      ? BigInt(source)
      : value,
  );

const writeRequest = (payload: unknown): string =>
  JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === "bigint" ? `#integer:${value}` : value,
  ).replaceAll(/"#integer:(-?\d+)"/g, "$1");

/**
 * Returns the transport to one node.
 *
 * Throws `ChainUnavailableError` with the node's fault but without its address, because addresses contain keys.
 */
export function createNodeTransport(url: string, post: Post): RpcTransport {
  const limits = { timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
  return async function transport({ payload }) {
    const answer = await post(url, writeRequest(payload), limits).catch(() => {
      throw new ChainUnavailableError("The node did not answer.", { trouble: "unreachable" });
    });
    const { status } = answer;
    if (status !== 200) {
      const code = CALL_STATUS[`${(payload as { readonly method: string }).method} ${status}`];
      if (code !== undefined) return { error: { code, message: `Status ${status}` } } as never;
      const trouble = TROUBLES[status] ?? "unreachable";
      throw new ChainUnavailableError(`The node answered with status ${status}.`, { trouble });
    }
    const body = readAnswer(answer.body);
    const trouble = body.error && troubleOf(body.error);
    if (trouble !== undefined) {
      const code = String(body.error?.code);
      throw new ChainUnavailableError(`The node answered with error ${code}.`, { trouble });
    }
    return body as never;
  };
}

function readAnswer(text: string): NodeAnswer {
  try {
    const body = parseAnswer(text);
    if (typeof body === "object" && body !== null && ("result" in body || "error" in body)) {
      return body as NodeAnswer;
    }
  } catch {
    // Handled below
  }
  throw new ChainUnavailableError("The node's answer cannot be read.", { trouble: "wrong_answer" });
}

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

const causeOf = (error: unknown) => (error instanceof ChainUnavailableError ? error.cause : error);

/** Returns whether a node refused a call for what was asked with it. */
export const isInvalidCall = (error: unknown): boolean =>
  isSolanaError(causeOf(error), SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);

/** The node's plan reads fewer accounts in one call. */
export class TooManyAccountsError extends ChainUnavailableError {
  constructor() {
    super("The node does not read that many accounts in one call.", { trouble: "limited" });
  }
}

/** Returns whether an error is a node's refusal to list accounts: unsupported, too expensive or disabled. */
export function isRefusedQuestion(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    isInvalidCall(cause) ||
    isSolanaError(cause, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(cause, SOLANA_ERROR__JSON_RPC__INVALID_REQUEST) ||
    isSolanaError(cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX)
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
    if (isInvalidCall(error)) {
      throw new ChainUnavailableError("The node does not answer this call.", { cause: error });
    }
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
