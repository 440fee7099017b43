import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import type { VenueAccount } from "../venue.ts";
import type { VenueCustody } from "../ports.ts";
import { deletableAt } from "./deletion-age.ts";
import { stateLayout } from "./layout-state.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { userLayout } from "./layout-user.ts";
import { readOwned, requireOwned } from "./owned-account.ts";
import { deriveState, deriveUser, deriveUserStats } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";

/**
 * Reads custody facts of an agent's exchange account: its trading key, its rent, and whether it is old enough for
 * deletion.
 */
export async function readDriftCustody(
  {
    chain,
    instance,
    clock,
  }: {
    readonly chain: Chain;
    readonly instance: DriftInstance;
    readonly clock: Clock;
  },
  account: VenueAccount,
): Promise<VenueCustody> {
  const address = deriveUser(instance, account.vault, account.subAccountId);
  const { accounts } = await chain.accounts([
    address,
    deriveState(instance),
    deriveUserStats(instance, account.vault),
  ]);
  const [held, state, stats] = accounts;
  const user = readOwned(instance, userLayout, held);
  if (held == null || user === null) {
    return {
      account: null,
      tradingKey: null,
      heldLamports: 0n,
      deletableAtMs: null,
      ...(stats == null ? {} : { unrecoverableLamports: stats.lamports }),
    };
  }
  return {
    account: address,
    tradingKey: user.delegate === SYSTEM_PROGRAM ? null : user.delegate,
    heldLamports: held.lamports,
    ...(stats == null ? {} : { unrecoverableLamports: stats.lamports }),
    deletableAtMs: deletableAt(
      requireOwned(instance, stateLayout, state),
      requireOwned(instance, userStatsLayout, stats),
      user,
      clock.now(),
    ),
  };
}
