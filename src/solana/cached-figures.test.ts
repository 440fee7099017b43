import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/clock.ts";
import type { Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type LatestBlockhash,
  type TransactionOutcome,
  rentOf,
} from "./chain.ts";
import { cachedFigures, sharedAnswers } from "./cached-figures.ts";
import { askOf, chainOf, linkChain } from "./chain-links.ts";

function setUp() {
  const clock = createTestClock();
  const asked: number[] = [];
  const state = { perByte: 6_960n, isDown: false };
  const node = {
    async minimumBalance(size: number) {
      asked.push(size);
      if (state.isDown) throw new ChainUnavailableError("Down");
      return (128n + BigInt(size)) * state.perByte;
    },
  } as Chain;
  const figures = cachedFigures(clock);
  return { clock, asked, state, chain: linkChain(node, figures), other: linkChain(node, figures) };
}

describe("a chain's slowly changing figures", () => {
  it("are requested once an hour for each size by all views together", async () => {
    const { clock, asked, state, chain, other } = setUp();
    expect(await rentOf(chain, [0, 165])).toBe(890_880n + 2_039_280n);
    state.perByte = 5_080n;
    expect(await other.minimumBalance(165)).toBe(2_039_280n);
    expect(asked).toEqual([0, 165]);
    clock.advance(3_600_000);
    expect(await other.minimumBalance(165)).toBe(293n * 5_080n);
    expect(await chain.minimumBalance(165)).toBe(293n * 5_080n);
    expect(asked).toEqual([0, 165, 165]);
  });

  it("are requested once by all who ask at one time", async () => {
    const { asked, chain, other } = setUp();
    await Promise.all([chain.minimumBalance(165), other.minimumBalance(165), rentOf(chain, [165])]);
    expect(asked).toEqual([165]);
  });

  it("remain in use while no node answers, and are never invented", async () => {
    const { clock, state, chain } = setUp();
    await chain.minimumBalance(0);
    clock.advance(3_600_000);
    state.isDown = true;
    expect(await chain.minimumBalance(0)).toBe(890_880n);
    await expect(chain.minimumBalance(1)).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});

describe("what is the same for all who ask", () => {
  function setUpShared() {
    const clock = createTestClock();
    const asked: unknown[] = [];
    const state = { isDown: false, landed: null as TransactionOutcome | null };
    const answer = async <T>(question: unknown, value: T): Promise<T> => {
      asked.push(question);
      if (state.isDown) throw new ChainUnavailableError("Down");
      return value;
    };
    const node = {
      latestBlockhash: () => answer("blockhash", { slot: 7n } as LatestBlockhash),
      progress: (commitment) => answer(commitment, { slot: 7n, blockHeight: 5n }),
      recentUnitPrices: (writable) => answer(writable, [1n]),
      transaction: (signature) => answer(signature, state.landed),
      send: ([first]) => answer(first, "signature" as Signature),
    } as Pick<
      Chain,
      "latestBlockhash" | "progress" | "recentUnitPrices" | "transaction" | "send"
    > as Chain;
    const link = sharedAnswers(clock);
    const views = (["entry", "exit", "reconcile"] as const).map((callClass) =>
      chainOf("practice", link(askOf(node)), callClass),
    ) as [Chain, Chain, Chain];
    return { clock, asked, state, entry: views[0], exit: views[1], reconcile: views[2] };
  }

  it("is asked once within five seconds, 0.4 for exits and of progress, by each class for itself", async () => {
    const { clock, asked, entry, exit } = setUpShared();
    const askAll = async (chain: Chain) => {
      asked.length = 0;
      await Promise.all([
        chain.latestBlockhash(),
        chain.recentUnitPrices([]),
        chain.progress("finalized"),
        chain.latestBlockhash(),
      ]);
      return [...asked];
    };
    const everything = ["blockhash", [], "finalized"];
    expect(await askAll(entry)).toEqual(everything);
    expect(await askAll(exit)).toEqual(everything);
    clock.advance(399);
    expect(await askAll(entry)).toEqual([]);
    expect(await askAll(exit)).toEqual([]);
    clock.advance(1);
    expect(await askAll(entry)).toEqual(["finalized"]);
    expect(await askAll(exit)).toEqual(everything);
    clock.advance(4_599);
    expect(await askAll(entry)).toEqual(["finalized"]);
    clock.advance(1);
    expect(await askAll(entry)).toEqual(["blockhash", []]);
  });

  it("is asked for each commitment and each list of accounts", async () => {
    const { asked, entry } = setUpShared();
    await entry.progress("finalized");
    await entry.progress("confirmed");
    await entry.progress("finalized");
    const prices = await Promise.all([entry.recentUnitPrices([]), entry.recentUnitPrices([])]);
    expect(prices).toEqual([[1n], [1n]]);
    expect(asked).toEqual(["finalized", "confirmed", []]);
  });

  it("is asked again after a failure", async () => {
    const { asked, state, entry } = setUpShared();
    state.isDown = true;
    await expect(entry.progress("finalized")).rejects.toBeInstanceOf(ChainUnavailableError);
    state.isDown = false;
    await expect(entry.progress("finalized")).resolves.toEqual({ slot: 7n, blockHeight: 5n });
    expect(asked).toHaveLength(2);
  });

  it("is kept for two seconds of an entry's bytes that a node took, and not of those it did not", async () => {
    const { clock, asked, state, entry, exit } = setUpShared();
    const bytes = Uint8Array.of(1);
    state.isDown = true;
    await expect(entry.send(bytes)).rejects.toBeInstanceOf(ChainUnavailableError);
    state.isDown = false;
    for (let look = 0; look < 5; look += 1) {
      expect(await entry.send(bytes)).toBe("signature");
      clock.advance(399);
    }
    expect(asked).toEqual([1, 1]);
    await entry.send(Uint8Array.of(2));
    clock.advance(5);
    await entry.send(bytes);
    expect(asked).toEqual([1, 1, 2, 1]);
    await exit.send(bytes);
    await exit.send(bytes);
    expect(asked).toEqual([1, 1, 2, 1, 1, 1]);
  });

  it("is kept of a transaction that landed for ten seconds, and never for the books", async () => {
    const { clock, asked, state, entry, reconcile } = setUpShared();
    const signature = "signature" as Signature;
    expect(await entry.transaction(signature)).toBeNull();
    state.landed = { slot: 9n } as TransactionOutcome;
    expect(await entry.transaction(signature)).toMatchObject({ slot: 9n });
    clock.advance(9_999);
    await entry.transaction(signature);
    expect(asked).toHaveLength(2);
    for (let reading = 0; reading < 2; reading += 1) await reconcile.transaction(signature);
    expect(asked).toHaveLength(4);
    clock.advance(1);
    await entry.transaction(signature);
    expect(asked).toHaveLength(5);
  });
});
