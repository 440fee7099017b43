import { describe, expect, it } from "vitest";
import recorded from "../../../test/recorded/jupiter-build.json" with { type: "json" };
import { writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { deriveMultisig, deriveVault } from "../../solana/programs/squads.ts";
import { BuildResponseError, parseBuildResponse } from "./http-router.ts";
import { JUPITER_PRACTICE_INSTANCE as instance, quoteToken, tokenAccountOf } from "./instance.ts";
import { minimumOutput, readRoute } from "./route-instruction.ts";
import type { SwapBuild } from "./swap-router.ts";
import { refuseBuild, type SwapExpectation } from "./verify-build.ts";

const key = (n: number) => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const tradingKey = key(2);
const vault = deriveVault(deriveMultisig(key(3)).address).address;
const stranger = key(9);
const input = quoteToken(instance);
const [output] = instance.assets;
if (output === undefined) throw new Error("The instance trades nothing");

const expectation: SwapExpectation = {
  input,
  output,
  request: {
    inputMint: input.mint,
    outputMint: output.mint,
    amount: 150_000_000n,
    slippageBps: 100,
    taker: tradingKey,
    destination: tokenAccountOf(vault, output),
    maxAccounts: 48,
  },
};

type Json = Record<string, unknown>;

const parse = (changes: Json = {}): SwapBuild =>
  parseBuildResponse(JSON.stringify({ ...recorded, ...changes }));

describe("the router's answer", () => {
  it("is read from its documented form", () => {
    const build = parse();
    expect(build).toMatchObject({
      inAmount: 150_000_000n,
      outAmount: 998_400_123n,
      slippageBps: 100,
      cleanupInstruction: null,
      tipInstruction: null,
    });
    expect(build.otherAmountThreshold).toBe(minimumOutput(998_400_123n, 100));
    expect(readRoute(build.swapInstruction)?.pools).toHaveLength(18);
    expect(Object.values(build.tables)[0]).toHaveLength(18);
    expect(refuseBuild(build, expectation)).toBeNull();
  });

  it("may contain fields this product does not use", () => {
    expect(parse({ mode: "fast", simulation: { units: 1 } }).inAmount).toBe(150_000_000n);
  });

  const { swapInstruction } = recorded;
  it.each<[string, Json]>([
    ["no amount", { inAmount: undefined }],
    ["an amount that is a number", { outAmount: 998_400_123 }],
    ["a fractional amount", { outAmount: "998400123.5" }],
    ["an amount beyond 64 bits", { outAmount: "18446744073709551616" }],
    ["an amount in hexadecimal", { otherAmountThreshold: "0x3ae" }],
    ["another swap mode", { swapMode: "ExactOut" }],
    ["slippage above everything", { slippageBps: 10_001 }],
    ["fractional slippage", { slippageBps: 0.5 }],
    ["a mint that is no address", { inputMint: "usdc" }],
    ["no swap", { swapInstruction: null }],
    ["accounts that are no list", { swapInstruction: { ...swapInstruction, accounts: {} } }],
    [
      "an account without its role",
      { swapInstruction: { ...swapInstruction, accounts: [{ pubkey: tradingKey }] } },
    ],
    ["data that is no base64", { swapInstruction: { ...swapInstruction, data: "???" } }],
    [
      "data beyond a transaction",
      { swapInstruction: { ...swapInstruction, data: "A".repeat(2_004) } },
    ],
    [
      "more accounts than a transaction",
      {
        swapInstruction: {
          ...swapInstruction,
          accounts: Array.from({ length: 65 }, () => swapInstruction.accounts[0]),
        },
      },
    ],
    ["tables that are no lists", { addressesByLookupTableAddress: { [tradingKey]: "all" } }],
    ["setup that is no list", { setupInstructions: null }],
  ])("is refused with %s", (_, changes) => {
    expect(() => parse(changes)).toThrow(BuildResponseError);
  });

  it.each(["", "null", "[]", "<html>busy</html>", "{"])("is refused as %j", (body) => {
    expect(() => parseBuildResponse(body)).toThrow(BuildResponseError);
  });
});

describe("the verification before signing", () => {
  const build = parse();
  const swap = build.swapInstruction;
  const withAccount = (place: number, address: typeof stranger): SwapBuild => ({
    ...build,
    swapInstruction: {
      ...swap,
      accounts: swap.accounts.map((meta, at) => (at === place ? { ...meta, address } : meta)),
    },
  });
  const withBytes = (offset: number, ...bytes: number[]): SwapBuild => {
    const data = Uint8Array.from(swap.data);
    data.set(bytes, offset);
    return { ...build, swapInstruction: { ...swap, data } };
  };
  const foreign = { ...swap, programAddress: stranger };

  it.each<[string, SwapBuild]>([
    ["another giver", withAccount(0, stranger)],
    ["another source", withAccount(1, stranger)],
    ["another account to pass through", withAccount(2, stranger)],
    ["another input mint", withAccount(3, stranger)],
    ["another output mint", withAccount(4, stranger)],
    ["another input program", withAccount(5, stranger)],
    ["another output program", withAccount(6, stranger)],
    ["another destination", withAccount(7, stranger)],
    ["events to a stranger", withAccount(8, stranger)],
    ["another program named", withAccount(9, stranger)],
    [
      "a further signer",
      {
        ...build,
        swapInstruction: {
          ...swap,
          accounts: [...swap.accounts, { ...writable(stranger), role: 3 }],
        },
      },
    ],
    ["an unknown program", { ...build, swapInstruction: foreign }],
    ["another instruction of the program", withBytes(0, 0)],
    ["another amount in its bytes", withBytes(8, 1)],
    ["another quote in its bytes", withBytes(16, 1)],
    ["more slippage in its bytes", withBytes(24, 0xff)],
    ["a platform fee", withBytes(26, 1)],
    ["a share of the improvement", withBytes(28, 1)],
    ["another input in the answer", { ...build, inputMint: stranger }],
    ["another output in the answer", { ...build, outputMint: stranger }],
    ["another amount in the answer", { ...build, inAmount: 150_000_001n }],
    ["a quote of nothing", { ...build, outAmount: 0n }],
    ["a minimum above what it enforces", { ...build, otherAmountThreshold: build.outAmount }],
    ["a preparation that is no token account", { ...build, setupInstructions: [foreign] }],
    ["something after the swap", { ...build, cleanupInstruction: swap }],
    ["something beside the swap", { ...build, otherInstructions: [swap] }],
    ["a tip", { ...build, tipInstruction: foreign }],
  ])("refuses %s", (_, hostile) => {
    expect(refuseBuild(hostile, expectation)).toEqual(expect.any(String));
  });

  it("accepts an output that passes through the trading key's account into the vault", () => {
    expect(refuseBuild(withAccount(2, tokenAccountOf(tradingKey, output)), expectation)).toBeNull();
  });

  it("refuses an output that stays there", () => {
    const own = tokenAccountOf(tradingKey, output);
    const staying = withAccount(7, own);
    expect(refuseBuild(staying, expectation)).toBe("the output goes to another account");
  });
});
