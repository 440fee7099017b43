import type { Address, Blockhash, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import {
  exchangeAccounts,
  oracleAddress,
  PRACTICE_MARKETS,
} from "../src/practice/programs/drift/drift-genesis.ts";
import type { AccountState } from "../src/practice/runtime/account-state.ts";
import { wrapVaultStep } from "../src/server/custody/plans/custody-plan.ts";
import type { Chain } from "../src/solana/chain.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../src/solana/programs/compute-budget.ts";
import { deriveMultisig, deriveVault } from "../src/solana/programs/squads.ts";
import {
  compileTransaction,
  TRANSACTION_SIZE_LIMIT,
  WALLET_ROOM,
} from "../src/solana/transaction.ts";
import { createDriftVenue } from "../src/venues/drift/drift-venue.ts";
import { priceUpdateLayout } from "../src/solana/programs/pyth-receiver.ts";
import { perpMarketLayout } from "../src/venues/drift/layout-perp-market.ts";
import { ORACLE_SOURCE, spotMarketLayout } from "../src/venues/drift/layout-spot-market.ts";
import { userStatsLayout } from "../src/venues/drift/layout-user-stats.ts";
import { type DriftUser, userLayout } from "../src/venues/drift/layout-user.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveUser,
  deriveUserStats,
} from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE, type DriftInstance } from "../src/venues/drift/instance.ts";
import type { PlanStep } from "../src/venues/plan-step.ts";
import type { Venue } from "../src/venues/ports.ts";
import { createTestClock } from "./clock.ts";

const key = (fill: number): Address => keypairFromSeed(new Uint8Array(32).fill(fill)).address;

const MARKET_COUNT = 8;
const QUOTE_ORACLE = key(200);
const clock = createTestClock();

/** Exchange as on mainnet: more markets than practice has, and an oracle for the quote token's price. */
const instance: DriftInstance = {
  ...DRIFT_V2_INSTANCE,
  perpMarketIndexes: Object.fromEntries(
    Array.from({ length: MARKET_COUNT }, (_, index) => [`M${index}-PERP`, index]),
  ),
};

const multisig = deriveMultisig(key(1)).address;
const account = {
  owner: key(2),
  multisig,
  vault: deriveVault(multisig).address,
  tradingKey: key(3),
  subAccountId: 0,
};
const user = deriveUser(instance, account.vault, 0);

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The practice exchange lacks an account");
  return value;
}

/** The exchange with eight markets and the user as given. */
function exchange(held: DriftUser | null): ReadonlyMap<Address, AccountState> {
  const accounts = new Map(exchangeAccounts(BigInt(clock.now()) / 1_000n));
  const [sol] = PRACTICE_MARKETS;
  const solMarket = present(accounts.get(derivePerpMarket(instance, 0)));
  const solOracle = present(accounts.get(oracleAddress(present(sol))));
  const price = { ...priceUpdateLayout.decode(solOracle.data), price: 155_000_000n, conf: 10_000n };
  for (let index = 0; index < MARKET_COUNT; index += 1) {
    const market = perpMarketLayout.decode(solMarket.data);
    const oracle = key(100 + index);
    accounts.set(derivePerpMarket(instance, index), {
      ...solMarket,
      data: perpMarketLayout.encode({
        ...market,
        marketIndex: index,
        amm: { ...market.amm, oracle },
      }),
    });
    accounts.set(oracle, { ...solOracle, data: priceUpdateLayout.encode(price) });
  }
  const quote = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  const quoteMarket = present(accounts.get(quote));
  accounts.set(quote, {
    ...quoteMarket,
    data: spotMarketLayout.encode({
      ...spotMarketLayout.decode(quoteMarket.data),
      oracle: QUOTE_ORACLE,
      oracleSource: ORACLE_SOURCE.pythPull,
    }),
  });
  accounts.set(QUOTE_ORACLE, { ...solOracle, data: priceUpdateLayout.encode(price) });
  if (held !== null) {
    accounts.set(user, { ...quoteMarket, data: userLayout.encode(held) });
    const stats = { ...userStatsLayout.zero(), authority: account.vault, numberOfSubAccounts: 1 };
    const data = userStatsLayout.encode(stats);
    accounts.set(deriveUserStats(instance, account.vault), { ...quoteMarket, data });
  }
  return accounts;
}

function venueWith(held: DriftUser | null): Venue {
  const accounts = exchange(held);
  const chain: Pick<Chain, "accounts" | "minimumBalance"> = {
    minimumBalance: async () => 2_039_280n,
    accounts: async (addresses) => ({
      slot: 1n,
      accounts: addresses.map((address) => {
        const found = accounts.get(address);
        return found === undefined ? null : { address, ...found };
      }),
    }),
  };
  return createDriftVenue({ chain: chain as Chain, instance, clock });
}

