import { describe, expect, it } from "vitest";
import { parseAgentId } from "../../domain/ids.ts";
import type { ApprovalPorts } from "./page-ports.ts";
import { createApproval } from "./create-approval.ts";
import type { ApprovalPhase, FollowedTransaction, PreparedTransaction } from "./approval-phase.ts";

const ID = "a".repeat(32);
const SIGNATURE = "5".repeat(88);

const buildPrepared = (changes: Partial<PreparedTransaction> = {}): PreparedTransaction => ({
  id: ID,
  transaction: "AA==",
  method: "signAndSend",
  label: "Deposit",
  step: 1,
  stepCount: 1,
  network: "practice",
  multisig: "m".repeat(40),
  vault: "v".repeat(40),
  costs: {
    networkFeeLamports: "5000",
    rentLamports: "0",
    transferLamports: "0",
    quoteAmount: "500",
    quoteSymbol: "USDC",
    quoteDecimals: 6,
    unrecoverable: [],
  },
  tables: [],
  lastValidBlockHeight: "150",
  ...changes,
});

const buildFollowed = (changes: Partial<FollowedTransaction> = {}): FollowedTransaction => ({
  id: ID,
  agentId: parseAgentId("b".repeat(32)),
  intent: "deposit",
  step: 1,
  stepCount: 1,
  label: "Deposit",
  state: "sent",
  signature: SIGNATURE,
  hasNext: false,
  ...changes,
});

const summary = { feePayer: "w", signers: ["w"], effects: [], feeLamports: 5000n };

function buildPorts(changes: Partial<ApprovalPorts> = {}) {
  const seen: string[] = [];
  const kept = new Map<string, string>();
  let now = 0;
  let lastPrepared = buildPrepared();
  const unexpected = (name: string) => () => Promise.reject(new Error(`unexpected ${name}`));
  const ports: ApprovalPorts = {
    prepare: unexpected("prepare"),
    renew: (id) => Promise.resolve({ ...lastPrepared, id }),
    check: (prepared) => {
      lastPrepared = prepared;
      return Promise.resolve({ kind: "matches", summary });
    },
    sign: unexpected("sign"),
    signAndSend: unexpected("signAndSend"),
    signed: ({ prepared }) => void seen.push(`signed ${prepared.step}`),
    postSigned: unexpected("postSigned"),
    postSent: unexpected("postSent"),
    read: unexpected("read"),
    remember: (id, signature) =>
      void (signature === null ? kept.delete(id) : kept.set(id, signature)),
    recall: (id) => kept.get(id) ?? null,
    describe: (error) => ({ reason: error instanceof Error ? error.message : "?" }),
    walletName: "Practice wallet",
    wait: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    now: () => now,
    ...changes,
  };
  const approval = createApproval("deposit", ports);
  const phases: ApprovalPhase[] = [];
  approval.phase.subscribe((phase) => phases.push(phase));
  return { approval, phases, seen, kept, kinds: () => phases.map((phase) => phase.kind) };
}

const answering = <T>(...answers: T[]) => {
  const rest = [...answers];
  return () => {
    const next = rest.length > 1 ? rest.shift() : rest[0];
    return next instanceof Error
      ? Promise.reject(next)
      : Promise.resolve(next as Exclude<T, Error>);
  };
};

