import { expect } from "vitest";
import type { ProtectiveExit } from "../../src/domain/plan/demand.ts";
import type { Blockhash } from "@solana/kit";
import type { TransactionOutcome } from "../../src/solana/chain.ts";
import { signer } from "../../src/solana/encoding/instruction.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "../../src/solana/transaction.ts";
import {
  accountsOf,
  ownMarginRatio,
  updateUserCustomMarginRatio,
} from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { WantedProtective } from "../../src/venues/placed-order.ts";
import { keeperFill, keeperTrigger } from "../twin/keeper.ts";
import { putTrader } from "../twin/traders.ts";
import { owner, stranger, tradingKey } from "../squads-bench.ts";
import {
  DOLLAR,
  type DriftCase,
  type ExchangeBench,
  readUser,
  SOL_BASE,
  START_PRICE,
  withAccount,
} from "./case.ts";
import { leftOver } from "./resting-orders.ts";
import { openVenue, ownAccount } from "./venue-bench.ts";
import { liquidationPriceOf } from "../../src/domain/plan/size.ts";

const LIMIT_BPS = 500;
const STOP_PRICE = START_PRICE - 5n * DOLLAR;

const exit = (
  key: ProtectiveExit["key"],
  triggerPrice: bigint,
  baseSize: bigint,
): ProtectiveExit => ({
  key,
  reason: key === "stop" ? "stop" : "target",
  side: "short",
  triggerPrice,
  triggersWhen: key === "stop" ? "below" : "above",
  baseSize,
});

const wanted = (...exits: readonly ProtectiveExit[]): WantedProtective => ({
  marketId: "SOL-PERP",
  exits,
  limitBps: LIMIT_BPS,
});

const STOP = exit("stop", STOP_PRICE, SOL_BASE);
const TARGET = exit("target-1", START_PRICE + 6n * DOLLAR, SOL_BASE / 2n);

/** A stop and four targets, as many as a plan has. */
const five = (moved: bigint): readonly ProtectiveExit[] => [
  exit("stop", STOP_PRICE + moved, SOL_BASE),
  ...([1, 2, 3, 4] as const).map((at) =>
    exit(`target-${at}`, START_PRICE + BigInt(at) * DOLLAR + moved, SOL_BASE / 4n),
  ),
];

/** Opens the venue with calls on its protective orders. */
async function openProtected(bench: ExchangeBench, leverage = 1) {
  await withAccount(bench);
  const opened = await openVenue(bench, { ...ownAccount, leverage });
  const { account, venue, land } = opened;
  const { protectiveOrders, buildProtective, protectiveActs } = venue;
  if (
    protectiveOrders === undefined ||
    buildProtective === undefined ||
    protectiveActs === undefined
  ) {
    throw new Error("The exchange keeps protective orders");
  }
  const resting = () => protectiveOrders(account);
  return {
    ...opened,
    resting,
    keys: async () => (await resting()).map(({ key }) => key),
    acts: (outcome: TransactionOutcome) => protectiveActs(account, outcome),
    buildEntry: opened.build,
    build: (exits: WantedProtective) => buildProtective(account, exits),
    /** Makes the protective orders these. */
    async protect(exits: WantedProtective): Promise<TransactionOutcome> {
      const built = await buildProtective(account, exits);
      if (built === null) throw new Error("They are these already");
      const outcome = await land(built.instructions);
      expect(outcome.error).toBeNull();
      return outcome;
    },
  };
}

/** 1,000 dollars at 155 times the leverage, less the reserve, and what part of the account that is. */
const LEVERED_ENTRIES = [
  { leverage: 3, baseSize: 19_230_000_000n, percent: 298 },
  { leverage: 5, baseSize: 32_050_000_000n, percent: 497 },
];

