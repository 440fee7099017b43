import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../test/ids.ts";
import { OWNER_LIMIT_NAMES } from "./owner-limits.ts";
import type { Plan } from "./plan/plan.ts";
import { beyondSigned, type OwnerText, ownerText, type PinnedTerms } from "./owner-text.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const PLAN: Plan = {
  stop: { at: { kind: "percent", bps: 300 }, breakEvenAfterBps: 200 },
  targets: [{ at: { kind: "percent", bps: 400 }, closePercent: 50 }],
  adds: { on: { kind: "against", bps: 100 }, times: 2, sizePercent: 25 },
  maxPositionPercent: 60,
  holdBars: 10,
};

const pinned: PinnedTerms = {
  agentId: agentIdOf("a"),
  network: "practice",
  venue: "drift",
  marketId: "SOL-PERP",
  interval: "1h",
  autoTrade: "on",
  slippageBps: 50,
  positionSizePercent: 40,
  maxSignalAgeSeconds: 60,
  limits: { ...NO_OWNER_LIMITS, dayLossBps: 200, tradesPerDay: 5 },
  custody: { multisig: "Multisig1", vault: "Vault1", tradingKey: "Key1" },
};

const parts: OwnerText = {
  host: "app.test",
  origin: "https://app.test",
  wallet: "Wallet1",
  change: 'Turn on auto-trade of the agent "A".',
  nonce: "Nonce1",
  issuedAt: Date.UTC(2026, 0, 1),
  expiresAt: Date.UTC(2026, 0, 1, 0, 5),
  pinned,
};

const others: Partial<PinnedTerms>[] = [
  { agentId: agentIdOf("b") },
  { network: "devnet" },
  { venue: "jupiter" },
  { venue: null },
  { marketId: "BTC-PERP" },
  { interval: "4h" },
  { autoTrade: "off" },
  { slippageBps: 51 },
  { positionSizePercent: 41 },
  { maxSignalAgeSeconds: 61 },
  ...OWNER_LIMIT_NAMES.map((name) => ({ limits: { ...pinned.limits, [name]: 300 } })),
  { limits: { ...pinned.limits, tradesPerDay: null } },
  { leverage: 2 },
  { plan: PLAN },
  { plan: { ...PLAN, holdBars: 9 } },
  { plan: { ...PLAN, closeWithoutStop: false } },
  { plan: { ...PLAN, targets: [{ at: { kind: "percent", bps: 401 }, closePercent: 50 }] } },
  { custody: null },
  { custody: { multisig: "Multisig2", vault: "Vault1", tradingKey: "Key1" } },
  { custody: { multisig: "Multisig1", vault: "Vault2", tradingKey: "Key1" } },
  { custody: { multisig: "Multisig1", vault: "Vault1", tradingKey: "Key2" } },
];

describe("the text an owner signs", () => {
  it("names what it pins, a line each", () => {
    expect(ownerText(parts)).toBe(
      [
        "app.test asks you to confirm a change with your Solana account:",
        "Wallet1",
        "",
        'Turn on auto-trade of the agent "A".',
        "",
        "Until you sign something newer, the server's signer holds this agent to:",
        `Agent: ${pinned.agentId} (practice)`,
        "Auto-trade: on",
        'Market: SOL-PERP on drift, interval "1h"',
        "Slippage: 0.5%",
        "Position size: 40%",
        "Age of alerts: 60 seconds",
        "Limits: largest loss a day 2%, largest fall from the peak no limit, trades a day 5, losses in a row before a pause no limit, most of your agents' money in one asset no limit",
        "Multisig: Multisig1",
        "Vault: Vault1",
        "Trading key: Key1",
        "",
        "This signature is for this one change. It is used once.",
        "Signing moves no funds and costs nothing.",
        "",
        "URI: https://app.test",
        "Nonce: Nonce1",
        "Issued At: 2026-01-01T00:00:00.000Z",
        "Expiration Time: 2026-01-01T00:05:00.000Z",
      ].join("\n"),
    );
  });

  it("has no such lines for a change that pins nothing", () => {
    const text = ownerText({ ...parts, pinned: null });
    expect(text).toContain('"A".\n\nThis signature is for this one change.');
    expect(text).not.toContain("holds this agent");
  });

  it("differs whenever one part differs", () => {
    const all: OwnerText[] = [
      parts,
      { ...parts, pinned: null },
      ...others.map((other) => ({ ...parts, pinned: { ...pinned, ...other } })),
      { ...parts, host: "app.example" },
      { ...parts, origin: "http://app.test" },
      { ...parts, wallet: "Wallet2" },
      { ...parts, change: "Something else." },
      { ...parts, nonce: "Nonce2" },
      { ...parts, issuedAt: parts.issuedAt + 1 },
      { ...parts, expiresAt: parts.expiresAt + 1 },
    ];
    expect(new Set(all.map(ownerText)).size).toBe(all.length);
  });

  it("says plan and leverage where there are any", () => {
    const text = ownerText({ ...parts, pinned: { ...pinned, plan: PLAN, leverage: 3 } });
    expect(text).toContain(
      "\nLeverage: 3\nPlan: Stop 3 % on the losing side of the average entry. Close half at +4 %. From +2 % on the stop is at the average entry or better. Every 1 % against the average entry adds 25 % of the first entry, at most 2 times. The position is at most 60 % of the collateral. Close after 10 bars.\n",
    );
  });

  it("says so where there is no venue and no custody", () => {
    const text = ownerText({ ...parts, pinned: { ...pinned, venue: null, custody: null } });
    expect(text).toContain('Market: SOL-PERP on no venue, interval "1h"');
    expect(text).toContain("\nCustody: none\n");
  });

  it("keeps an interval with a line break on its line", () => {
    const text = ownerText({ ...parts, pinned: { ...pinned, interval: '1h"\nSlippage: 5%' } });
    expect(text.split("\n")).toHaveLength(ownerText(parts).split("\n").length);
  });
});

