import { describe, expect, it } from "vitest";
import { TERMS, signFact } from "../../../../test/signed-fact.ts";
import { createEnvelopeWallet, createTestWallet } from "../../../../test/wallet.ts";
import type { OwnerFact } from "../../../contract/owner-facts.ts";
import { encodeBase58 } from "../../../domain/base58.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { PinnedTerms } from "../../../domain/owner-text.ts";
import type { Effect } from "../../../venues/effect.ts";
import type { TransactionSummary } from "../approval-phase.ts";
import { holdToNote } from "./check-prepared.ts";

const wallet = createTestWallet();
const stranger = createTestWallet();
const other = createTestWallet().address;
const custody = TERMS.custody ?? { multisig: "", vault: "", tradingKey: "" };

const asked = {
  intent: "withdraw",
  agentId: TERMS.agentId,
  venue: "drift",
  wallet: parseOwner(wallet.address),
  market: "SOL-PERP",
  asset: null,
  amount: "1",
} as const;

/** Returns a text as the server shows it. */
function factOf(by = wallet, pinned: Partial<PinnedTerms> = {}): OwnerFact {
  const { kind, at, text, signature, parts } = signFact(by, { pinned: { ...TERMS, ...pinned } });
  const shown = {
    kind,
    at: at.toISOString(),
    wallet: by.address,
    text,
    signature: encodeBase58(signature),
    parts,
  };
  return shown as unknown as OwnerFact;
}

const withdrawn = {
  kind: "key_withdrawn",
  at: "2026-01-01T00:00:00.000Z",
  tradingKey: custody.tradingKey,
};

interface Changes {
  readonly prepared?: { readonly multisig: string; readonly vault: string };
  readonly effects?: readonly Effect[];
  readonly pinned?: string;
  readonly key?: string;
}

function hold(
  facts: readonly unknown[],
  { prepared = custody, effects = [], pinned, key }: Changes = {},
) {
  const summary: TransactionSummary = {
    feePayer: wallet.address,
    signers: [],
    effects,
    feeLamports: 5_000n,
  };
  return holdToNote({ kind: "matches", summary }, prepared as never, asked, {
    facts: facts as readonly OwnerFact[],
    pinned: { multisig: pinned ?? null, tradingKey: key ?? null },
  });
}

const keyTo = (tradingKey: string | null): Effect => ({
  kind: "trading-key",
  account: other,
  tradingKey,
});
const creation: Effect = { kind: "create-multisig", multisig: other, owner: wallet.address };
const elsewhere = { multisig: other, vault: other };

