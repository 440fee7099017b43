import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/clock.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { rentOf } from "./rent.ts";
import { cachedFigures } from "./cached-figures.ts";
import { linkChain } from "./chain-links.ts";

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

  it("remain in use while no node answers, and are never invented", async () => {
    const { clock, state, chain } = setUp();
    await chain.minimumBalance(0);
    clock.advance(3_600_000);
    state.isDown = true;
    expect(await chain.minimumBalance(0)).toBe(890_880n);
    await expect(chain.minimumBalance(1)).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});
