import { AccountRole, type Address, type Signature } from "@solana/kit";
import type { PracticeChain } from "../src/practice/practice-chain.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";

/** A stranger names an address in this many transactions that do nothing to it; returns their signatures. */
export async function touchOften(
  chain: PracticeChain,
  address: Address,
  times: number,
): Promise<readonly Signature[]> {
  const stranger = keypairFromSeed(new Uint8Array(32).fill(77));
  const from = stranger.address;
  await chain.fund(from, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const sent: Signature[] = [];
  for (let count = 1; count <= times; count += 1) {
    const transfer = transferLamports({ from, to: from }, BigInt(count));
    const accounts = [...(transfer.accounts ?? []), { address, role: AccountRole.READONLY }];
    const message = compileTransaction({
      feePayer: from,
      lifetime: await chain.latestBlockhash(),
      instructions: [{ ...transfer, accounts }],
    });
    sent.push(await chain.send(signTransaction(message, stranger)));
  }
  return sent;
}
