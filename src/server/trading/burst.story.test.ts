import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { passAuction } from "../../../test/auctions.ts";
import { type BurstWorld, createBurstWorld } from "../../../test/burst-world.ts";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { AWAY } from "../../../test/node-behaviours.ts";
import type { TradingDeps } from "./orders/order-context.ts";

const AGENTS = 8;
const SOL = 1_000_000_000n;
/** Longer than an exit that was put off waits for its next try, and than an alert may be old, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;
const TOO_LONG_MS = 600_000;

let world: BurstWorld;

beforeEach(async () => {
  world = await createBurstWorld(AGENTS, 10);
});

afterEach(() => world.close());

const all = <T>(value: T) => Array.from({ length: AGENTS }, () => value);
const halves = <T>(first: T, second: T) =>
  all(first).map((value, at) => (at < AGENTS / 2 ? value : second));

const half = <T>(value: T) => all(value).slice(AGENTS / 2);

/** The state of each exit with what it waited for last. */
async function exits() {
  const { rows } = await world.crowd.database.pool.query<{ exit: string }>(
    "select concat_ws(' ', state, last_reason) as exit from exits",
  );
  return rows.map(({ exit }) => exit);
}

/** Plans an entry of each agent and places the first half of them. */
async function placeHalf() {
  await world.plan();
  await world.turn({ agentIds: world.crowd.agentIds.slice(0, AGENTS / 2) });
  expect(await world.states()).toEqual(halves("resting resting", "planned"));
}

/** Every agent holds what is recorded of it, and has entered once at most. */
async function expectNothingDoubled(entered: readonly boolean[]) {
  const held = await world.held();
  expect(held.map(({ onChain }) => onChain > 0n)).toEqual(entered);
  expect(held.map(({ recorded }) => recorded)).toEqual(held.map(({ onChain }) => onChain));
  const [one] = held.filter(({ onChain }) => onChain > 0n);
  for (const { onChain } of held) if (onChain > 0n) expect(onChain).toBe(one?.onChain);
}

/** The second half holds positions and is to leave them, the first half is to enter; returns both halves. */
async function planBoth() {
  const { agentIds } = world.crowd;
  const entering = agentIds.slice(0, AGENTS / 2);
  const leaving = agentIds.slice(AGENTS / 2);
  await world.plan({ agentIds: leaving });
  await world.trade();
  await world.plan({ agentIds: entering });
  await world.plan({ agentIds: leaving, signal: "CLOSE_LONG" });
  return { entering, leaving };
}

/** Takes the fee payer's money; returns what funds it again. */
async function emptyFeePayer() {
  const { chain, keys, ledger } = world.crowd;
  const { address } = keys.feePayer;
  const account = (await ledger.view()).account(address);
  if (account === undefined) throw new Error("The fee payer has no account");
  await putPracticeAccount(ledger, address, { ...account, lamports: 0n });
  return () => chain.fund(address, { lamports: SOL, quoteUnits: 0n });
}

/** The state of each order since the positions were opened, which are as many as half of the agents. */
const statesSince = async () => (await world.states()).slice(AGENTS / 2);

describe("in the middle of a burst", () => {
  it("a node answers 429 for an hour: what closes waits for it and closes once, entries are too old", async () => {
    await planBoth();
    world.node.behave(AWAY["answers 429"] ?? null);
    for (let minutes = 0; minutes < 60; minutes += 10) {
      world.crowd.clock.advance(600_000);
      await world.turn();
      expect(await statesSince()).toEqual(halves("denied signal_expired", "planned"));
      expect(await exits()).toEqual(half("working node_unavailable"));
    }
    world.node.behave(null);
    world.crowd.clock.advance(LONGEST_WAIT_MS);
    await world.trade();
    expect(await statesSince()).toEqual(halves("denied signal_expired", "filled"));
    expect(await exits()).toEqual(half("done"));
    await expectNothingDoubled(all(false));
  });

  it("the queue is longer than alerts may be old: what waited too long says how long, what closes is closed", async () => {
    await planBoth();
    world.crowd.clock.advance(TOO_LONG_MS);
    await world.trade();
    expect(await statesSince()).toEqual(halves("denied signal_expired", "filled"));
    const { rows } = await world.crowd.database.pool.query(
      `select c->'figures'->>'figure' as ms from decisions join orders on orders.id = order_id,
         jsonb_array_elements(facts->'checks') as c where state = 'denied' and c->>'reason' = 'signal_expired'`,
    );
    expect(rows).toEqual(half({ ms: String(TOO_LONG_MS) }));
    await expectNothingDoubled(all(false));
  });

  it("the fee payer runs empty before what closes: it says so, and closes once when funded", async () => {
    await planBoth();
    const refund = await emptyFeePayer();
    await world.turn();
    expect(await statesSince()).toEqual(all("unknown fee_payer_empty"));
    await refund();
    await world.trade();
    expect(await statesSince()).toEqual(all("filled"));
    await expectNothingDoubled(halves(true, false));
  });

  it("a node answers 429 for an hour: the rest is too old, what it took ends as it did, and the next trades", async () => {
    await placeHalf();
    world.node.behave(AWAY["answers 429"] ?? null);
    for (let minutes = 0; minutes < 60; minutes += 10) {
      world.crowd.clock.advance(600_000);
      await world.turn();
      expect(await world.states()).toEqual(halves("resting resting", "denied signal_expired"));
    }
    world.node.behave(null);
    await world.trade();
    expect(await world.states()).toEqual(halves("cancelled cancelled", "denied signal_expired"));
    await expectNothingDoubled(all(false));
    await world.plan();
    await world.trade();
    expect((await world.states()).slice(AGENTS)).toEqual(all("filled"));
    await expectNothingDoubled(all(true));
  });

  it("the fee payer runs empty: every order says so, and each is filled once when it is funded", async () => {
    await placeHalf();
    const refund = await emptyFeePayer();
    await passAuction(world.crowd);
    await world.turn();
    expect(await world.states()).toEqual(halves("resting resting", "unknown fee_payer_empty"));
    world.crowd.clock.advance(1_000);
    await world.turn();
    await refund();
    await world.trade();
    expect(await world.states()).toEqual(all("filled"));
    await expectNothingDoubled(all(true));
  });

  it("a server is paused holding every lane: another trades them all, and the first sends nothing", async () => {
    let paused = 0;
    let [pausedAll, resume] = [() => {}, () => {}];
    const arePaused = new Promise<void>((resolve) => (pausedAll = resolve));
    const isResumed = new Promise<void>((resolve) => (resume = resolve));
    const deps: TradingDeps = {
      ...world.deps,
      async custodyCheck() {
        paused += 1;
        if (paused === AGENTS) pausedAll();
        await isResumed;
        return null;
      },
    };
    await world.plan();
    // Its lease is not renewed in this time, as that of a process that stands still
    const turns = world.turn({ deps, worker: "paused", leaseMs: 3_600_000 });
    await arePaused;
    await world.crowd.database.pool.query("update lanes set claimed_until = '2000-01-01'");
    await world.trade();
    expect(await world.states()).toEqual(all("filled"));
    resume();
    expect(await turns).toEqual(all("taken"));
    expect(await world.states()).toEqual(all("filled"));
    await expectNothingDoubled(all(true));
  });
});
