import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";

/** Records a use of the faucet unless the wallet used it `limit` times since a time. Returns whether it is allowed. */
export async function recordFaucetUse(
  db: Db,
  use: {
    readonly wallet: OwnerAddress;
    readonly at: Date;
    readonly since: Date;
    readonly limit: number;
  },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await on(tx).lock(`faucet_used:${use.wallet}`);
    const { uses } = await on(tx).only<{ uses: string }>`
      select count(*) as uses from faucet_uses where wallet = ${use.wallet} and at > ${use.since}`;
    if (BigInt(uses) >= BigInt(use.limit)) return false;
    await on(tx).change`insert into faucet_uses (wallet, at) values (${use.wallet}, ${use.at})`;
    return true;
  });
}

/** Deletes uses from before a time, which no longer count. */
export const deleteOldFaucetUses = deletesBefore("faucet_uses", "seq", "at");
