import { describe, expect, it } from "vitest";
import { closedPnl, type LoggedTrade } from "./closed-pnl.ts";

const trade = (
  signal: string,
  baseSize: bigint,
  quoteTotal: bigint,
  fee: bigint | null = 1n,
): LoggedTrade => ({ signal, baseSize, quoteTotal, fee });

describe("what a closing earned", () => {
  it.each<[string, readonly LoggedTrade[], bigint | null]>([
    ["a long", [trade("OPEN_LONG", 10n, 1_000n), trade("CLOSE_LONG", 10n, 1_100n)], 98n],
    ["a short", [trade("OPEN_SHORT", 10n, 1_000n), trade("CLOSE_SHORT", 10n, 1_100n)], -102n],
    [
      "the rest after a part",
      [
        trade("OPEN_LONG", 10n, 999n),
        trade("CLOSE_LONG", 4n, 500n, 0n),
        trade("CLOSE_LONG", 6n, 700n, 0n),
      ],
      100n,
    ],
    [
      "the turn's own position, not the one before it",
      [
        trade("OPEN_LONG", 10n, 1_000n, 0n),
        trade("CLOSE_LONG", 10n, 600n, 0n),
        trade("OPEN_SHORT", 6n, 600n, 0n),
        trade("CLOSE_SHORT", 6n, 590n, 0n),
      ],
      10n,
    ],
    [
      "what is left after a part was moved to the wallet",
      [
        trade("OPEN_LONG", 10n, 1_000n, 0n),
        trade("MOVE_ASSET", 5n, 0n, null),
        trade("CLOSE_LONG", 5n, 600n, 0n),
      ],
      100n,
    ],
    ["an opening", [trade("OPEN_LONG", 10n, 1_000n)], null],
    [
      "more than was opened here",
      [trade("OPEN_LONG", 5n, 500n), trade("CLOSE_LONG", 6n, 600n)],
      null,
    ],
    ["the other side", [trade("OPEN_SHORT", 5n, 500n), trade("CLOSE_LONG", 5n, 600n)], null],
    ["what was opened elsewhere", [trade("CLOSE_LONG", 5n, 600n)], null],
    ["without its fee", [trade("OPEN_LONG", 5n, 500n), trade("CLOSE_LONG", 5n, 600n, null)], null],
    [
      "an opening beside a position that was closed elsewhere",
      [
        trade("OPEN_LONG", 10n, 5_000n, 0n),
        trade("OPEN_LONG", 2n, 200n, 0n),
        trade("CLOSE_LONG", 2n, 210n, 0n),
      ],
      10n,
    ],
  ])("%s", (_, trades, pnl) => {
    expect(closedPnl(trades)?.pnl ?? null).toBe(pnl);
  });
});
