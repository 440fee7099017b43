import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentId } from "../../../domain/ids.ts";
import { LEDGER_KINDS, LEDGER_PLACES } from "../../../domain/ledger/entry.ts";
import type { StoredEntry } from "../../store/ledger/ledger.ts";
import { csvLine } from "./rows.ts";
import { KOINLY_COLUMNS, koinlyRow } from "./write-export.ts";

/*
 * What Koinly publishes of its universal template. Read in November 2026 from support.koinly.io: the template and its date
 * format in article 9489976 ("How to create a custom CSV file with your data"), tags in 9490023 ("What are tags"), the tag of
 * futures in a file in 9490027 ("Futures and perpetuals").
 */
const TEMPLATE =
  "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash";
const DATE = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/;
const TAGS = {
  deposit: ["", "lending interest", "fee refund", "realized gain"],
  withdrawal: ["", "cost", "margin fee", "realized gain"],
} as const;

const entry = (given: Partial<StoredEntry>): StoredEntry => ({
  seq: 1n,
  agentId: parseAgentId("a".repeat(32)),
  signature: "signature",
  kind: "deposit",
  index: 0,
  place: "vault",
  subAccount: 0,
  market: "",
  asset: "USDC",
  decimals: 6,
  amount: 1n,
  realised: null,
  realisedFees: null,
  slot: 1n,
  atMs: Date.UTC(2026, 10, 21, 8, 5, 9, 999),
  ...given,
});

const amounts = fc.bigInt(-(10n ** 18n), 10n ** 18n).filter((amount) => amount !== 0n);

/** Any entry; the two sides of a trade have opposite signs. */
const entries = fc
  .record({
    kind: fc.constantFrom(...LEDGER_KINDS),
    place: fc.constantFrom(...LEDGER_PLACES),
    amount: amounts,
    realised: fc.option(amounts),
    size: fc.bigInt(1n, 10n ** 18n),
  })
  .map(({ size, ...given }) =>
    entry({
      ...given,
      // Rent is only ever laid out under this kind
      ...(given.kind === "rent_paid" && given.amount > 0n ? { amount: -given.amount } : {}),
      ...(given.kind === "trade"
        ? { base: { marketId: "SOL", decimals: 9, amount: given.amount > 0n ? -size : size } }
        : {}),
    }),
  );

describe("a line for Koinly", () => {
  it("has the columns of the universal template, in their order", () => {
    expect(csvLine(KOINLY_COLUMNS).trimEnd()).toBe(TEMPLATE);
  });

  it("has the template's date, unsigned amounts, and only Koinly's tags for its direction", () => {
    fc.assert(
      fc.property(entries, (any) => {
        const row = koinlyRow(any);
        if (row === null) return;
        expect(Object.keys(row)).toEqual([...KOINLY_COLUMNS]);
        expect(row["Date"]).toMatch(DATE);
        const sides = ["Sent", "Received"].filter((side) => row[`${side} Amount`] !== "");
        expect(sides.length).toBeGreaterThan(0);
        for (const side of sides) {
          expect(row[`${side} Amount`]).toMatch(/^\d+(\.\d+)?$/);
          expect(row[`${side} Currency`]).toMatch(/^\w+$/);
        }
        // A trade of one asset for another needs no tag
        const direction = sides.includes("Received") ? "deposit" : "withdrawal";
        const known: readonly string[] = sides.length === 2 ? [""] : TAGS[direction];
        expect(known).toContain(row["Label"]);
      }),
    );
  });

  it.each([
    [
      "a purchase",
      { kind: "trade", amount: -150_000_000n, base: { marketId: "SOL", decimals: 9, amount: 1n } },
      "2026-11-21 08:05:09 UTC,150,USDC,0.000000001,SOL,,,,,,trade,signature",
    ],
    [
      "a loss on a perpetual",
      { kind: "trade", place: "position", market: "SOL-PERP", amount: 9n, realised: -2_500_000n },
      "2026-11-21 08:05:09 UTC,2.5,USDC,,,,,,,realized gain,SOL-PERP trade,signature",
    ],
    [
      "funding that came in",
      { kind: "funding", place: "position", market: "SOL-PERP", amount: 70_000n },
      "2026-11-21 08:05:09 UTC,,,0.07,USDC,,,,,realized gain,SOL-PERP funding,signature",
    ],
    [
      "a rebate",
      { kind: "fee", place: "position", market: "SOL-PERP", amount: 1_000n },
      "2026-11-21 08:05:09 UTC,,,0.001,USDC,,,,,fee refund,SOL-PERP fee,signature",
    ],
    [
      "a withdrawal",
      { kind: "withdrawal", amount: -1_000_000n },
      "2026-11-21 08:05:09 UTC,1,USDC,,,,,,,,withdrawal,signature",
    ],
  ] as const)("describes %s", (_name, given, line) => {
    const row = koinlyRow(entry(given)) ?? {};
    expect(csvLine(Object.values(row)).trimEnd()).toBe(line);
  });

  it.each(["transfer", "settlement", "network_fee"] as const)("does not exist for a %s", (kind) => {
    expect(koinlyRow(entry({ kind }))).toBeNull();
  });
});
