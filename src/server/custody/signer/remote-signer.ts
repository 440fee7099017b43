import type { Address } from "@solana/kit";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { type TradingKeySigner, SigningRefusedError } from "../account/trading-key-signer.ts";
import type { PublicKeys } from "../account/custody-keys.ts";
import type { AskedNodes } from "../../pacing/asked-nodes.ts";
import type { SignerAnswer, SignerCall } from "./signer-calls.ts";
import type { SignerPort } from "./signer-channel.ts";

/** The signer in another process: its public keys and its signatures. */
export interface RemoteSigner extends PublicKeys, Pick<TradingKeySigner, "sign"> {
  /** Asks the signer for something it knows by heart, and returns for how many milliseconds it has not answered. */
  beat(): number;
}

/** Maximum number of cached answers about keys, which never change. */
const MAX_KEPT = 10_000;

/** Timeout of an answer in milliseconds, longer than the signer's own reads of chain and database may take. */
const ANSWER_MS = 30_000;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A restarting signer is reported like an unavailable node, so that the caller retries. */
const isAway = () => new ChainUnavailableError("The signer is being started again");

const isSilent = () => new ChainUnavailableError("The signer did not answer in time");

function toError({
  kind,
  message,
  limitBps,
  untilMs,
}: Extract<SignerAnswer, { error: unknown }>["error"]): Error {
  if (kind === "unavailable") return new ChainUnavailableError(message);
  if (kind === "failed") return new Error(message);
  return new SigningRefusedError(message, { kind, limitBps, untilMs });
}

/**
 * Connects to the signer's process and resolves once it has answered.
 *
 * A call without an answer within `answerMs` fails as with an unavailable node; `onAsked` hears what the signer asked of
 * nodes. Whether the signer's process hangs is
 * judged by the main process alone.
 */
export async function openRemoteSigner(
  port: SignerPort,
  {
    answerMs = ANSWER_MS,
    onAsked,
  }: { readonly answerMs?: number; readonly onAsked?: (asked: AskedNodes) => void } = {},
): Promise<RemoteSigner> {
  const waiting = new Map<number, Waiting>();
  const kept = new Map<string, Promise<unknown>>();
  let count = 0;
  let isUp = false;
  let heardAtMs = performance.now();
  let firstUp = (): void => {};
  const started = new Promise<void>((resolve) => (firstUp = resolve));

  const call = <T>(asked: SignerCall): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (!isUp) return reject(isAway());
      const id = (count += 1);
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(isSilent());
      }, answerMs);
      const end =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          clearTimeout(timer);
          settle(value);
        };
      waiting.set(id, { resolve: end(resolve), reject: end(reject) });
      port.send({ id, call: asked });
    });

  const remember = <T>(asked: SignerCall): Promise<T> => {
    const key = JSON.stringify(asked);
    const known = kept.get(key);
    if (known !== undefined) return known as Promise<T>;
    const answer = call<T>(asked);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    return answer;
  };

  port.listen({
    up() {
      isUp = true;
      firstUp();
    },
    down() {
      isUp = false;
      for (const { reject } of waiting.values()) reject(isAway());
      waiting.clear();
    },
    answer(heard) {
      heardAtMs = performance.now();
      const asked = waiting.get(heard.id);
      waiting.delete(heard.id);
      if (heard.asked !== undefined) onAsked?.(heard.asked);
      if ("error" in heard) asked?.reject(toError(heard.error));
      else asked?.resolve(heard.value as never);
    },
  });
  await started;
  type Payers = { readonly feePayer: Address; readonly formerFeePayers: readonly Address[] };
  const askPayers = () => call<Payers>({ kind: "payers" });
  const payers = await askPayers();
  return {
    beat() {
      askPayers().catch(() => {});
      return performance.now() - heardAtMs;
    },
    feePayer: { address: payers.feePayer },
    formerFeePayers: payers.formerFeePayers.map((address) => ({ address })),
    of: (agentId) => remember({ kind: "of", agentId }),
    tradingKeyAt: (agentId, address) => remember({ kind: "tradingKeyAt", agentId, address }),
    isTradingKey: (agentId, address) => remember({ kind: "isTradingKey", agentId, address }),
    custodyOf: (agentId, createKey) => remember({ kind: "custodyOf", agentId, createKey }),
    coSign: (agentId, transaction) =>
      call({ kind: "coSign", agentId, transaction: Uint8Array.from(transaction) }),
    sign: ({ agentId, purpose, isUrgent, instructions, lifetime, tables = [] }) =>
      call({
        kind: "sign",
        agentId,
        purpose,
        isUrgent,
        instructions: instructions.map(({ programAddress, accounts = [], data = [] }) => ({
          programAddress,
          accounts: accounts.map(({ address, role }) => ({ address, role })),
          data: Uint8Array.from(data),
        })),
        lifetime,
        tables: [...tables],
      }),
  };
}
