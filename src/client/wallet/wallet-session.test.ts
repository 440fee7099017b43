import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, compileOffchainMessageV1Envelope } from "@solana/kit";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { encodeBase58 } from "../../domain/base58.ts";
import { createPracticeWallet } from "./practice-wallet.ts";
import type { PracticeKey } from "./practice-key.ts";
import { WalletError } from "./wallet-error.ts";
import { ABSENT_AFTER_MS, createWalletSession } from "./wallet-session.ts";
import type { WalletEvent } from "./wallet-state.ts";

type PracticeWallet = ReturnType<typeof createPracticeWallet>;

const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const owner = encodeBase58(publicKey);
const otherSecret = new Uint8Array(32).fill(8);

function buildRegistry() {
  const wallets: PracticeWallet[] = [];
  const listeners = new Set<() => void>();
  return {
    get: () => wallets,
    on(_event: string, listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(wallet: PracticeWallet) {
      wallets.push(wallet);
      listeners.forEach((listener) => listener());
    },
  };
}

let isTrusted = false;
/** The account the wallet holds; another one as of the next connection. */
let held = secret;
/** Answer in place of the wallet's key; absent where it opens. */
let openKey: (() => Promise<never>) | undefined;
let approve: () => Promise<void> = () => Promise.resolve();
let prompts = 0;
let sent: string[] = [];

function buildPracticeWallet(): PracticeWallet {
  const key = (): PracticeKey => {
    const shown = held;
    const shownKey = ed25519.getPublicKey(shown);
    return {
      publicKey: shownKey,
      address: encodeBase58(shownKey),
      isTrusted,
      sign: (bytes) => ed25519.sign(bytes, shown),
      setTrusted: (next) => (isTrusted = next),
    };
  };
  return createPracticeWallet({
    openKey: () => openKey?.() ?? Promise.resolve(key()),
    approve: () => {
      prompts++;
      return approve();
    },
    send: (transaction) => {
      sent.push(transaction);
      return Promise.resolve(encodeBase58(new Uint8Array(64).fill(9)));
    },
  });
}

function setUp({ isInstalled = true } = {}) {
  const registry = buildRegistry();
  if (isInstalled) registry.add(buildPracticeWallet());
  const session = createWalletSession(registry);
  const events: WalletEvent[] = [];
  session.onEvent((event) => events.push(event));
  session.start();
  return { registry, session, events, status: () => session.store.getState().status };
}

/** Unsigned v0 transaction that asks for one signature of the key. */
function buildTransaction(key: Uint8Array): Uint8Array {
  const message = [0x80, 1, 0, 0, 1, ...key, ...new Uint8Array(32), 0, 0];
  return Uint8Array.from([1, ...new Uint8Array(64), ...message]);
}

beforeEach(() => {
  isTrusted = false;
  held = secret;
  openKey = undefined;
  approve = () => Promise.resolve();
  prompts = 0;
  sent = [];
});

describe("discovery", () => {
  it("reports a wallet as absent only after half a second to register", () => {
    vi.useFakeTimers();
    const { status } = setUp({ isInstalled: false });
    expect(status()).toBe("disconnected");
    vi.advanceTimersByTime(ABSENT_AFTER_MS);
    expect(status()).toBe("absent");
    vi.useRealTimers();
  });

  it("notices a wallet that registers late", () => {
    vi.useFakeTimers();
    const { registry, session, status } = setUp({ isInstalled: false });
    vi.advanceTimersByTime(ABSENT_AFTER_MS);
    registry.add(buildPracticeWallet());
    expect(status()).toBe("disconnected");
    expect(session.store.getState().available).toEqual(["practice"]);
    vi.useRealTimers();
  });
});

describe("connecting", () => {
  it("passes through connecting to connected without a prompt", async () => {
    const { session, events, status } = setUp();
    const connecting = session.connect("practice");
    expect(status()).toBe("connecting");
    const address = await connecting;
    expect(address).toBe(encodeBase58(publicKey));
    expect(session.store.getState()).toMatchObject({
      status: "connected",
      type: "practice",
      address,
    });
    expect(events).toEqual([{ kind: "connected", type: "practice", address, silently: false }]);
    expect(prompts).toBe(0);
  });

  it("stays disconnected when the wallet refuses, and says so", async () => {
    openKey = () => Promise.reject(Object.assign(new Error("no"), { code: 4001 }));
    const { session, events, status } = setUp();
    await expect(session.connect("practice")).rejects.toMatchObject({
      kind: "connection",
      reason: "refused",
      title: "Connection failed",
    });
    expect(status()).toBe("disconnected");
    expect(events).toEqual([]);
  });

  it("is silent and without a prompt only when the wallet knows the page", async () => {
    const { session, status } = setUp();
    await expect(session.connectSilently("practice")).resolves.toBeNull();
    expect(status()).toBe("disconnected");
    isTrusted = true;
    await expect(session.connectSilently("practice")).resolves.toBe(encodeBase58(publicKey));
    expect(prompts).toBe(0);
  });

  it("names the missing wallet", async () => {
    const { session } = setUp();
    await expect(session.connect("phantom")).rejects.toMatchObject({ kind: "not-ready" });
  });
});

describe("signing", () => {
  it("signs a message with a signature that verifies", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const { signature } = await session.signMessage("Zeichen: ä");
    expect(ed25519.verify(signature, new TextEncoder().encode("Zeichen: ä"), publicKey)).toBe(true);
  });

  describe("by a wallet in front of a hardware wallet", () => {
    const text = "app.test asks\nfor a text";
    const enveloped = (content = text) =>
      Uint8Array.from(
        compileOffchainMessageV1Envelope({
          version: 1,
          content,
          requiredSignatories: [{ address: owner as Address }],
        }).content,
      );

    async function connected(features: object, listed: readonly string[]) {
      const { registry, session } = setUp();
      await session.connect("practice");
      const [wallet] = registry.get();
      Object.assign(wallet!.features, features);
      Object.defineProperty(wallet!.accounts[0], "features", { value: listed });
      return session;
    }

    it("asks for an off-chain message where the account signs no other", async () => {
      const asked: unknown[] = [];
      const signOffchainMessage = async (input: { readonly message: string }) => {
        asked.push(input);
        const signedOffchainMessage = enveloped(input.message);
        return [{ signedOffchainMessage, signature: ed25519.sign(signedOffchainMessage, secret) }];
      };
      const session = await connected({ "solana:signOffchainMessage": { signOffchainMessage } }, [
        "solana:signOffchainMessage",
      ]);
      const { signature, signedMessage } = await session.signMessage(text);
      expect(signedMessage).toEqual(enveloped());
      expect(ed25519.verify(signature, enveloped(), publicKey)).toBe(true);
      expect(asked).toMatchObject([
        { message: text, messageVersion: 1, requiredSigners: [publicKey] },
      ]);
    });
  });

  it("puts its signature at the index that the message assigns", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const unsigned = buildTransaction(publicKey);
    const signed = await session.signTransaction(unsigned, "practice", owner);
    expect(ed25519.verify(signed.slice(1, 65), unsigned.slice(65), publicKey)).toBe(true);
    expect(signed.slice(65)).toEqual(unsigned.slice(65));
  });

  it("signs version 1 behind its message", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const head = [0x81, 1, 0, 0, 0, 0, 0, 0, ...new Uint8Array(32).fill(4), 0, 1, ...publicKey];
    const unsigned = Uint8Array.from([...head, ...new Uint8Array(64)]);
    const signed = await session.signTransaction(unsigned, "practice", owner);
    const message = Uint8Array.from(head);
    expect(signed.slice(0, head.length)).toEqual(message);
    expect(ed25519.verify(signed.slice(head.length), message, publicKey)).toBe(true);
  });

  it("lists the versions the wallet both signs and sends, and none without a wallet", async () => {
    const { registry, session } = setUp({ isInstalled: false });
    const practice = buildPracticeWallet();
    registry.add(practice);
    expect(session.transactionVersions()).toEqual([]);
    await session.connect("practice");
    expect(session.transactionVersions()).toEqual(["legacy", 0, 1]);
    const { features } = practice;
    Object.assign(features["solana:signTransaction"], { supportedTransactionVersions: [0, 1, 2] });
    Object.assign(features["solana:signAndSendTransaction"], { supportedTransactionVersions: [0] });
    expect(session.transactionVersions()).toEqual([0]);
  });

  it("sends what it signed and returns the network's signature", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const signature = await session.signAndSendTransaction(
      buildTransaction(publicKey),
      "practice",
      owner,
    );
    expect(signature).toEqual(new Uint8Array(64).fill(9));
    expect(sent).toHaveLength(1);
  });

  it("never signs for a network with real money", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const before = prompts;
    await expect(
      session.signTransaction(buildTransaction(publicKey), "mainnet", owner),
    ).rejects.toBeInstanceOf(WalletError);
    expect(prompts).toBe(before);
  });

  it("refuses a transaction that does not ask for its signature", async () => {
    const { session } = setUp();
    await session.connect("practice");
    await expect(
      session.signTransaction(buildTransaction(new Uint8Array(32).fill(1)), "practice", owner),
    ).rejects.toMatchObject({ kind: "sign-transaction" });
  });

  it("asks the wallet one thing at a time", async () => {
    const { session } = setUp();
    await session.connect("practice");
    const open: (() => void)[] = [];
    approve = () => new Promise((resolve) => open.push(resolve));
    const both = Promise.all([session.signMessage("one"), session.signMessage("two")]);
    await expect.poll(() => open).toHaveLength(1);
    open[0]?.();
    await expect.poll(() => open).toHaveLength(2);
    open[1]?.();
    await expect(both).resolves.toHaveLength(2);
  });

  it("signs only as the requested account, whenever the wallet switches", async () => {
    const { registry, session, events } = setUp();
    await session.connect("practice");
    const open: (() => void)[] = [];
    approve = () => new Promise((resolve) => open.push(resolve));
    const first = session.signMessage("while this waits");
    const transactions = [
      session.signTransaction(buildTransaction(publicKey), "practice", owner),
      session.signAndSendTransaction(buildTransaction(publicKey), "practice", owner),
    ].map((signing) =>
      expect(signing).rejects.toMatchObject({
        kind: "account-changed",
        title: "Wallet account changed",
        message:
          "Practice wallet shows another account now. Nothing was sent. Switch back to go on.",
      }),
    );
    await expect.poll(() => open).toHaveLength(1);
    held = otherSecret;
    await registry.get()[0]?.features["standard:connect"].connect({ silent: true });
    expect(events.at(-1)).toMatchObject({ kind: "account-changed" });
    open[0]?.();
    await first;
    await Promise.all(transactions);
    expect(open).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  it("needs a connection", async () => {
    const { session } = setUp();
    await expect(session.signMessage("x")).rejects.toMatchObject({ kind: "not-connected" });
  });
});

describe("the end of a connection", () => {
  it("is reported when the wallet drops it, and not when the user asked for it", async () => {
    const { registry, session, events, status } = setUp();
    await session.connect("practice");
    await registry.get()[0]?.features["standard:disconnect"].disconnect();
    expect(status()).toBe("disconnected");
    expect(events.at(-1)).toEqual({ kind: "dropped", type: "practice" });

    await session.connect("practice");
    const told = events.length;
    await session.disconnect();
    expect(session.store.getState()).toMatchObject({
      status: "disconnected",
      address: "",
      type: null,
    });
    expect(events).toHaveLength(told);
  });
});
