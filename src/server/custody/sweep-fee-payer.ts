import type { Address } from "@solana/kit";
import type { Keypair } from "../../solana/encoding/keys.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { SIGNATURE_FEE_LAMPORTS } from "./account/custody-limits.ts";
import { landTransaction, type OperationDeps } from "./land-transaction.ts";

/** Transfers all SOL of a retired fee payer to the present one. Returns the lamports that arrived. */
export async function sweepFeePayer(
  deps: OperationDeps,
  former: Keypair,
  to: Address,
): Promise<bigint> {
  const [account] = (await deps.chain.accounts([former.address])).accounts;
  const held = account?.lamports ?? 0n;
  if (held <= SIGNATURE_FEE_LAMPORTS) return 0n;
  let lamports = 0n;
  await landTransaction(deps, former, `Emptying the fee payer ${former.address}`, (fee) => {
    lamports = held > fee ? held - fee : 0n;
    return [transferLamports({ from: former.address, to }, lamports)];
  });
  return lamports;
}
