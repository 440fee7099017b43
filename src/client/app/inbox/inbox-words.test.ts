import { describe, expect, it } from "vitest";
import { agentIdOf, chatIdOf } from "../../../../test/ids.ts";
import type { TradeLogEntry } from "../../../contract/trade-log.ts";
import { reasonText } from "../../../domain/reasons.ts";
import { countUnread, type InboxItem, inboxWords, newsSince } from "./inbox-words.ts";

const item = (changes: Partial<TradeLogEntry> = {}): InboxItem => ({
  chatId: chatIdOf("c"),
  agentId: agentIdOf("a"),
  agent: "Trend",
  entry: {
    id: "1",
    market: "SOL-PERP",
    size: "3.7",
    percentage: "100",
    total: "497.1",
    type: "market",
    side: "long",
    signal: "OPEN_LONG",
    at: "2026-11-21T08:00:00.000Z",
    status: "success",
    price: "134.354321",
    ...changes,
  },
});

describe("an entry of the inbox", () => {
  it.each([
    [{}, "Bought 3.70 SOL at $134.35", undefined],
    [{ signal: "OPEN_SHORT", side: "short" }, "Sold short 3.70 SOL at $134.35", undefined],
    [
      { signal: "CLOSE_LONG", side: "sell", pnl: "-16.028" },
      "Sold 3.70 SOL at $134.35",
      "Lost $16.03 with fees of both sides",
    ],
    [
      { signal: "CLOSE_SHORT", side: "buy", pnl: "5.679" },
      "Bought back 3.70 SOL at $134.35",
      "Earned $5.68 with fees of both sides",
    ],
    [
      { signal: "CLOSE_SHORT", side: "buy", pnl: "-0.96", plan: "stop" as const },
      "Stop: bought back 3.70 SOL at $134.35",
      "Lost $0.96 with fees of both sides",
    ],
    // The closing half of a reversal is recorded with the opening's signal
    [{ signal: "OPEN_SHORT", side: "sell" }, "Sold 3.70 SOL at $134.35", undefined],
    [{ size: "0.0042", price: "0.000021" }, "Bought 0.0042 SOL at $0.00002100", undefined],
    [{ signal: "RESET_OPEN_LONG", size: "0" }, "Reset open long SOL", undefined],
    [{ type: "transfer", signal: "", side: "sell" }, "Moved 3.70 SOL at $134.35", undefined],
  ])("%j is told as %s", (changes, title, message) =>
    expect(inboxWords(item(changes))).toEqual({ title, message }),
  );

  it("that was refused says why, and never that it was traded", () =>
    expect(inboxWords(item({ status: "failed", reason: "already_long" }))).toEqual({
      title: "Open long SOL was not traded",
      message: reasonText("already_long", "OPEN_LONG"),
    }));
});

describe("what is new", () => {
  const at = (minute: number, changes: Partial<TradeLogEntry> = {}) =>
    item({
      id: `${minute}`,
      at: `2026-11-21T08:${String(minute).padStart(2, "0")}:00.000Z`,
      ...changes,
    });

  it("is what came, or failed after it had waited, oldest first", () => {
    const before = [at(3), at(1)];
    const now = [at(5), at(4), at(3), at(1)];
    expect(newsSince(now, before).map(({ entry }) => entry.id)).toEqual(["4", "5"]);
    expect(newsSince(now, now)).toEqual([]);
    expect(newsSince([at(3, { status: "failed" }), at(1)], before)).toHaveLength(1);
  });

  it("is everything where nothing was there", () => expect(newsSince([at(1)], [])).toHaveLength(1));

  it("is no old entry that moves up because an agent was deleted", () => {
    const before = [at(9), at(8)];
    expect(newsSince([at(9), at(2)], before)).toEqual([]);
  });

  it("is unread until it was seen", () => {
    const items = [at(5), at(4), at(3)];
    expect(countUnread(items, "")).toBe(3);
    expect(countUnread(items, at(4).entry.at)).toBe(1);
    expect(countUnread(items, at(5).entry.at)).toBe(0);
  });
});
