import { expect, it } from "vitest";
import { listTradeLog } from "./trade-log.ts";

const row = (status: string) => ({
  _id: "b".repeat(32),
  market: "SOL-PERP",
  size: "1.5",
  percentage: "100",
  total: "210",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  timestamps: "2026-11-21T08:00:00.000Z",
  status,
});

it("reads a status in any spelling, and an unknown one as undecided", () => {
  const spelled = ["success", "FAILED", "Pending", " failed ", "somehow", ""];
  const read = listTradeLog.response.parse(spelled.map(row));
  expect(read.map(({ status }) => status)).toEqual([
    "success",
    "failed",
    "pending",
    "failed",
    "pending",
    "pending",
  ]);
});