describe("createApproval", () => {
  it("goes from review to the wallet to confirmed", async () => {
    const { approval, kinds, kept } = buildPorts({
      prepare: answering(buildPrepared()),
      signAndSend: answering({ kind: "ok", value: SIGNATURE } as const),
      postSent: answering(buildFollowed()),
      read: answering(buildFollowed(), buildFollowed({ state: "confirmed" })),
    });
    await approval.start();
    await approval.approve();
    expect(kinds()).toEqual([
      "preparing",
      "review",
      "renewing",
      "wallet",
      "following",
      "following",
      "done",
    ]);
    expect(kept.size).toBe(0);
  });

  it("shows pending after 30 s without an answer and continues asking", async () => {
    let reads = 0;
    const { approval, phases } = buildPorts({
      read: () => {
        reads += 1;
        return Promise.resolve(buildFollowed({ state: reads > 40 ? "confirmed" : "sent" }));
      },
    });
    await approval.start(ID);
    const progress = phases.flatMap((phase) => (phase.kind === "following" ? phase.progress : []));
    expect(progress[0]).toBe("sent");
    expect(progress[1]).toBe("confirming");
    expect(progress.indexOf("pending")).toBe(30);
    expect(phases.at(-1)?.kind).toBe("done");
  });

  it("returns to the review after a refusal, with nothing sent", async () => {
    const { approval, phases, seen } = buildPorts({
      prepare: answering(buildPrepared()),
      signAndSend: answering({ kind: "refused" } as const),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({
      kind: "review",
      note: "You refused the request in Practice wallet. Nothing was sent.",
    });
    expect(seen).toEqual([]);
  });

  it("asks again with the same transaction after a refusal", async () => {
    let prepared = 0;
    const asked: string[] = [];
    const { approval, phases } = buildPorts({
      prepare: () => {
        prepared += 1;
        return Promise.resolve(buildPrepared());
      },
      signAndSend: ({ id }) => {
        asked.push(id);
        return Promise.resolve(
          asked.length === 1 ? { kind: "refused" } : { kind: "ok", value: SIGNATURE },
        );
      },
      postSent: answering(buildFollowed({ state: "confirmed" })),
    });
    await approval.start();
    await approval.approve();
    await approval.approve();
    expect(phases.at(-1)?.kind).toBe("done");
    expect(asked).toEqual([ID, ID]);
    expect(prepared).toBe(1);
  });

  it.each(["sign", "signAndSend"] as const)(
    "stops with nothing sent when the wallet has switched accounts (%s)",
    async (method) => {
      const changed = answering({ kind: "changed", error: new Error("Another account.") } as const);
      const { approval, phases, seen, kept } = buildPorts({
        prepare: answering(buildPrepared({ method })),
        sign: changed,
        signAndSend: changed,
      });
      await approval.start();
      await approval.approve();
      expect(phases.at(-1)).toMatchObject({
        kind: "stopped",
        outcome: "error",
        reason: "Another account.",
      });
      expect(seen).toEqual([]);
      expect(kept.size).toBe(0);
      await approval.approve();
      expect(phases.at(-1)?.kind).toBe("stopped");
    },
  );

  it("opens the wallet with a blockhash from the moment of approval", async () => {
    const asked: string[] = [];
    const { approval } = buildPorts({
      prepare: answering(buildPrepared()),
      renew: () => Promise.resolve(buildPrepared({ id: "c".repeat(32), transaction: "AQ==" })),
      signAndSend: ({ id, transaction }) => {
        asked.push(`${id.slice(0, 1)} ${transaction}`);
        return Promise.resolve({ kind: "refused" });
      },
    });
    await approval.start();
    await approval.approve();
    expect(asked).toEqual(["c AQ=="]);
  });

  it("never opens the wallet for a transaction that changed since the review", async () => {
    let checks = 0;
    const { approval, phases } = buildPorts({
      prepare: answering(buildPrepared()),
      check: () => {
        checks += 1;
        return Promise.resolve({
          kind: "matches",
          summary: { ...summary, feeLamports: BigInt(checks) },
        });
      },
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({
      kind: "blocked",
      reason: "It is no longer what you looked at.",
    });
  });

  it("prepares a new transaction for review when the chain would refuse the old one", async () => {
    const refused = Object.assign(new Error("Another transaction came first."), {});
    const { approval, phases } = buildPorts({
      prepare: answering(buildPrepared(), buildPrepared({ id: "d".repeat(32) })),
      renew: () => Promise.reject(refused),
      describe: () => ({ reason: refused.message, problem: { code: "transaction_refused" } }),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({
      kind: "review",
      prepared: { id: "d".repeat(32) },
      note: "It had to be prepared again. Another transaction came first.",
    });
  });

  it("succeeds without a second transaction when the wallet sent it without reporting it", async () => {
    const landed = new Error("Your wallet sent it already.");
    const { approval, phases, seen } = buildPorts({
      prepare: answering(buildPrepared()),
      renew: answering<PreparedTransaction | Error>(buildPrepared({ id: "c".repeat(32) }), landed),
      signAndSend: answering({ kind: "failed", reason: "Unexpected error" } as const),
      describe: () => ({
        reason: landed.message,
        problem: { code: "transaction_landed", transactionId: "d".repeat(32) },
      }),
      read: (id) => Promise.resolve(buildFollowed({ id, state: "confirmed" })),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({ kind: "review", note: "Unexpected error" });
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({ kind: "done", transaction: { id: "d".repeat(32) } });
    expect(phases.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  it("stays at the review while the server does not answer", async () => {
    const { approval, phases } = buildPorts({
      prepare: answering(buildPrepared()),
      renew: () => Promise.reject(new Error("No answer.")),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({ kind: "review", note: "No answer." });
  });

  it("renews a transaction that expired unsigned, without asking", async () => {
    const { approval, phases } = buildPorts({
      prepare: answering(buildPrepared()),
      read: answering(buildFollowed({ state: "expired", signature: undefined })),
    });
    await approval.start(ID);
    expect(phases.at(-1)).toMatchObject({ kind: "review" });
  });

  it("never opens the wallet for a mismatch", async () => {
    const { approval, phases } = buildPorts({
      prepare: answering(buildPrepared()),
      check: answering({
        kind: "mismatch",
        reason: "The amount is not what you asked for.",
      } as const),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({ kind: "blocked" });
  });

  it("prepares the next step by itself and asks again before the wallet opens", async () => {
    const { approval, phases, seen } = buildPorts({
      prepare: answering(
        buildPrepared({ method: "sign", step: 1, stepCount: 3 }),
        buildPrepared({ step: 2, stepCount: 3 }),
      ),
      sign: answering({ kind: "ok", value: "AQ==" } as const),
      postSigned: answering(buildFollowed({ state: "confirmed", hasNext: true })),
    });
    await approval.start();
    await approval.approve();
    expect(phases.at(-1)).toMatchObject({ kind: "review", prepared: { step: 2 } });
    expect(seen).toEqual(["signed 1"]);
  });

  it("asks again, and says what it waits for, while the exchange is not ready", async () => {
    const waiting = new Error("An auction runs.");
    const { approval, phases, kinds } = buildPorts({
      prepare: answering<PreparedTransaction | Error>(waiting, waiting, buildPrepared()),
      describe: (error) => ({
        reason: error instanceof Error ? error.message : "?",
        problem: { code: "order_waiting" },
      }),
    });
    await approval.start();
    expect(kinds()).toEqual(["preparing", "preparing", "preparing", "review"]);
    expect(phases[1]).toEqual({ kind: "preparing", waitsFor: "An auction runs." });
  });

  it("keeps the signature until the server knows it", async () => {
    const { approval, phases, kept } = buildPorts({
      prepare: answering(buildPrepared()),
      signAndSend: answering({ kind: "ok", value: SIGNATURE } as const),
      postSent: answering<FollowedTransaction | Error>(
        new Error("offline"),
        buildFollowed({ state: "confirmed" }),
      ),
    });
    await approval.start();
    await approval.approve();
    expect(phases.find((phase) => phase.kind === "unreported")).toMatchObject({
      signature: SIGNATURE,
    });
    expect(phases.at(-1)?.kind).toBe("done");
    expect(kept.size).toBe(0);
  });

  it("reports a kept signature first when resumed", async () => {
    const posted: string[] = [];
    const { approval, kept, phases } = buildPorts({
      postSent: (_id, signature) => {
        posted.push(signature);
        return Promise.resolve(buildFollowed({ state: "confirmed" }));
      },
    });
    kept.set(ID, SIGNATURE);
    await approval.start(ID);
    expect(posted).toEqual([SIGNATURE]);
    expect(phases.at(-1)?.kind).toBe("done");
  });

  it.each([
    ["failed", "The vault is empty."],
    ["expired", "The transaction expired before it was confirmed. No funds moved. Try again."],
  ] as const)("ends with a message when it %s", async (state, reason) => {
    const { approval, phases } = buildPorts({
      read: answering(buildFollowed({ state, reason: "The vault is empty." })),
    });
    await approval.start(ID);
    expect(phases.at(-1)).toMatchObject({ kind: "stopped", outcome: state, reason });
  });

  it("reports nothing once the user left", async () => {
    const { approval, phases } = buildPorts({ prepare: answering(buildPrepared()) });
    approval.leave();
    await approval.start();
    expect(phases).toEqual([]);
  });
});
