import type { Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type SignatureStatus,
  TransactionRefusedError,
} from "./chain.ts";
import { askSignature, type Lifetime } from "./settle-signature.ts";
import { signatureOf } from "./signing.ts";

/** Pause between two status checks of a transaction; each is followed by a resend. */
const RESEND_MS = 1_000;

/** Consecutive unanswered checks after which the outcome is unknown: one minute. */
const MOST_UNANSWERED = 60;

export interface LandingDeps {
  readonly chain: Chain;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export type Landing =
  | { readonly kind: "landed"; readonly signature: Signature; readonly status: SignatureStatus }
  | { readonly kind: "expired"; readonly signature: Signature };

/**
 * Sends signed wire bytes repeatedly until they landed or provably expired; they can take effect only once.
 *
 * Throws `TransactionRefusedError` when the first send fails in an instruction, before any broadcast, and
 * `ChainUnavailableError` when no node answers for a minute: the outcome is unknown then.
 */
export async function landSigned(
  deps: LandingDeps,
  transaction: Uint8Array,
  lifetime: Lifetime,
): Promise<Landing> {
  await sendFirst(deps.chain, transaction);
  return landSent(deps, transaction, lifetime);
}

/** Sends wire bytes for the first time. A missing or inconclusive answer is ignored: `landSent` continues. */
export async function sendFirst(chain: Chain, transaction: Uint8Array): Promise<void> {
  try {
    await chain.send(transaction);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return;
    if (!(error instanceof TransactionRefusedError) || error.error.kind === "instruction")
      throw error;
  }
}

/** Continues `landSigned` for bytes that were already sent once. */
export async function landSent(
  { chain, sleep }: LandingDeps,
  transaction: Uint8Array,
  { lastValidBlockHeight, blockhashSlot }: Lifetime,
): Promise<Landing> {
  const signature = signatureOf(transaction);
  let unanswered = 0;
  for (;;) {
    try {
      const answer = await askSignature(chain, { signature, lastValidBlockHeight, blockhashSlot });
      if (answer.kind === "landed") return { ...answer, signature };
      if (answer.kind === "expired") return { kind: "expired", signature };
      unanswered = 0;
      await sleep(RESEND_MS);
      await sendAgain(chain, transaction);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      unanswered += 1;
      if (unanswered === MOST_UNANSWERED) throw error;
      await sleep(RESEND_MS);
    }
  }
}

/** Sends wire bytes once more: a refusal proves nothing about an earlier send, only the signature's status does. */
export async function sendAgain(chain: Chain, transaction: Uint8Array): Promise<void> {
  try {
    await chain.send(transaction);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
}
