import type { Address } from "@solana/kit";
import { genesisAccount } from "../../src/practice/genesis.ts";
import { encodeUserName } from "../../src/venues/drift/instructions.ts";
import { userStatsLayout } from "../../src/venues/drift/layout-user-stats.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import { deriveUser, deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { ChainBench } from "../chain-bench.ts";
import { tradingKey, owner } from "../squads-bench.ts";

/** Scaled balances have nine decimals. */
const SCALED_DOLLAR = 1_000_000_000n;

/** Puts an account with a deposit and a trading key on the chain, as its opening and a deposit would leave it. */
export async function putTrader(
  bench: ChainBench,
  dollars: bigint,
  authority: Address = owner.address,
): Promise<void> {
  const { slot, unixTime } = await bench.time();
  const zero = userLayout.zero();
  const [quote, ...others] = zero.spotPositions;
  if (quote === undefined) throw new Error("An account without a place for its deposit");
  const user = userLayout.encode({
    ...zero,
    authority,
    delegate: tradingKey.address,
    name: encodeUserName("Agent"),
    nextOrderId: 1,
    nextLiquidationId: 1,
    lastActiveSlot: slot,
    totalDeposits: dollars * 1_000_000n,
    spotPositions: [
      {
        ...quote,
        scaledBalance: dollars * SCALED_DOLLAR,
        cumulativeDeposits: dollars * 1_000_000n,
      },
      ...others,
    ],
  });
  const stats = userStatsLayout.encode({
    ...userStatsLayout.zero(),
    authority,
    numberOfSubAccounts: 1,
    numberOfSubAccountsCreated: 1,
    lastMakerVolume30dTs: unixTime,
    lastTakerVolume30dTs: unixTime,
    lastFillerVolume30dTs: unixTime,
  });
  await bench.give(tradingKey.address, 1_000_000_000n);
  await bench.put(deriveUser(IDS, authority, 0), genesisAccount(IDS.programId, user));
  await bench.put(deriveUserStats(IDS, authority), genesisAccount(IDS.programId, stats));
}
