import type { Instruction } from "@solana/kit";
import type { Chain } from "../../solana/chain.ts";
import type { Keypair } from "../../solana/keys.ts";
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
  for (;;) {
    const height = await chain.blockHeight("finalized");
    const [status] = (await chain.signatureStatuses([signature])).statuses;
    if (status != null && status.commitment !== "processed") {
      if (status.error === null) return;
      throw new OperationError(`Transaction ${signature} failed: ${status.error.name}.`);
    }
    if (height > lifetime.lastValidBlockHeight) {
      throw new OperationError(`Transaction ${signature} expired without landing.`);
    }
    await sleep(POLL_MS);
  }
}
