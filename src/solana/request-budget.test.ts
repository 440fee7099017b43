import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/clock.ts";
import { ChainUnavailableError } from "./chain.ts";
import {
  BURST_SECONDS,
  CALL_CLASSES,
  type CallClass,
  createRequestBudget,
} from "./request-budget.ts";

const PER_SECOND = 10;
const FULL = PER_SECOND * BURST_SECONDS;

/** Creates a budget whose pauses the test ends. */
function createBench() {
  const clock = createTestClock();
  const paused: (() => void)[] = [];
  const budget = createRequestBudget({
    perSecond: PER_SECOND,
    clock,
    sleep: () => new Promise((resolve) => paused.push(resolve)),
  });
  const gone: string[] = [];
  const refused: string[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    budget,
    clock,
    gone,
    refused,
    ask(callClass: CallClass, name: string = callClass, count = 1): void {
      budget.take(callClass, count).then(
        () => gone.push(name),
        (error: unknown) => {
          if (!(error instanceof ChainUnavailableError)) throw error;
          refused.push(name);
        },
      );
    },
    settle,
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 10) {
        clock.advance(10);
        for (const wake of paused.splice(0)) wake();
        await settle();
      }
    },
  };
}

describe("a request budget", () => {
  it("sends an exit at once under any load", async () => {
    const { budget, gone, ask, settle } = createBench();
    for (let at = 0; at < 500; at += 1) ask(CALL_CLASSES[1 + (at % 4)] as CallClass, "flood");
    await settle();
    const before = gone.length;
    for (let at = 0; at < 100; at += 1) await budget.take("exit", 1);
    expect(before).toBeLessThanOrEqual(FULL);
    expect(gone).toHaveLength(before);
  });

  it("serves waiting requests by rank, and in order within a rank", async () => {
    const { gone, ask, pass, settle } = createBench();
    ask("exit", "flood", FULL);
    await settle();
    gone.length = 0;
    ask("screen");
    ask("reconcile", "reconcile 1");
    ask("reconcile", "reconcile 2");
    ask("owner");
    ask("entry");
    await pass(900);
    expect(gone).toEqual(["entry"]);
    await pass(1_500);
    expect(gone).toEqual(["entry", "owner"]);
    await pass(2_000);
    expect(gone).toEqual(["entry", "owner", "reconcile 1", "reconcile 2"]);
  });

  it("refuses a screen's request soon, and an entry's much later", async () => {
    const { refused, ask, pass } = createBench();
    ask("exit", "flood", 3 * FULL);
    ask("screen");
    ask("entry");
    await pass(1_100);
    expect(refused).toEqual(["screen"]);
    for (let second = 0; second < 9; second += 1) {
      ask("exit", "flood", PER_SECOND);
      await pass(1_000);
    }
    expect(refused).toEqual(["screen", "entry"]);
  });

  it("never saves more than one burst, and refills with time", async () => {
    const { gone, ask, pass, settle } = createBench();
    await pass(60_000);
    for (let at = 0; at < 2 * FULL; at += 1) ask("entry");
    await settle();
    const atOnce = gone.length;
    expect(atOnce).toBeLessThanOrEqual(FULL);
    await pass(1_000);
    expect(gone.length - atOnce).toBe(PER_SECOND);
  });

  it("drops what it saved when a node refuses, and sends exits one by one before all others", async () => {
    const { budget, gone, ask, pass, settle } = createBench();
    ask("exit", "overdrawn", 2 * FULL);
    budget.limited();
    ask("entry");
    for (const name of ["exit 1", "exit 2", "exit 3"]) ask("exit", name);
    await settle();
    expect(gone).toEqual(["overdrawn"]);
    await pass(110);
    expect(gone).toEqual(["overdrawn", "exit 1"]);
    await pass(200);
    expect(gone).toEqual(["overdrawn", "exit 1", "exit 2", "exit 3"]);
    await pass(2_000);
    expect(gone.at(-1)).toBe("entry");
    await budget.take("exit", 1);
  });

  it("counts what other processes sent", async () => {
    const { budget, gone, ask, pass, settle } = createBench();
    budget.spent(FULL, "signer");
    ask("entry");
    await settle();
    expect(gone).toEqual([]);
    await pass(1_000);
    expect(gone).toEqual(["entry"]);
  });

  it("lets exits go after a refusal, whatever pages say they sent", async () => {
    const { budget, gone, ask, pass } = createBench();
    budget.limited();
    for (let exits = 0; exits < 3; exits += 1) ask("exit");
    for (let ms = 0; ms < 4_000; ms += 10) {
      budget.spent(FULL, "pages");
      await pass(10);
    }
    expect(gone).toEqual(["exit", "exit", "exit"]);
  });

  it("learns a lower rate and no burst from refusals, and goes back to its own", async () => {
    const { budget, clock, gone, ask, pass } = createBench();
    // A node that allows half of what the budget was told, and saves up a second's requests
    const allowed = PER_SECOND / 2;
    let [left, filledAtMs, refused, taken] = [allowed, clock.now(), 0, 0];
    const serve = () => {
      for (; taken < gone.length; taken += 1) {
        left = Math.min(allowed, left + ((clock.now() - filledAtMs) * allowed) / 1_000);
        filledAtMs = clock.now();
        if (left >= 1) left -= 1;
        else {
          refused += 1;
          budget.limited();
        }
      }
    };
    const trade = async (seconds: number) => {
      const before = { refused, taken };
      for (let ms = 0; ms < seconds * 1_000; ms += 50) {
        ask("entry");
        await pass(50);
        serve();
      }
      return { refused: refused - before.refused, taken: taken - before.taken };
    };
    await trade(30);
    const { refused: after, taken: sent } = await trade(60);
    expect(sent - after).toBeGreaterThan(60 * allowed * 0.75);
    expect(after).toBeLessThan(sent * 0.15);
    await pass(120_000);
    const before = gone.length;
    for (let at = 0; at < 5 * FULL; at += 1) ask("entry");
    await pass(10_000);
    expect(gone.length - before).toBeGreaterThan(9 * PER_SECOND);
  });

  it("sends a call larger than the bucket when the bucket is full", async () => {
    const { gone, ask, pass } = createBench();
    ask("exit", "flood", FULL);
    ask("reconcile", "large", 5 * FULL);
    await pass(3_900);
    expect(gone).toEqual(["flood"]);
    await pass(200);
    expect(gone).toEqual(["flood", "large"]);
  });
});
