import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import { slippageFor } from "./order-swap.ts";
import {
  EVENT_AUTHORITY,
  minimumOutput,
  readRoute,
  routeArguments,
  routeV2,
  withSlippage,
} from "./route-instruction.ts";

const key = (n: number) => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const hex = (bytes: ArrayLike<number>) => Buffer.from(Array.from(bytes)).toString("hex");
const accounts = {
  authority: key(1),
  source: key(2),
  destination: key(3),
  sourceMint: key(4),
  destinationMint: key(5),
  sourceTokenProgram: TOKEN_PROGRAM,
  destinationTokenProgram: TOKEN_PROGRAM,
  pools: [writable(key(6)), writable(key(7))],
};
const figures = {
  inAmount: 1_000_000n,
  quotedOutAmount: 2_500_000n,
  slippageBps: 50,
  routePlan: Uint8Array.of(1, 0, 0, 0, 9, 0x10, 0x27, 0, 1),
};

describe("the swap instruction", () => {
  it("has the bytes of the program's interface", () => {
    expect(hex(routeV2(accounts, figures).data)).toBe(
      "bb64facc31c4af14" + // route_v2
        "40420f0000000000" + // 1,000,000 in
        "a025260000000000" + // 2,500,000 quoted
        "3200" + // 0.5 % slippage
        "0000" + // platform fee
        "0000" + // share of the price improvement
        "01000000" + // one step
        "0910270001",
    );
    const shared = routeArguments.sharedAccountsRouteV2.encode({
      id: 3,
      ...figures,
      platformFeeBps: 0,
      positiveSlippageBps: 0,
    });
    expect(hex(shared).slice(0, 18)).toBe("d19853937cfed8e903");
    expect(EVENT_AUTHORITY).toBe("D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf");
  });

  it("survives a round trip", () => {
    expect(readRoute(routeV2(accounts, figures))).toMatchObject({
      ...accounts,
      ...figures,
      variant: "routeV2",
      output: accounts.destination,
      platformFeeBps: 0,
      positiveSlippageBps: 0,
    });
  });

  it("is not recognised in other bytes", () => {
    const swap = routeV2(accounts, figures);
    expect(readRoute({ ...swap, programAddress: TOKEN_PROGRAM })).toBeNull();
    expect(readRoute({ ...swap, accounts: swap.accounts.slice(0, 9) })).toBeNull();
    expect(readRoute({ ...swap, data: swap.data.slice(0, 33) })).toBeNull();
    const empty = { ...figures, routePlan: new Uint8Array(4) };
    expect(readRoute(routeV2(accounts, empty))).toBeNull();
    const long = { ...figures, routePlan: Uint8Array.of(17, 0, 0, 0, ...new Uint8Array(85)) };
    expect(readRoute(routeV2(accounts, long))).toBeNull();
  });

  it("keeps an order's minimum for any quote, within one basis point", () => {
    const amount = fc.bigInt({ min: 1_000n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, fc.integer({ min: -500, max: 500 }), (minimum, offsetBps) => {
        const quoted = (minimum * BigInt(10_000 + offsetBps)) / 10_000n;
        const slippageBps = slippageFor(minimum, quoted, 500);
        if (slippageBps === null) {
          expect(quoted).toBeLessThan(minimum);
          return;
        }
        const swap = withSlippage(
          routeV2(accounts, { ...figures, quotedOutAmount: quoted }),
          slippageBps,
        );
        const read = readRoute(swap);
        expect(read?.slippageBps).toBe(slippageBps);
        expect(minimumOutput(quoted, slippageBps)).toBeGreaterThanOrEqual(minimum);
      }),
    );
  });
});
