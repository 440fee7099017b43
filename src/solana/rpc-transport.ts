import type { RpcTransport } from "@solana/kit";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import { ChainUnavailableError } from "./chain.ts";

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

const STATUS_TROUBLE: Readonly<Record<number, NodeTrouble>> = {
  402: "limited",
  429: "limited",
};

/** Node faults by error code. */
const CODE_TROUBLE: Readonly<Record<string, NodeTrouble>> = {
  "-32005": "behind",
  "-32011": "without_history",
  "-32014": "behind",
  "-32016": "behind",
  "-32019": "without_history",
  "-32429": "limited",
};

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
    if (answer.status !== 200) {
      const trouble = STATUS_TROUBLE[answer.status] ?? "unreachable";
      throw new ChainUnavailableError(`The node answered with status ${answer.status}.`, {
        trouble,
      });
    }
    const body = readAnswer(answer.body);
    const code = String(body.error?.code);
    const trouble = CODE_TROUBLE[code];
    if (trouble !== undefined) {
      throw new ChainUnavailableError(`The node answered with error ${code}.`, { trouble });
    }
    return body as never;
  };
}

function readAnswer(text: string): { readonly error?: { readonly code?: unknown } } {
  try {
    const body = parseAnswer(text);
    if (typeof body === "object" && body !== null && ("result" in body || "error" in body)) {
      return body as ReturnType<typeof readAnswer>;
    }
  } catch {
    // Handled below
  }
  throw new ChainUnavailableError("The node's answer cannot be read.", { trouble: "wrong_answer" });
}
