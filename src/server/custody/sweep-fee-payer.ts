import type { Address } from "@solana/kit";
import type { Chain } from "../../solana/chain.ts";
import type { Keypair } from "../../solana/keys.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { SIGNATURE_FEE_LAMPORTS } from "./custody-limits.ts";
import { landTransaction } from "./land-transaction.ts";

/** Brings all SOL of a fee payer that no longer signs to the present one. Answers the lamports that arrived. */
export async function sweepFeePayer(
  surroundings: { readonly chain: Chain; readonly sleep: (ms: number) => Promise<unknown> },
  former: Keypair,
  to: Address,
): Promise<bigint> {
  const [account] = (await surroundings.chain.accounts([former.address])).accounts;
  const lamports = (account?.lamports ?? 0n) - SIGNATURE_FEE_LAMPORTS;
  if (lamports <= 0n) return 0n;
  await landTransaction(surroundings, former, [
    transferLamports({ from: former.address, to }, lamports),
  ]);
  return lamports;
}