describe("a transaction, held to the text its owner signed", () => {
  const unvouched = (facts: readonly unknown[], changes: Changes) => {
    const checked = hold(facts, changes);
    return checked.kind === "matches" ? (checked.summary.unvouched ?? []) : checked;
  };

  it("is known in a browser that never saw the vault", () => {
    expect(unvouched([factOf()], { effects: [keyTo(custody.tradingKey)] })).toEqual([]);
  });

  it("is neither known nor refused without a text, or before custody was planned", () => {
    for (const facts of [[], [{ kind: "off", at: "" }], [factOf(wallet, { custody: null })]]) {
      expect(unvouched(facts, { prepared: elsewhere })).toEqual(["vault"]);
      expect(unvouched(facts, { prepared: elsewhere, effects: [keyTo(other)] })).toEqual([
        "vault",
        "trading key",
      ]);
    }
  });

  it("is known by what this browser saw: its vault, the first key there, and that key alone afterwards", () => {
    const seen = { prepared: elsewhere, pinned: other, effects: [keyTo(other)] };
    expect(unvouched([], seen)).toEqual([]);
    expect(unvouched([], { ...seen, key: other })).toEqual([]);
    expect(unvouched([], { ...seen, key: custody.tradingKey })).toEqual(["trading key"]);
    expect(unvouched([], { ...seen, key: custody.tradingKey, effects: [keyTo(null)] })).toEqual([]);
  });

  it.each([
    ["another multisig", { ...custody, multisig: other }],
    ["another vault", { ...custody, vault: other }],
  ])("is refused for %s, in plain words", (_, prepared) => {
    expect(hold([factOf()], { prepared })).toEqual({
      kind: "mismatch",
      reason: `You signed that this agent's vault is ${custody.vault}. This transaction is about another one.`,
    });
  });

  const honest = factOf() as Extract<OwnerFact, { kind: "signed" }>;
  it.each<[string, unknown]>([
    ["that another wallet signed", factOf(stranger)],
    [
      "of another wallet in its owner's name",
      { ...factOf(stranger), wallet: wallet.address, parts: { ...honest.parts } },
    ],
    [
      "whose parts say something else",
      {
        ...honest,
        parts: {
          ...honest.parts,
          pinned: { ...honest.parts.pinned, custody: { ...custody, ...elsewhere } },
        },
      },
    ],
    [
      "changed together with its parts",
      {
        ...factOf(stranger, { custody: { ...custody, ...elsewhere } }),
        signature: honest.signature,
      },
    ],
    ["about another agent", factOf(wallet, { agentId: "b".repeat(32) as never })],
    ["without a signature", { ...honest, signature: "" }],
    ["with a signature of zeros", { ...honest, signature: encodeBase58(new Uint8Array(64)) }],
  ])("is refused when the server shows a text %s", (_, fact) => {
    const checked = hold([fact], { prepared: elsewhere });
    expect(checked).toMatchObject({
      kind: "mismatch",
      reason: expect.stringMatching(/your wallet did not sign/),
    });
    // What this browser saw itself does not excuse a forged text
    expect(hold([fact], { prepared: elsewhere, pinned: other }).kind).toBe("mismatch");
  });

  it("is held to a text that a hardware wallet signed in its envelope", () => {
    const hardware = createEnvelopeWallet();
    const own = { ...asked, wallet: parseOwner(hardware.address) };
    const summary = { feePayer: hardware.address, signers: [], effects: [], feeLamports: 5_000n };
    const held = (facts: readonly OwnerFact[]) =>
      holdToNote({ kind: "matches", summary }, custody as never, own, {
        facts,
        pinned: { multisig: null, tradingKey: null },
      });
    const fact = factOf(hardware);
    expect(held([fact])).toEqual({ kind: "matches", summary });
    const moved = { ...custody, ...elsewhere };
    const forged = factOf({ ...hardware, sign: () => wallet.sign("x") }, { custody: moved });
    expect(held([forged]).kind).toBe("mismatch");
  });

  it("is held to the newest text", () => {
    const newer = factOf(wallet, { custody: { ...custody, ...elsewhere } });
    expect(hold([newer, factOf()], { prepared: elsewhere }).kind).toBe("matches");
    expect(hold([newer, factOf()]).kind).toBe("mismatch");
  });

  it("may be about a multisig it creates, or whose creation this browser saw", () => {
    expect(hold([factOf()], { prepared: elsewhere, effects: [creation] }).kind).toBe("matches");
    expect(hold([factOf()], { prepared: elsewhere, pinned: other }).kind).toBe("matches");
  });

  it("gives rights to no other trading key, also where the server says that the signed one was withdrawn", () => {
    const given = { effects: [keyTo(other)] };
    expect(hold([factOf()], given)).toEqual({
      kind: "mismatch",
      reason: `The trading key would be another one than you signed for: ${custody.tradingKey}.`,
    });
    expect(hold([factOf()], { ...given, prepared: elsewhere, pinned: other }).kind).toBe(
      "mismatch",
    );
    expect(hold([withdrawn, factOf()], given).kind).toBe("mismatch");
    const next = factOf(wallet, { custody: { ...custody, tradingKey: other } });
    expect(hold([next, withdrawn, factOf()], given).kind).toBe("matches");
    for (const key of [custody.tradingKey, null]) {
      expect(hold([factOf()], { effects: [keyTo(key)] }).kind).toBe("matches");
    }
  });
});
