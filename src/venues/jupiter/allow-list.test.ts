import { type Address, getBase16Codec, type Instruction } from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accountOf,
  DRAW,
  draw,
  RECORDED,
  sharedSwap,
  SWAP,
  swap,
  swapper,
  transferToVault,
} from "../../../test/jupiter-calls.ts";
import vectors from "../../../test/vectors.json" with { type: "json" };
import { type FullInstruction, readonly, signer } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { TOKEN_2022_PROGRAM } from "../../solana/programs/token.ts";
import { createJupiterAllowList, sweep } from "./allow-list.ts";
import { assetOf, JUPITER_INSTANCE as instance, quoteToken, type SpotToken } from "./instance.ts";

const allow = createJupiterAllowList(instance);
const judge = (given: Required<Instruction>) => allow(swapper, given);

const { tradingKey, vault } = swapper;
const stranger = keypairFromSeed(new Uint8Array(32).fill(9)).address;
const usdc = quoteToken(instance);
const sol = assetOf(instance, "SOL");
const btc = assetOf(instance, "BTC");
/** A token of the newer token program. */
const stock = assetOf(instance, "AAPLx");

const exchanged = (made: FullInstruction, at: number, address: Address): FullInstruction => ({
  ...made,
  accounts: made.accounts.map((meta, place) => (place === at ? { ...meta, address } : meta)),
});
const written = (made: FullInstruction, at: number, ...bytes: number[]): FullInstruction => {
  const data = Uint8Array.from(made.data);
  data.set(bytes, at);
  return { ...made, data };
};
const resized = (made: FullInstruction, change: number): FullInstruction => ({
  ...made,
  data: Uint8Array.from({ length: made.data.length + change }, (_, at) => made.data[at] ?? 0),
});
const beside = (made: FullInstruction): FullInstruction => ({
  ...made,
  accounts: [...made.accounts, readonly(stranger)],
});

const allowed: readonly (readonly [string, FullInstruction])[] = [
  ["a draw of USDC", draw(150_000_000n)],
  ["a draw of an asset", draw(5n, btc)],
  ["a draw of a stock", draw(7n, stock)],
  ["a purchase", swap()],
  ["a sale", swap({ from: sol, to: usdc })],
  ["a purchase of a stock", swap({ to: stock })],
  ["a sale of a stock", swap({ from: stock, to: usdc })],
  ["a purchase through the program's own accounts", sharedSwap()],
  ["a sale through the program's own accounts", sharedSwap({ from: sol, to: usdc })],
  ["what is left of USDC", transferToVault(usdc, 3n)],
  ["what is left of an asset", transferToVault(sol, 2n ** 63n)],
  ["what is left of a stock", transferToVault(stock, 1n)],
];

describe("what a trading key may do on the swap venue", () => {
  it.each(allowed)("is %s", (_, made) => {
    expect(judge(made)).toBeNull();
  });

  it("includes this product's own return of a remainder", () => {
    expect(sweep(swapper, stock, 7n)).toEqual(transferToVault(stock, 7n));
  });

  it.each(allowed)("excludes instructions with a further signer (%s)", (_, made) => {
    const accounts = [...made.accounts, signer(stranger)];
    expect(judge({ ...made, accounts })).toBe("a further account signs");
    expect(judge({ ...made, accounts: [signer(stranger)] })).toBe("a further account signs");
  });

  it.each(allowed)("excludes other programs (%s)", (_, made) => {
    const programAddress = stranger;
    expect(judge({ ...made, programAddress })).toBe("the program is not one of the swap venue");
  });
});