describe("what goes beyond the signed terms", () => {
  it("is nothing for the same and for tighter terms", () => {
    const tighter: Partial<PinnedTerms>[] = [
      {},
      { slippageBps: 49 },
      { positionSizePercent: 39 },
      { maxSignalAgeSeconds: 59 },
      { autoTrade: "off" },
      { limits: { ...pinned.limits, dayLossBps: 100, fallBps: 900 } },
    ];
    for (const each of tighter) expect(beyondSigned(pinned, { ...pinned, ...each })).toBeNull();
  });

  it.each<[what: string, stored: Partial<PinnedTerms>]>([
    ["network", { network: "devnet" }],
    ["venue", { venue: "jupiter" }],
    ["market", { marketId: "BTC-PERP" }],
    ["interval", { interval: "4h" }],
    ["slippage", { slippageBps: 51 }],
    ["position size", { positionSizePercent: 41 }],
    ["age of alerts", { maxSignalAgeSeconds: 61 }],
    ['limit "largest loss a day"', { limits: { ...pinned.limits, dayLossBps: 201 } }],
    ['limit "trades a day"', { limits: { ...pinned.limits, tradesPerDay: null } }],
    ["multisig", { custody: { ...pinned.custody!, multisig: "Multisig2" } }],
    ["vault", { custody: { ...pinned.custody!, vault: "Vault2" } }],
    ["trading key", { custody: { ...pinned.custody!, tradingKey: "Key2" } }],
    ["multisig", { custody: null }],
  ])("is named: %s", (what, stored) => {
    expect(beyondSigned(pinned, { ...pinned, ...stored })).toBe(
      `the owner has not signed its ${what}`,
    );
  });

  it("is a looser plan and leverage, not a tighter one", () => {
    const [stop, adds] = [PLAN.stop!, PLAN.adds!];
    const signed = { ...pinned, plan: PLAN, leverage: 3 };
    const beyond = (plan: Plan | undefined, leverage = 3) =>
      beyondSigned(signed, { ...signed, plan, leverage });
    const nearer: Plan = { ...PLAN, stop: { ...stop, at: { kind: "percent", bps: 200 } } };
    const trailed: Plan["stop"] = {
      ...stop,
      trail: { afterBps: 400, by: { kind: "percent", bps: 100 }, stepBps: 25 },
    };
    for (const tighter of [
      PLAN,
      nearer,
      { ...PLAN, stop: trailed },
      { ...PLAN, holdBars: 9, adds: { ...adds, times: 1 }, maxPositionPercent: 50 },
      { stop, targets: PLAN.targets, holdBars: 10 },
    ]) {
      expect(beyond(tighter, 2)).toBeNull();
    }
    expect(beyondSigned(pinned, { ...pinned, plan: { stop } })).toBeNull();
    const looser: readonly [string, Plan | undefined][] = [
      ["plan's stop", undefined],
      ["plan's stop", { ...PLAN, stop: { ...stop, at: { kind: "percent", bps: 301 } } }],
      ["plan's stop", { ...PLAN, stop: { at: stop.at } }],
      [
        "plan's stop",
        { ...PLAN, stop: { ...stop, at: { kind: "atr", length: 14, timesHundredths: 25 } } },
      ],
      ["plan's targets", { ...PLAN, targets: undefined }],
      ["plan's adds", { ...PLAN, adds: { ...adds, sizePercent: 26 } }],
      ["plan's adds", { ...PLAN, adds: { ...adds, on: { kind: "signal" } } }],
      ["plan's largest position", { ...PLAN, maxPositionPercent: 61 }],
      ["plan's time to hold", { ...PLAN, holdBars: undefined }],
      ["plan's closing without a stop", { ...PLAN, closeWithoutStop: false }],
    ];
    for (const [what, plan] of looser) {
      expect(beyond(plan)).toBe(`the owner has not signed its ${what}`);
    }
    expect(beyond(PLAN, 4)).toBe("the owner has not signed its leverage");
    expect(beyondSigned(pinned, { ...pinned, plan: PLAN })).toContain("plan's adds");
  });

  it("is everything while the newest text does not turn the agent on", () => {
    expect(beyondSigned({ ...pinned, autoTrade: "off" }, pinned)).toBe(
      "the owner has not signed its auto-trade",
    );
  });
});