/** Cases of protective orders as the venue places, reads and reports them. */
export const PROTECTIVE_CASES: readonly DriftCase[] = [
  {
    name: "the venue makes protective orders the wanted ones, and then has nothing to do",
    async run(bench) {
      const { account, venue, trade, protect, build, resting, keys, acts } =
        await openProtected(bench);
      await trade({ side: "long" });
      const placed = await protect(wanted(STOP, TARGET));
      expect(acts(placed).map((act) => (act.kind === "placed" ? act.key : act.kind))).toEqual([
        "stop",
        "target-1",
      ]);
      expect(await build(wanted(STOP, TARGET))).toBeNull();
      expect(await resting()).toMatchObject([
        {
          key: "stop",
          side: "short",
          triggerPrice: STOP_PRICE,
          triggersWhen: "below",
          limitPrice: (STOP_PRICE * 95n) / 100n,
          baseSize: SOL_BASE,
          isOurs: true,
          isTriggered: false,
        },
        { key: "target-1", triggersWhen: "above", baseSize: SOL_BASE / 2n },
      ]);
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
      const moved = exit("stop", STOP_PRICE + DOLLAR, SOL_BASE);
      const changed = await protect(wanted(moved));
      expect(acts(changed).map(({ kind }) => kind)).toEqual(["cancelled", "cancelled", "placed"]);
      expect(await resting()).toMatchObject([{ key: "stop", triggerPrice: STOP_PRICE + DOLLAR }]);
      await protect(wanted());
      expect(await keys()).toEqual([]);
    },
  },
  {
    name: "an exit smaller than one step has no protective order",
    async run(bench) {
      const { trade, build } = await openProtected(bench);
      await trade({ side: "long" });
      expect(await build(wanted(exit("stop", STOP_PRICE, 9_999_999n)))).toBeNull();
    },
  },
  {
    name: "an entry brings its protective orders, grows beside them, and is reported as itself",
    async run(bench) {
      const { trade, base, keys, resting } = await openProtected(bench);
      const first = await trade({ side: "long", protective: wanted(STOP, TARGET) });
      expect(first).toMatchObject({ kind: "filled", fills: [{ baseSize: SOL_BASE }] });
      expect(await keys()).toEqual(["stop", "target-1"]);
      const larger = wanted(exit("stop", STOP_PRICE, 2n * SOL_BASE), TARGET);
      expect(await trade({ side: "long", protective: larger })).toMatchObject({ kind: "filled" });
      expect(await base()).toBe(2n * SOL_BASE);
      expect(await resting()).toMatchObject([{ baseSize: 2n * SOL_BASE }, { key: "target-1" }]);
      expect(await trade({ side: "long" })).toMatchObject({ kind: "filled" });
      expect(await keys()).toEqual(["stop", "target-1"]);
    },
  },
  {
    name: "an entry that places or changes five protective orders fits into one transaction",
    async run(bench) {
      const { buildEntry, land, resting } = await openProtected(bench);
      const blockhash = tradingKey.address as string as Blockhash;
      const lifetime = { blockhash, lastValidBlockHeight: 1n };
      const bytes = async (moved: bigint): Promise<number> => {
        const { instructions } = await buildEntry({
          side: "long",
          protective: wanted(...five(moved)),
        });
        expect((await land(instructions)).error).toBeNull();
        expect(await resting()).toHaveLength(5);
        return compileTransaction({ feePayer: tradingKey.address, lifetime, instructions }).length;
      };
      const [placed, changed] = [await bytes(0n), await bytes(DOLLAR)];
      expect({ placed, changed }).toEqual({ placed: 748, changed: 763 });
      expect(changed).toBeLessThan(TRANSACTION_SIZE_LIMIT);
    },
  },
  {
    name: "a close leaves the protective orders wanted, or all of them, to be cancelled once it has filled",
    async run(bench) {
      const { trade, base, resting, keys, protect } = await openProtected(bench);
      await trade({ side: "long", baseSize: 2n * SOL_BASE, protective: wanted(STOP, TARGET) });
      const part = { side: "short", reduceOnly: true } as const;
      await trade({ ...part, protective: wanted(STOP) });
      expect(await base()).toBe(SOL_BASE);
      expect(await resting()).toMatchObject([{ key: "stop", baseSize: SOL_BASE }]);
      await trade(part);
      expect(await base()).toBe(0n);
      expect(await keys()).toEqual(["stop"]);
      await protect(wanted());
      expect(await keys()).toEqual([]);
    },
  },
  {
    name: "a triggered stop is cancelled before it expires once the price has passed its limit",
    async run(bench) {
      const { account, venue, trade, land, pass, protect, resting, base } =
        await openProtected(bench);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      await trade({ side: "long" });
      await protect(wanted(STOP));
      const { venueOrderId = "", limitPrice = 0n } = (await resting())[0] ?? {};
      const order = { venueOrderId, marketId: "SOL-PERP", baseSize: SOL_BASE, placedSlot: 0n };
      const follow = () =>
        venue.followOrder?.(account, { ...order, expiresAtMs: Number.MAX_SAFE_INTEGER });
      await pass(1, STOP_PRICE - 100n);
      expect((await land([keeperTrigger(Number(venueOrderId))], stranger)).error).toBeNull();
      expect(await follow()).toMatchObject({ kind: "alive" });
      await pass(1, limitPrice - 100n);
      const progress = await follow();
      if (progress?.kind !== "cancellable") throw new Error(`It is ${progress?.kind}`);
      expect((await land(progress.transaction.instructions)).error).toBeNull();
      expect(await resting()).toEqual([]);
      expect(await base()).toBe(SOL_BASE);
    },
  },
  {
    name: "an exit of a part cancels what others left, and a stop it leaves is cut to what is held",
    async run(bench) {
      const { trade, land, base, resting, pass } = await openProtected(bench);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      const whole = exit("stop", STOP_PRICE, 2n * SOL_BASE);
      await trade({ side: "long", baseSize: 2n * SOL_BASE, protective: wanted(whole) });
      const [before] = await resting();
      expect((await land([leftOver()])).error).toBeNull();
      await trade({ side: "short", reduceOnly: true, heldBase: 2n * SOL_BASE });
      expect(await base()).toBe(SOL_BASE);
      expect(await resting()).toEqual([before]);
      expect(await readUser(bench)).toMatchObject({ openOrders: 1 });
      await pass(1, STOP_PRICE - 100n);
      const orderId = Number(before?.venueOrderId);
      expect((await land([keeperTrigger(orderId)], stranger)).error).toBeNull();
      await pass(200, STOP_PRICE - 100n);
      expect((await land([keeperFill(orderId)], stranger)).error).toBeNull();
      expect(await base()).toBe(0n);
      expect(await resting()).toEqual([]);
    },
  },
  {
    name: "an entry cancels protective orders of a position that is gone, and waits for one that fills",
    async run(bench) {
      const {
        account,
        venue,
        trade,
        land,
        protect,
        pass,
        keys,
        build: _,
        ...rest
      } = await openProtected(bench);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      await protect(wanted(STOP, TARGET));
      expect(await trade({ side: "long" })).toMatchObject({ kind: "filled" });
      expect(await keys()).toEqual([]);
      const protectedAgain = await protect(wanted(STOP));
      const [stop] = rest.acts(protectedAgain);
      const orderId = Number(stop?.venueOrderId);
      await pass(1, STOP_PRICE - 100n);
      expect((await land([keeperTrigger(orderId)], stranger)).error).toBeNull();
      await expect(trade({ side: "long", price: STOP_PRICE })).rejects.toThrow("order_alive");
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
    },
  },
  {
    name: "a stop that a keeper triggers and fills is in the book, and is no activity of a stranger",
    async run(bench) {
      const { account, venue, trade, land, pass, acts, resting, base } = await openProtected(bench);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      await trade({ side: "long", protective: wanted(STOP) });
      const [stop] = await resting();
      const venueOrderId = stop?.venueOrderId;
      await pass(1, STOP_PRICE - 100n);
      const triggered = await land([keeperTrigger(Number(venueOrderId))], stranger);
      expect(acts(triggered)).toEqual([{ kind: "triggered", venueOrderId, fee: 10_000n }]);
      expect(await resting()).toMatchObject([{ key: "stop", isTriggered: true }]);
      const fees = (outcome: TransactionOutcome) =>
        venue.bookTransaction(account, outcome).filter(({ kind }) => kind === "fee");
      expect(fees(triggered)).toMatchObject([{ amount: -10_000n }]);
      await pass(200, STOP_PRICE - 100n);
      const filled = await land([keeperFill(Number(venueOrderId))], stranger);
      expect(acts(filled)).toMatchObject([
        { kind: "filled", venueOrderId, fill: { baseSize: SOL_BASE } },
      ]);
      for (const outcome of [triggered, filled]) {
        expect(venue.classifyExternal?.(account, outcome)).toMatchObject({ kind: "upkeep" });
      }
      expect(await base()).toBe(0n);
      expect(await resting()).toEqual([]);
    },
  },
  ...LEVERED_ENTRIES.map(({ leverage, baseSize, percent }) => ({
    name: `an account takes ${leverage} times its money once its owner allows that leverage, and a stop closes it`,
    async run(bench: ExchangeBench) {
      const { account, venue, trade, land, pass, protect, resting, base } = await openProtected(
        bench,
        leverage,
      );
      const twice = updateUserCustomMarginRatio(IDS, accountsOf(account), ownMarginRatio(1));
      expect((await land([twice], owner)).error).toBeNull();
      expect(await venue.accountState(account)).toMatchObject({ leverage: 1 });
      const entry = { side: "long", baseSize } as const;
      expect(await trade(entry)).toMatchObject({ kind: "rejected" });

      const plan = () => venue.planLeverage?.(account) ?? [];
      const [step] = await plan();
      const byKey = (step?.asVault ?? []).map(({ accounts = [], ...rest }) => ({
        ...rest,
        accounts: [accounts[0], signer(tradingKey.address)].flatMap((meta) => meta ?? []),
      }));
      // The trading key cannot do it: the account is not one of its own
      expect((await land(byKey)).error).toMatchObject({ code: 2_006 });
      expect((await land(step?.asVault ?? [], owner)).error).toBeNull();
      const [effect] = step?.expects ?? [];
      if (effect?.kind !== "bytes_at") throw new Error("The step expects no bytes");
      const { data } = (await bench.account(effect.address)) ?? { data: new Uint8Array() };
      const written = data.subarray(effect.offset, effect.offset + effect.hex.length / 2);
      expect(Buffer.from(written).toString("hex")).toBe(effect.hex);
      expect(await plan()).toEqual([]);

      expect(await trade(entry)).toMatchObject({ kind: "filled" });
      const state = await venue.accountState(account);
      expect(state).toMatchObject({ leverage, positions: [{ baseSize }] });
      // The exchange agrees to half a percent with what the form shows for that part of the account
      const { entryPrice = 0n, liquidationPrice } = state.positions[0] ?? {};
      const expected = liquidationPriceOf("long", entryPrice, percent, 100_000) ?? 0n;
      const apart = Number((liquidationPrice ?? 0n) - expected) / Number(expected);
      expect(Math.abs(apart)).toBeLessThan(0.005);
      // As much again is beyond what the account is set to
      expect(await trade(entry)).toMatchObject({ kind: "rejected" });

      // Its owner takes the leverage back beside the position, which its stop closes all the same
      const [lower] = (await venue.planLeverage?.({ ...account, leverage: 1 })) ?? [];
      expect((await land(lower?.asVault ?? [], owner)).error).toBeNull();
      expect(await venue.accountState(account)).toMatchObject({
        leverage: 1,
        positions: [{ baseSize }],
      });

      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      await protect(wanted(exit("stop", STOP_PRICE, baseSize)));
      const order = Number((await resting())[0]?.venueOrderId);
      await pass(1, STOP_PRICE - 100n);
      expect((await land([keeperTrigger(order)], stranger)).error).toBeNull();
      await pass(200, STOP_PRICE - 100n);
      expect((await land([keeperFill(order)], stranger)).error).toBeNull();
      expect(await base()).toBe(0n);
    },
  })),
  {
    name: "what others placed is told apart, and the owner's close cancels all of it",
    async run(bench) {
      const { account, venue, trade, land, protect, ownerCloses } = await openProtected(bench);
      await trade({ side: "long" });
      await protect(wanted(STOP, TARGET));
      expect((await land([leftOver()])).error).toBeNull();
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1 });
      expect((await ownerCloses()).error).toBeNull();
      expect(await readUser(bench)).toMatchObject({ openOrders: 0, authority: owner.address });
    },
  },
];
