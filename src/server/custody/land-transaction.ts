import type { Instruction } from "@solana/kit";
import type { Chain } from "../../solana/chain.ts";
import type { Keypair } from "../../solana/keys.ts";
import { askSignature } from "../../solana/settle-signature.ts";
import { signTransaction } from "../../solana/signing.ts";
import { OperationError } from "./operation-error.ts";
import { compileTransaction } from "../../solana/transaction.ts";

/** How often the chain is asked what became of it. */
const POLL_MS = 500;

/**
 * Sends what one of the platform's own keys pays and signs for, and waits until it is confirmed.
 *
 * Throws when it failed or expired; `TransactionRefusedError` and `ChainUnavailableError` as the chain throws them.
 */
export async function landTransaction(
  surroundings: { readonly chain: Chain; readonly sleep: (ms: number) => Promise<unknown> },
  payer: Keypair,
  instructions: readonly Instruction[],
): Promise<void> {
  const { chain, sleep } = surroundings;
  const lifetime = await chain.latestBlockhash();
  const draft = compileTransaction({ feePayer: payer.address, lifetime, instructions });
  const signature = await chain.send(signTransaction(draft, payer));
  const { lastValidBlockHeight, slot: blockhashSlot } = lifetime;
  const sent = { signature, lastValidBlockHeight, blockhashSlot };
  for (;;) {
    const answer = await askSignature(chain, sent);
    if (answer.kind === "landed") {
      if (answer.status.error === null) return;
      throw new OperationError(`Transaction ${signature} failed: ${answer.status.error.name}.`);
    }
    if (answer.kind === "expired") {
      throw new OperationError(`Transaction ${signature} expired without landing.`);
    }
    await sleep(POLL_MS);
  }
}