/** A user with a deposit and positions in that many markets, the last of them not settled. */
function holding(markets: number): DriftUser {
  const zero = userLayout.zero();
  return {
    ...zero,
    authority: account.vault,
    delegate: account.tradingKey,
    spotPositions: zero.spotPositions.map((slot, at) =>
      at === 0 ? { ...slot, scaledBalance: 900_000_000_000n } : slot,
    ),
    perpPositions: zero.perpPositions.map((slot, at) =>
      at < markets
        ? { ...slot, marketIndex: at, baseAssetAmount: 10_000_000n, quoteAssetAmount: -1_500_000n }
        : slot,
    ),
  };
}

const closed = (held: DriftUser): DriftUser => ({
  ...held,
  perpPositions: held.perpPositions.map((slot) => ({ ...slot, baseAssetAmount: 0n })),
});

type Plans = readonly (readonly [string, Venue, (venue: Venue) => Promise<readonly PlanStep[]>])[];

const plans: Plans = [
  ["set up", venueWith(null), (venue) => venue.planSetUp(account, "Agent ** SOL-PERP-1h 1234")],
  ["deposit", venueWith(holding(0)), async (venue) => [await venue.planDeposit(account, 5n)]],
  ["withdraw", venueWith(holding(0)), async (venue) => [await venue.planWithdraw(account, 5n)]],
  [
    "withdraw beside a position",
    venueWith(holding(1)),
    async (venue) => [await venue.planWithdraw(account, 5n)],
  ],
  [
    "withdraw beside positions in two markets",
    venueWith(holding(2)),
    async (venue) => [await venue.planWithdraw(account, 5n)],
  ],
  ["close", venueWith(holding(1)), async (venue) => [await venue.planClose(account)]],
  ["settle", venueWith(closed(holding(1))), async (venue) => [await venue.planSettle(account)]],
  ["rename", venueWith(holding(0)), async (venue) => [await venue.planRename!(account, "Other")]],
  ["revoke", venueWith(holding(0)), async (venue) => [await venue.planRevoke(account)]],
  ["empty", venueWith(holding(0)), (venue) => venue.planTearDown(account)],
  [
    "delete",
    venueWith({ ...userLayout.zero(), authority: account.vault }),
    (venue) => venue.planTearDown(account),
  ],
];

const TABLE = key(4);

/** Addresses of this agent alone, which are not in the shared table. */
const own = new Set<Address>([
  account.owner,
  account.vault,
  account.multisig,
  user,
  deriveUserStats(instance, account.vault),
  associatedTokenAddress(account.owner, instance.quote.mint),
  associatedTokenAddress(account.vault, instance.quote.mint),
]);

const addressesOf = (instructions: readonly Instruction[]): readonly Address[] =>
  instructions.flatMap(({ programAddress, accounts = [] }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);

/** Bytes left for a wallet where that is less than it may add; the deposit here opens the vault's token account too. */
const ROOM_LEFT: Readonly<Record<string, number>> = {
  "set up": 250,
  deposit: 249,
  withdraw: 256,
  "withdraw beside a position": 248,
  "withdraw beside positions in two markets": 240,
  empty: 248,
};

describe("the shared lookup table of an exchange as on mainnet", () => {
  it.each(plans)("contains all shared accounts of %s", async (_, venue, plan) => {
    const shared = await venue.sharedAddresses();
    const steps = await plan(venue);
    expect(steps.length).toBeGreaterThan(0);
    const named = steps.flatMap(({ before, asVault, after }) =>
      addressesOf([...before, ...asVault, ...after]),
    );
    expect(named.filter((address) => !own.has(address) && !shared.includes(address))).toEqual([]);
  });

  it.each(plans)("leaves room for a wallet's checks beside %s", async (name, venue, plan) => {
    const tables = { [TABLE]: await venue.sharedAddresses() };
    for (const step of await plan(venue)) {
      const { computeUnitLimit, instructions } = wrapVaultStep(step, account, 300n);
      const { length } = compileTransaction({
        feePayer: account.owner,
        lifetime: { blockhash: key(9) as string as Blockhash, lastValidBlockHeight: 1n },
        instructions: [
          setComputeUnitLimit(computeUnitLimit),
          setComputeUnitPrice(5_000n),
          ...instructions(tables),
        ],
        tables,
      });
      expect(length).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT - (ROOM_LEFT[name] ?? WALLET_ROOM));
    }
  });
});
