import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instruction, readonly, signer, writable, writableSigner } from "./encoding/instruction.ts";
import { keypairFromSeed } from "./encoding/keys.ts";
import { unitPriceOf, writableAccounts } from "./compute-limit.ts";

const key = (fill: number) => keypairFromSeed(new Uint8Array(32).fill(fill)).address;
const policy = { percentile: 75, capMicroLamports: 100_000n };

describe("the price of a compute unit", () => {
  it.each([
    [[], 5_000n, 5_000n],
    [[0n, 0n, 0n, 0n], 5_000n, 5_000n],
    [[4_000n, 1_000n, 9_000n, 20_000n], 5_000n, 9_000n],
    [[4_000n, 1_000n, 9_000n, 20_000n], 20_000n, 20_000n],
    [[7_000_000n], 5_000n, 100_000n],
    [[7_000_000n], 200_000n, 200_000n],
  ] as const)("of recent %s with floor %s is %s", (recent, floor, price) => {
    expect(unitPriceOf(recent, floor, policy)).toBe(price);
  });

  it("stays between floor and cap and covers its share of the recent blocks", () => {
    const prices = fc.array(fc.bigInt({ min: 0n, max: 10_000_000n }), { maxLength: 150 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 100 }), (recent, percentile) => {
        const price = unitPriceOf(recent, 5_000n, { percentile, capMicroLamports: 100_000n });
        expect(price >= 5_000n && price <= 100_000n).toBe(true);
        const covered = recent.filter((each) => each <= price).length;
        if (price < 100_000n) {
          expect(covered * 100).toBeGreaterThanOrEqual(recent.length * percentile);
        }
      }),
    );
  });

  it("is requested for the accounts that a transaction changes, each once", () => {
    const both = [
      instruction(key(1), [writable(key(2)), readonly(key(3)), signer(key(4))], []),
      instruction(key(1), [writableSigner(key(5)), writable(key(2))], []),
    ];
    expect(writableAccounts(both)).toEqual([key(2), key(5)]);
  });
});
