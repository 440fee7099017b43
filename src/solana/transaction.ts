import {
  type Address,
  type Blockhash,
  type Instruction,
  appendTransactionMessageInstructions,
  compileTransaction as compileMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { LookupTables } from "./programs/squads-message.ts";

/** Most bytes a transaction may have on the wire: one IPv6 packet less headers. */
export const TRANSACTION_SIZE_LIMIT = 1232;

/** Most bytes of what a wallet signs on mainnet: Phantom appends Lighthouse assertions (docs.phantom.com, Lighthouse). */
export const WALLET_SIZE_BUDGET = 1030;

/** Compiles instructions into unsigned v0 wire bytes; required signatures are zeros. Size is not limited here. */
export function compileTransaction(draft: {
  readonly feePayer: Address;
  readonly lifetime: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
  readonly instructions: readonly Instruction[];
  readonly tables?: LookupTables;
}): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(draft.feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(draft.lifetime, paid),
    (timed) => appendTransactionMessageInstructions(draft.instructions, timed),
    (full) =>
      compressTransactionMessageUsingAddressLookupTables(
        full,
        mutableTables(draft.tables ?? {}) as never,
      ),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileMessage(message as never)));
}

function mutableTables(tables: LookupTables): Record<Address, Address[]> {
  return Object.fromEntries(
    Object.entries(tables).map(([table, addresses]) => [table, [...(addresses as Address[])]]),
  ) as Record<Address, Address[]>;
}
