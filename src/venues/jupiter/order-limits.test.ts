import type { Instruction } from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draw, sharedSwap, swap, swapper, transferToVault } from "../../../test/jupiter-calls.ts";
import { QUIET_ACCOUNT } from "../../../test/passing-ledger.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { SigningPurpose, SigningTerms } from "../order-signing.ts";
import { assetOf, JUPITER_INSTANCE as instance, quoteToken } from "./instance.ts";
import { createJupiterOrderLimits } from "./order-limits.ts";

const NOW = 1_795_248_000_000;
const usdc = quoteToken(instance);
const sol = assetOf(instance, "SOL");
const btc = assetOf(instance, "BTC");

const PRICES: Readonly<Record<string, bigint>> = { SOL: 150_000_000n, BTC: 90_000_000_000n };
const terms: SigningTerms = {
  marketId: "SOL",
  slippageBps: 50,
  leverage: 1,
  stop: null,
  tradingState: "active",
};

interface Circumstances {
  readonly purpose?: SigningPurpose;
  readonly terms?: Partial<SigningTerms>;
  readonly ageMs?: number;
}

const judge = async (
  instructions: readonly Required<Instruction>[],
  { purpose = "order", terms: other = {}, ageMs = 0 }: Circumstances = {},
) =>
  (
    await createJupiterOrderLimits({
      instance,
      readAccount: async () => QUIET_ACCOUNT,
      clock: { now: () => NOW },
      prices: {
        async price(marketId) {
          const price = PRICES[marketId];
          if (price === undefined) throw new ChainUnavailableError(`No price of ${marketId}`);
          return { price, confidence: 0n, publishedAtMs: NOW - ageMs, isFillable: true };
        },
      },
    })(swapper, instructions, purpose, { ...terms, ...other })
  ).refusal;

interface Figures {
  readonly inAmount?: bigint;
  readonly quoted?: bigint;
  readonly slippageBps?: number;
}

/** 150 USDC for a whole SOL at the market's price, and the other way; nothing is lost on the way unless told. */
const PAR = { slippageBps: 0 } as const;
const buying = (figures: Figures = {}) => {
  const given = { inAmount: 150_000_000n, quoted: 1_000_000_000n, ...PAR, ...figures };
  return [draw(given.inAmount), swap(given)];
};
const selling = (figures: Figures = {}) => {
  const given = { inAmount: 1_000_000_000n, quoted: 150_000_000n, ...PAR, ...figures };
  return [draw(given.inAmount, sol), swap({ ...given, from: sol, to: usdc })];
};

const TOO_FAR = "its price is too far from the market's";
const MORE = "it is more or something else than one order";

