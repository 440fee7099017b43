import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import { signFact, TERMS } from "../../../../test/signed-fact.ts";
import { createEnvelopeWallet, createTestWallet } from "../../../../test/wallet.ts";
import { type HeldTerms, NOTHING_HELD } from "../../store/signer/held-terms.ts";
import type { OwnerFactRecord } from "../../store/agents/owner-facts.ts";
import { type FactSurroundings, judgeFacts } from "./read-signing-agent.ts";

const wallet = createTestWallet();
const stranger = createTestWallet();
const at = new Date(0);
const around: FactSurroundings = {
  agentId: TERMS.agentId,
  host: "app.test",
  nowMs: 10_000,
  isOwner: async (address) => address === wallet.address,
};

const judge = (facts: readonly OwnerFactRecord[], before: HeldTerms = NOTHING_HELD) =>
  judgeFacts(before, facts, around);

const accepted = signFact(wallet);
const off: OwnerFactRecord = { seq: "2", at, kind: "off" };

describe("what an owner signed", () => {
  it("is held once the owner of the multisig signed it, the newest alone", async () => {
    const newer = signFact(wallet, {
      seq: "2",
      issuedAt: 1_001,
      pinned: { ...TERMS, slippageBps: 500 },
    });
    expect(await judge([accepted])).toEqual({
      seq: "1",
      issuedAt: 1_000,
      terms: TERMS,
      isOff: false,
      withdrawnKeys: [],
      refused: null,
    });
    expect((await judge([accepted, newer])).terms?.slippageBps).toBe(500);
    expect((await judge([accepted, off])).isOff).toBe(true);
    expect((await judge([accepted, off, { ...newer, seq: "3" }])).isOff).toBe(false);
  });

  it("is held with its plan and leverage, whatever order the store keeps their fields in", async () => {
    const plan: Plan = {
      stop: {
        at: { kind: "percent", bps: 300 },
        trail: {
          afterBps: 400,
          by: { kind: "atr", length: 14, timesHundredths: 150 },
          stepBps: 25,
        },
      },
      targets: [{ at: { kind: "r", timesHundredths: 200 }, closePercent: 50 }],
      adds: { on: { kind: "favour", bps: 100 }, times: 1, sizePercent: 50 },
    };
    const fact = signFact(wallet, { pinned: { ...TERMS, plan, leverage: 2 } });
    const { targets, adds, stop } = plan;
    const stored = { ...fact.parts.pinned, plan: { targets, adds, stop } };
    const held = await judge([{ ...fact, parts: { ...fact.parts, pinned: stored } }]);
    expect([held.refused, held.terms?.plan, held.terms?.leverage]).toEqual([null, plan, 2]);
    const other = { ...stored, plan: { targets, adds } };
    const forged = await judge([{ ...fact, parts: { ...fact.parts, pinned: other } }]);
    expect(forged.refused).toBe("is not what the wallet signed");
  });

  it("may be signed in the envelope of a hardware wallet, for this host alone", async () => {
    const hardware = createEnvelopeWallet();
    const own = { ...around, isOwner: async (address: string) => address === hardware.address };
    const judged = (fact: OwnerFactRecord) => judgeFacts(NOTHING_HELD, [fact], own);
    const fact = signFact(hardware);
    expect((await judged(fact)).terms).toEqual(TERMS);
    const changed = { ...fact, parts: { ...fact.parts, pinned: { ...TERMS, slippageBps: 500 } } };
    expect((await judged(changed)).refused).toBe("is not what the wallet signed");
  });

  it("may name any port of the deployment's host", async () => {
    expect((await judge([signFact(wallet, { host: "app.test:4601" })])).terms).toEqual(TERMS);
  });

  it("may be issued by a clock that is a minute ahead", async () => {
    const fact = signFact(wallet, { issuedAt: around.nowMs + 60_000 });
    expect((await judge([fact])).terms).toEqual(TERMS);
  });

  const changed = (change: Partial<typeof accepted>): OwnerFactRecord => ({
    ...accepted,
    ...change,
  });
  const flipped = Uint8Array.from(accepted.signature, (byte, place) =>
    place === 40 ? byte ^ 1 : byte,
  );

  it.each<[string, OwnerFactRecord]>([
    ["is of another host", signFact(wallet, { host: "evil.test" })],
    ["is of another agent", signFact(wallet, { pinned: { ...TERMS, agentId: agentIdOf("b") } })],
    ["names another wallet than it is kept for", changed({ wallet: stranger.address })],
    ["is from the future", signFact(wallet, { issuedAt: around.nowMs + 60_001 })],
    ["is not what the wallet signed", changed({ text: accepted.text.replace("0.5%", "0.6%") })],
    ["is not what the wallet signed", changed({ text: `${accepted.text} ` })],
    ["is not what the wallet signed", changed({ signature: flipped })],
    ["is not what the wallet signed", changed({ signature: new Uint8Array(64) })],
    [
      "is not what the wallet signed",
      changed({ parts: { ...accepted.parts, pinned: { ...TERMS, slippageBps: 500 } } }),
    ],
    [
      "is not what the wallet signed",
      changed({ signature: signFact({ ...stranger, address: wallet.address }).signature }),
    ],
    ["is not signed by the multisig's owner", signFact(stranger)],
    [
      "has parts that are not understood",
      changed({ parts: { ...accepted.parts, leverage: 5 } as typeof accepted.parts }),
    ],
    [
      "has parts that are not understood",
      signFact(wallet, { change: "Nothing.\n\nUntil you sign something newer" }),
    ],
    [
      "has parts that are not understood",
      signFact(wallet, { pinned: { ...TERMS, slippageBps: 20_000 } }),
    ],
    ["is not newer than the one in force", signFact(wallet, { issuedAt: 0 })],
    ["has parts that are not understood", signFact(wallet, { issuedAt: -1 })],
  ])("%s: it is refused and loosens nothing", async (why, fact) => {
    expect(await judge([fact])).toEqual({ ...NOTHING_HELD, seq: fact.seq, refused: why });
    const held = await judge([accepted, off]);
    const after = await judge([{ ...fact, seq: "3" }], held);
    expect(after).toMatchObject({ seq: "3", terms: TERMS, issuedAt: 1_000, isOff: true });
    expect(after.refused).not.toBeNull();
  });

  it("does not return once a newer text was held: not again, and not an older one", async () => {
    const newer = signFact(wallet, {
      seq: "2",
      issuedAt: 1_001,
      pinned: { ...TERMS, slippageBps: 10 },
    });
    const held = await judge([accepted, newer]);
    for (const issuedAt of [999, 1_000, 1_001]) {
      const older = signFact(wallet, { seq: "3", issuedAt });
      const after = await judge([older], held);
      expect(after.terms?.slippageBps).toBe(10);
      expect(after.refused).toBe("is not newer than the one in force");
    }
  });

  it("is held after a refused text, of which nothing is said any more", async () => {
    const refused = signFact(wallet, { host: "evil.test" });
    const held = await judge([refused, { ...accepted, seq: "2" }]);
    expect(held).toMatchObject({ seq: "2", terms: TERMS, refused: null });
  });

  it("does not bring back a withdrawn key", async () => {
    const { tradingKey } = TERMS.custody!;
    const withdrawn: OwnerFactRecord = { seq: "1", at, kind: "key_withdrawn", tradingKey };
    const held = await judge([withdrawn, { ...withdrawn, seq: "2" }, { ...accepted, seq: "3" }]);
    expect(held).toMatchObject({ terms: TERMS, withdrawnKeys: [tradingKey] });
    const next: OwnerFactRecord = { ...withdrawn, seq: "4", tradingKey: TERMS.custody!.vault };
    const later = await judge([next], held);
    expect(later.withdrawnKeys).toEqual([tradingKey, TERMS.custody!.vault]);
  });

  it("asks the chain for nothing that is refused without it", async () => {
    let asked = 0;
    const counting = { ...around, isOwner: async () => (asked += 1) > 0 };
    await judgeFacts(NOTHING_HELD, [changed({ signature: flipped })], counting);
    expect(asked).toBe(0);
    await judgeFacts(NOTHING_HELD, [accepted], counting);
    expect(asked).toBe(1);
  });
});
