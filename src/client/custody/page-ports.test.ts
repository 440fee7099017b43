import { ed25519 } from "@noble/curves/ed25519.js";
import { beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { parseOwner } from "../../domain/ids.ts";
import { toBase64 } from "../lib/base64.ts";
import { createPracticeWallet } from "../wallet/practice-wallet.ts";
import { createWalletSession } from "../wallet/wallet-session.ts";
import type { PreparedTransaction } from "./approval-phase.ts";
import { pagePorts } from "./page-ports.ts";

const mine = new Uint8Array(32).fill(7);
const another = new Uint8Array(32).fill(8);
const publicKey = ed25519.getPublicKey(mine);
const owner = encodeBase58(publicKey);

/** The account the wallet shows; what its window answers; what it sent. */
let held = mine;
let answer: () => Promise<void> = () => Promise.resolve();
let sent: string[] = [];

beforeEach(() => {
  held = mine;
  answer = () => Promise.resolve();
  sent = [];
});

/** Unsigned v0 transaction that asks for the owner's signature alone. */
const transaction = Uint8Array.from([
  1,
  ...new Uint8Array(64),
  0x80,
  1,
  0,
  0,
  1,
  ...publicKey,
  ...new Uint8Array(32),
  0,
  0,
]);

const prepared = {
  transaction: toBase64(transaction),
  network: "practice",
} as PreparedTransaction;

async function connect() {
  const practice = createPracticeWallet({
    openKey: () => {
      const secret = held;
      const shown = ed25519.getPublicKey(secret);
      return Promise.resolve({
        publicKey: shown,
        address: encodeBase58(shown),
        isTrusted: true,
        sign: (bytes: Uint8Array) => ed25519.sign(bytes, secret),
        setTrusted: () => {},
      });
    },
    approve: () => answer(),
    send: (bytes) => {
      sent.push(bytes);
      return Promise.resolve(encodeBase58(new Uint8Array(64).fill(9)));
    },
  });
  const session = createWalletSession({ get: () => [practice], on: () => () => {} });
  session.start();
  await session.connect("practice");
  const asked = {
    intent: "deposit",
    agentId: agentIdOf("a"),
    venue: "drift",
    wallet: parseOwner(owner),
    market: "SOL-PERP",
    asset: null,
    amount: "1",
  } as const;
  return {
    ports: pagePorts(asked, {
      name: "Practice wallet",
      ...session,
    }),
    async switchAccount() {
      held = another;
      await practice.features["standard:connect"].connect({ silent: true });
    },
  };
}

describe("an approval's way to the wallet", () => {
  it("returns what the wallet signed, and the signature of what it sent", async () => {
    const { ports } = await connect();
    const signed = await ports.sign(prepared);
    if (signed.kind !== "ok") throw new Error(signed.kind);
    const bytes = Uint8Array.from(atob(signed.value), (char) => char.charCodeAt(0));
    expect(ed25519.verify(bytes.slice(1, 65), transaction.slice(65), publicKey)).toBe(true);
    expect(await ports.signAndSend(prepared)).toEqual({
      kind: "ok",
      value: encodeBase58(new Uint8Array(64).fill(9)),
    });
  });

  it("treats a refusal as an answer and sends nothing", async () => {
    const { ports } = await connect();
    answer = () => Promise.reject(Object.assign(new Error("no"), { code: 4001 }));
    expect(await ports.sign(prepared)).toEqual({ kind: "refused" });
    expect(await ports.signAndSend(prepared)).toEqual({ kind: "refused" });
    expect(sent).toEqual([]);
  });

  it("asks only the account that the transaction was made for", async () => {
    const { ports, switchAccount } = await connect();
    let windows = 0;
    await switchAccount();
    answer = () => {
      windows += 1;
      return Promise.resolve();
    };
    expect(await ports.sign(prepared)).toMatchObject({ kind: "changed" });
    expect(await ports.signAndSend(prepared)).toMatchObject({ kind: "changed" });
    expect(windows).toBe(0);
    expect(sent).toEqual([]);
  });

  it("describes other wallet failures in words", async () => {
    const { ports } = await connect();
    answer = () => Promise.reject(new Error("broken"));
    expect(await ports.sign(prepared)).toEqual({
      kind: "failed",
      reason: "Practice wallet could not do that.",
    });
  });
});