describe("drawing", () => {
  const made = draw(150_000_000n);
  const NOT_OWN = "the draw is not the agent's own";

  it("goes from the agent's own limit to its own account, with every account in its place", () => {
    for (let at = 0; at < made.accounts.length; at += 1) {
      const reason = at === 6 ? "the token is not traded here" : NOT_OWN;
      if (at === 1) continue;
      expect(judge(exchanged(made, at, stranger)), `account ${at}`).toBe(reason);
    }
    expect(judge(exchanged(made, 1, stranger))).toBe("a further account signs");
    expect(judge(beside(made))).toBe(NOT_OWN);
    expect(judge({ ...made, accounts: made.accounts.slice(0, -1) })).toBe(NOT_OWN);
    expect(judge({ ...made, accounts: [] })).toBe("the token is not traded here");
  });

  it("has a positive amount in the token's decimals, without a memo", () => {
    expect(judge(draw(0n))).toBe("it draws nothing");
    expect(judge(draw(1n))).toBeNull();
    expect(judge(written(made, DRAW.decimals, 9))).toBe(NOT_OWN);
    expect(judge(resized(made, 1))).toBe(NOT_OWN);
    expect(judge(exchanged(made, 6, sol.mint))).toBe(NOT_OWN);
  });

  it("excludes the custody program's other instructions", () => {
    const OTHER = "the custody program is asked for something else than a draw";
    const calls = Object.entries(vectors.squads).filter(([name]) => !name.startsWith("use "));
    expect(calls).toHaveLength(6);
    for (const { data } of calls.flatMap(([, made]) => made)) {
      const bytes = Uint8Array.from(getBase16Codec().encode(data));
      expect(judge({ ...made, data: bytes })).toBe(OTHER);
    }
    const [ofSol] = vectors.squads["use spending limit: SOL"];
    const data = Uint8Array.from(getBase16Codec().encode(ofSol?.data ?? ""));
    const native = { ...made, data, accounts: made.accounts.slice(0, 6) };
    expect(judge(native)).toBe("the token is not traded here");
  });

  it("fixes every byte except the amount's", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: made.data.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, by) => {
          const isAmount = at >= DRAW.amount && at < DRAW.decimals;
          const refusal = judge(written(made, at, (made.data[at] ?? 0) ^ by));
          expect(refusal === null).toBe(isAmount);
        },
      ),
    );
  });
});

const kinds = [
  ["routed", swap],
  ["through the program's own accounts", sharedSwap],
] as const;

describe.each(kinds)("swapping (%s)", (kind, make) => {
  /** The program's own accounts and the pools' are the program's affair. */
  const isTheirs = (at: number) => kind !== "routed" && (at === 0 || at === 3 || at === 4);
  const fixed = kind === "routed" ? SWAP.fixed : SWAP.fixed + 2;
  const shift = kind === "routed" ? 0 : 1;

  it("fixes every account", () => {
    const made = make();
    for (let at = 0; at < fixed; at += 1) {
      const refusal = judge(exchanged(made, at, stranger));
      expect(refusal === null, `account ${at}: ${refusal}`).toBe(isTheirs(at));
    }
    expect(judge({ ...made, accounts: made.accounts.slice(0, fixed - 1) })).toBe(
      "the swap program is asked for something else than a swap",
    );
    expect(judge(beside(made))).toBeNull();
  });

  it("gives the output to nobody else", () => {
    const at = kind === "routed" ? 7 : 5;
    for (const wallet of [stranger, tradingKey, swapper.owner]) {
      expect(judge(exchanged(make(), at, accountOf(wallet, sol)))).toBe(
        "the output goes to another account",
      );
    }
    expect(judge(exchanged(make(), at, accountOf(vault, usdc)))).toBe(
      "the output goes to another account",
    );
  });

  it("exchanges USDC and an asset", () => {
    const BETWEEN = "the swap is not between the quote token and an asset";
    expect(judge(make({ from: sol, to: btc }))).toBe(BETWEEN);
    expect(judge(make({ from: sol, to: sol }))).toBe(BETWEEN);
    expect(judge(make({ from: usdc, to: usdc }))).toBe(BETWEEN);
    const foreign: SpotToken = { ...sol, mint: stranger };
    expect(judge(make({ from: foreign, to: usdc }))).toBe("a token is not traded here");
    expect(judge(make({ to: foreign }))).toBe("a token is not traded here");
  });

  it("has positive amounts and at most the widest slippage", () => {
    expect(judge(make({ inAmount: 0n }))).toBe("the swap has no size");
    expect(judge(make({ quoted: 0n }))).toBe("the swap has no size");
    expect(judge(make({ inAmount: 1n, quoted: 1n }))).toBeNull();
    expect(judge(make({ slippageBps: 500 }))).toBeNull();
    expect(judge(make({ slippageBps: 501 }))).toBe("the swap accepts too much slippage");
  });

  it("pays no platform fee and keeps positive slippage", () => {
    expect(judge(written(make(), SWAP.fee + shift, 1))).toBe("it takes a platform fee");
    expect(judge(written(make(), SWAP.gain + shift, 1))).toBe("it takes the price improvement");
  });

  it("excludes the program's other instructions", () => {
    for (let at = 0; at < 8; at += 1) {
      expect(judge(written(make(), at, (make().data[at] ?? 0) ^ 1))).toBe(
        "the swap program is asked for something else than a swap",
      );
    }
  });

  it("pays at least its quote less its slippage for any figures", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(amount, amount, fc.nat({ max: 1_000 }), (inAmount, quoted, slippageBps) => {
        const isSound = inAmount > 0n && quoted > 0n && slippageBps <= 500;
        expect(judge(make({ inAmount, quoted, slippageBps })) === null).toBe(isSound);
      }),
    );
  });
});