describe("an order that the signer lets through on the swap venue", () => {
  it("buys within the agent's slippage plus half a percent for market moves", async () => {
    expect(await judge(buying())).toBeNull();
    // 151.5 USDC for a whole SOL at worst
    expect(await judge(buying({ inAmount: 151_500_000n }))).toBeNull();
    expect(await judge(buying({ inAmount: 151_500_001n }))).toBe(TOO_FAR);
    const wide = { terms: { slippageBps: 100 } };
    expect(await judge(buying({ inAmount: 152_250_000n }), wide)).toBeNull();
    expect(await judge(buying({ inAmount: 152_250_001n }), wide)).toBe(TOO_FAR);
  });

  it("is judged by its minimum output, not by its quote", async () => {
    expect(await judge(buying({ slippageBps: 99 }))).toBeNull();
    expect(await judge(buying({ slippageBps: 100 }))).toBe(TOO_FAR);
    // The recorded answer accepts one percent less than its quote: 151.758 USDC a SOL
    const answer = [draw(150_000_000n), swap()];
    expect(await judge(answer, { terms: { slippageBps: 67 } })).toBe(TOO_FAR);
    expect(await judge(answer, { terms: { slippageBps: 68 } })).toBeNull();
    expect(await judge([draw(150_000_000n), sharedSwap()], { terms: { slippageBps: 68 } })).toBe(
      null,
    );
  });

  it("sells at no worse price than an exit's limit, whatever the agent's slippage", async () => {
    expect(await judge(selling())).toBeNull();
    // 134.25 USDC for a whole SOL at worst
    expect(await judge(selling({ quoted: 134_250_000n }))).toBeNull();
    expect(await judge(selling({ quoted: 134_249_999n }))).toBe(TOO_FAR);
    expect(await judge(selling({ quoted: 141_315_789n, slippageBps: 500 }))).toBeNull();
    expect(await judge(selling({ quoted: 141_315_700n, slippageBps: 500 }))).toBe(TOO_FAR);
  });

  it("is not sold for nothing", async () => {
    const nothing = [draw(1n), swap({ inAmount: 1n, quoted: 1n, slippageBps: 10_000 })];
    expect(await judge(nothing)).toBe("it is sold for nothing");
    expect(await judge([draw(1n), swap({ inAmount: 1n, quoted: 0n })])).toBe(
      "it is sold for nothing",
    );
    const dear = [draw(1n), swap({ inAmount: 1n, quoted: 1n, slippageBps: 20_000 })];
    expect(await judge(dear)).toBe("it is sold for nothing");
  });

  it("draws once and swaps the whole amount", async () => {
    const [drawn, swapped] = [draw(150_000_000n), swap({ quoted: 1_000_000_000n, ...PAR })];
    expect(await judge([drawn, swapped])).toBeNull();
    for (const more of [
      [],
      [drawn],
      [swapped],
      [drawn, drawn],
      [swapped, swapped],
      [drawn, drawn, swapped],
      [drawn, swapped, swapped],
      [drawn, swapped, drawn, swapped],
      [drawn, { ...swapped, data: swapped.data.slice(0, 20) }],
      [drawn, transferToVault(usdc, 150_000_000n)],
    ]) {
      expect(await judge(more)).toBe(MORE);
    }
    const rests = [transferToVault(usdc, 3n), transferToVault(sol, 4n)];
    expect(await judge([...rests, drawn, swapped])).toBeNull();
    expect(await judge([drawn, ...rests, swapped])).toBeNull();
  });

  it("swaps exactly what it draws, and nothing else", async () => {
    const OTHER = "it does not swap what it draws";
    const swapped = swap({ quoted: 1_000_000_000n, ...PAR });
    expect(await judge([draw(150_000_001n), swapped])).toBe(OTHER);
    expect(await judge([draw(149_999_999n), swapped])).toBe(OTHER);
    expect(await judge([draw(150_000_000n, sol), swapped])).toBe(OTHER);
    const { accounts, ...nameless } = draw(150_000_000n);
    expect(await judge([{ ...nameless, accounts: accounts.slice(0, 6) }, swapped])).toBe(OTHER);
  });

  it("buys the agent's asset only, and sells any", async () => {
    const bitcoin = { inAmount: 90_000_000n, quoted: 100_000n, ...PAR };
    const purchase = [draw(bitcoin.inAmount), swap({ ...bitcoin, to: btc })];
    expect(await judge(purchase)).toBe("it is not the agent's market");
    expect(await judge(purchase, { terms: { marketId: "BTC" } })).toBeNull();
    const sale = { inAmount: 100_000n, quoted: 90_000_000n, ...PAR };
    const leaving = [draw(sale.inAmount, btc), swap({ ...sale, from: btc, to: usdc })];
    expect(await judge(leaving)).toBeNull();
    const foreign = { ...sol, mint: swapper.owner };
    const strange = [draw(150_000_000n), swap({ to: foreign })];
    expect(await judge(strange)).toBe("the asset is not traded here");
    const from = [draw(1n, foreign), swap({ inAmount: 1n, from: foreign, to: usdc })];
    expect(await judge(from)).toBe("the asset is not traded here");
  });

  it("only sells while the agent may only reduce, and is refused under a halt", async () => {
    const reducing = { terms: { tradingState: "reducing" } } as const;
    expect(await judge(buying(), reducing)).toBe("the agent only reduces");
    expect(await judge(selling(), reducing)).toBeNull();
    for (const made of [buying(), selling()]) {
      expect(await judge(made, { terms: { tradingState: "halted" } })).toBe("trading is halted");
    }
  });

  it("neither rests nor is settled", async () => {
    for (const purpose of ["follow_up", "settlement"] as const) {
      expect(await judge(buying(), { purpose })).toBe(
        "nothing rests and nothing is settled on the swap venue",
      );
    }
  });

  it("buys at a price of the last half minute, and sells at one of the last five minutes", async () => {
    const none = "there is no price to hold it against";
    expect(await judge(buying(), { ageMs: 30_000 })).toBeNull();
    expect(await judge(buying(), { ageMs: 30_001 })).toBe(none);
    expect(await judge(selling(), { ageMs: 300_000 })).toBeNull();
    expect(await judge(selling(), { ageMs: 300_001 })).toBe(none);
    const eth = assetOf(instance, "ETH");
    const unpriced = [draw(1_000n, eth), swap({ inAmount: 1_000n, from: eth, to: usdc })];
    await expect(judge(unpriced)).rejects.toThrow(ChainUnavailableError);
  });

  it("never pays more than allowed, for any figures", async () => {
    const slippage = fc.integer({ min: 0, max: 500 });
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.bigInt({ min: 1_000_000n, max: 10n ** 13n }),
        fc.integer({ min: -1_500, max: 1_500 }),
        slippage,
        fc.integer({ min: 1, max: 500 }),
        async (isBuy, inAmount, offBps, slippageBps, agentBps) => {
          const scale = BigInt(10_000 + offBps);
          const [base, quote] = [1_000_000_000n, PRICES["SOL"] ?? 0n];
          const quoted = isBuy
            ? (inAmount * base * scale) / (quote * 10_000n)
            : (inAmount * quote * scale) / (base * 10_000n);
          const figures = { inAmount, quoted, slippageBps };
          const refusal = await judge(isBuy ? buying(figures) : selling(figures), {
            terms: { slippageBps: agentBps },
          });
          // What the program pays at least, by its own rounding
          const least = quoted - (quoted * BigInt(slippageBps)) / 10_000n;
          const [paid, got] = isBuy ? [inAmount, least] : [least, inAmount];
          const [most, bound] = [10_000n, BigInt(isBuy ? agentBps + 50 : 1_050)];
          // One unit of the price, a millionth of a dollar, is lost to rounding
          const unit = got * most;
          const [given, allowed] = isBuy
            ? [paid * base * most, got * quote * (most + bound)]
            : [got * quote * (most - bound), paid * base * most];
          if (refusal === null) expect(given).toBeLessThanOrEqual(allowed + unit);
          else expect(given + unit).toBeGreaterThan(allowed);
        },
      ),
      { numRuns: 500 },
    );
  });
});
