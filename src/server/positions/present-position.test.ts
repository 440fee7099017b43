import { describe, expect, it } from "vitest";
import { parseAgentId, parseChatId, parseOwner } from "../../domain/ids.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { AccountState, Position } from "../../domain/position.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { pnlPercent, presentPositions, presentSummary } from "./present-position.ts";

const agent: CustodyAgent = {
  agentId: parseAgentId("0".repeat(32)),
  chatId: parseChatId("1".repeat(32)),
  owner: parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn"),
  network: "practice",
  venue: "drift",
  name: "Agent ** SOL-PERP-1h",
  marketId: "SOL-PERP",
  leverage: 1,
  autoTrade: "on",
  subAccountId: 0,
  multisig: null,
};

const long: Position = {
  marketId: "SOL-PERP",
  side: "long",
  baseSize: 2_500_000_000n,
  entryPrice: 155_000_000n,
  unrealizedPnl: -3_875_000n,
  positionValue: 383_625_000n,
};

const state: AccountState = {
  slot: 1n,
  subAccountExists: true,
  positions: [long],
  openOrderCount: 0,
  freeCollateral: 116_374_999n,
  portfolioValue: 496_125_000n,
  withdrawable: 419_400_001n,
  netDeposits: 500_000_000n,
  health: 84,
};
const snapshot = { state, readAtMs: Date.UTC(2026, 10, 21, 8) };
const market = findMarket("drift", "SOL-PERP");
if (market === undefined) throw new Error("SOL-PERP is not a market");

describe("presentSummary", () => {
  it("shows figures as decimal text, percent of the entry value, short negative", () => {
    expect(presentSummary(agent, snapshot)).toEqual({
      position: "2.5",
      portfolioValue: "496.13",
      pnl: "-1.00",
      positionValue: "383.63",
      side: "long",
      entryPrice: "155",
      exposure: "0.78",
      available: true,
      asOf: "2026-11-21T08:00:00.000Z",
      freeCollateral: "116.37",
      withdrawable: "419.400001",
      health: 84,
    });
    const short = { ...state, positions: [{ ...long, side: "short" as const }] };
    expect(presentSummary(agent, { ...snapshot, state: short }).position).toBe("-2.5");
  });

  it("shows no profit and no entry price for a position of unknown cost", () => {
    const gift = { ...state, positions: [{ ...long, isCostUnknown: true as const }] };
    expect(presentSummary(agent, { ...snapshot, state: gift })).not.toHaveProperty("pnl");
    const [shown] = presentPositions(agent, { ...snapshot, state: gift });
    expect(shown).toMatchObject({ size: "2.5", positionValue: "383.63" });
    expect(shown).not.toHaveProperty("pnl");
    expect(shown).not.toHaveProperty("entryPrice");
  });

  it("shows the rest of the day's limit when the account has more", () => {
    const bound = { by: "limit_used", funds: 499_000_000n, isDrawn: true } as const;
    const limited = { ...state, positions: [], freeCollateral: 5_996_000n, bound };
    expect(presentSummary(agent, { ...snapshot, state: limited })).toHaveProperty(
      "limitLeft",
      "6.00",
    );
    expect(presentSummary(agent, snapshot)).not.toHaveProperty("limitLeft");
  });

  it("shows only the maximum entry for a limit that is unused", () => {
    const bound = { by: "limit_used", funds: 499_000_000n, isDrawn: false } as const;
    const limited = { ...state, positions: [], freeCollateral: 5_996_000n, bound };
    const shown = presentSummary(agent, { ...snapshot, state: limited });
    expect(shown).not.toHaveProperty("limitLeft");
    expect(shown).toHaveProperty("entryLimit", "6.00");
  });

  it("shows a flat account as available zeros, an unread one as unavailable zeros", () => {
    const flat = { ...state, positions: [] };
    expect(presentSummary(agent, { ...snapshot, state: flat })).toMatchObject({
      position: "0",
      pnl: "0.00",
      positionValue: "0.00",
      portfolioValue: "496.13",
      available: true,
    });
    expect(presentSummary(agent, null)).toEqual({
      position: "0",
      portfolioValue: "0.00",
      pnl: "0.00",
      positionValue: "0.00",
      available: false,
    });
  });
});

describe("pnlPercent", () => {
  it.each<[bigint, string]>([
    [0n, "0.00"],
    [38_750_000n, "10.00"],
    [19_375n, "0.01"],
    [19_374n, "0.00"],
    [-19_375n, "-0.01"],
    [-387_500_000n, "-100.00"],
  ])("rounds %s on 387.50 to %s", (unrealizedPnl, percent) => {
    expect(pnlPercent({ ...long, unrealizedPnl }, market)).toBe(percent);
  });

  it("returns 0.00 for an entry without value", () => {
    expect(pnlPercent({ ...long, entryPrice: 0n }, market)).toBe("0.00");
  });
});

describe("presentPositions", () => {
  it("lists every open position", () => {
    expect(presentPositions(agent, snapshot)).toEqual([
      {
        agentId: agent.agentId,
        agent: agent.name,
        market: "SOL-PERP",
        side: "long",
        size: "2.5",
        entryPrice: "155",
        pnl: "-1.00",
        positionValue: "383.63",
      },
    ]);
  });
});