describe("returning the remainder", () => {
  const made = transferToVault(sol, 5n);
  const OTHER = "tokens move in another way than back to the vault";
  const ELSEWHERE = "the tokens do not go back to the vault";

  it("goes from the key's account to the vault's, with every account in its place", () => {
    expect(judge(exchanged(made, 0, stranger))).toBe(ELSEWHERE);
    expect(judge(exchanged(made, 0, accountOf(vault, sol)))).toBe(ELSEWHERE);
    expect(judge(exchanged(made, 1, stranger))).toBe(OTHER);
    expect(judge(exchanged(made, 1, usdc.mint))).toBe(ELSEWHERE);
    expect(judge(exchanged(made, 2, stranger))).toBe(ELSEWHERE);
    expect(judge(exchanged(made, 2, accountOf(swapper.owner, sol)))).toBe(ELSEWHERE);
    expect(judge(exchanged(made, 3, stranger))).toBe("a further account signs");
    expect(judge(beside(made))).toBe(ELSEWHERE);
    expect(judge({ ...made, accounts: [] })).toBe(OTHER);
    expect(judge({ ...made, accounts: made.accounts.slice(0, 3) })).toBe(ELSEWHERE);
  });

  it("uses the token's own program", () => {
    expect(judge({ ...made, programAddress: TOKEN_2022_PROGRAM })).toBe(ELSEWHERE);
    const { programAddress } = made;
    expect(judge({ ...transferToVault(stock, 5n), programAddress })).toBe(ELSEWHERE);
  });

  it("excludes the token program's other instructions", () => {
    for (let kind = 0; kind < 256; kind += 1) {
      expect(judge(written(made, 0, kind))).toBe(kind === 12 ? null : OTHER);
    }
    expect(judge(resized(made, 1))).toBe(OTHER);
    expect(judge(resized(made, -1))).toBe(OTHER);
    expect(judge({ ...made, data: new Uint8Array() })).toBe(OTHER);
    expect(judge(written(made, 9, 6))).toBe(ELSEWHERE);
  });

  it("may have any amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        expect(judge(transferToVault(usdc, amount))).toBeNull();
      }),
    );
  });
});

it("accepts a swap from the router's answer", () => {
  const view = new DataView(Uint8Array.from(swap().data).buffer);
  expect({
    inAmount: view.getBigUint64(SWAP.inAmount, true),
    quoted: view.getBigUint64(SWAP.quoted, true),
    slippageBps: view.getUint16(SWAP.slippage, true),
  }).toEqual(RECORDED);
});
