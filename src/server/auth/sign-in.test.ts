import { describe, expect, it } from "vitest";
import { createTestWallet } from "../../../test/wallet.ts";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";
import {
  challengeOf,
  createChallenge,
  isNonceLive,
  NONCE_MS,
  createNonceSeal,
  NONCE_BYTES,
} from "./sign-in.ts";

const issuedAt = Date.parse("2026-11-22T10:00:00.000Z");
const wallet = createTestWallet().address;

function buildDeps(nowMs = issuedAt, secret = 1) {
  const nonces = createNonceSeal(new Uint8Array(32).fill(secret), (length) =>
    new Uint8Array(length).fill(9),
  );
  return { clock: { now: () => nowMs }, nonces, publicUrl: new URL("https://app.test/") };
}

describe("the challenge of a sign-in", () => {
  it("is the Sign In With Solana text of this deployment, valid for five minutes", () => {
    const { message, nonce, expiresAt } = createChallenge(buildDeps(), wallet);
    expect(expiresAt).toBe("2026-11-22T10:05:00.000Z");
    expect(message.split("\n")).toEqual([
      "app.test wants you to sign in with your Solana account:",
      wallet,
      "",
      "Sign in to Wheelhouse. This moves no funds and costs nothing.",
      "",
      "URI: https://app.test",
      "Version: 1",
      "Chain ID: mainnet",
      `Nonce: ${nonce}`,
      "Issued At: 2026-11-22T10:00:00.000Z",
      "Expiration Time: 2026-11-22T10:05:00.000Z",
    ]);
  });

  it("is refused with the field's name for an address that no wallet can sign for", () => {
    const ask = (address: string) => () => createChallenge(buildDeps(), address);
    for (const address of ["", "no key", "1".repeat(32), `${wallet}1`]) {
      expect(ask(address)).toThrow(
        expect.objectContaining({
          code: "bad_request",
          fields: { walletAddress: "No wallet has this address." },
        }),
      );
    }
  });

  it("is reconstructed from the nonce, which stays used until it expires", () => {
    const { message, nonce } = createChallenge(buildDeps(), wallet);
    const later = buildDeps(issuedAt + NONCE_MS - 1);
    expect(challengeOf(later, wallet, nonce)).toEqual({ message, expiresAt: issuedAt + 300_000 });
  });

  it("is invalid for another wallet, secret or purpose, and after it expired", () => {
    const { nonce } = createChallenge(buildDeps(), wallet);
    expect(challengeOf(buildDeps(), createTestWallet().address, nonce)).toBeNull();
    expect(challengeOf(buildDeps(issuedAt, 2), wallet, nonce)).toBeNull();
    expect(challengeOf(buildDeps(issuedAt + NONCE_MS), wallet, nonce)).toBeNull();
    for (const purpose of [[wallet], ["confirm", wallet], ["", wallet]]) {
      const other = buildDeps().nonces.seal(purpose, issuedAt);
      expect(challengeOf(buildDeps(), wallet, other)).toBeNull();
    }
    expect(buildDeps().nonces.open(["sign in", wallet], nonce)).toBe(issuedAt);
  });

  it("may come from a server whose clock is at most a minute ahead", () => {
    expect(isNonceLive(issuedAt + 60_000, issuedAt)).toBe(true);
    expect(isNonceLive(issuedAt + 60_001, issuedAt)).toBe(false);
    expect(isNonceLive(issuedAt, issuedAt + NONCE_MS - 1)).toBe(true);
    expect(isNonceLive(issuedAt, issuedAt + NONCE_MS)).toBe(false);
  });
});

describe("a sealed nonce", () => {
  it("is accepted only unchanged: any other byte or length is refused", () => {
    const { nonces } = buildDeps();
    const nonce = nonces.seal(["a"], issuedAt);
    const bytes = decodeBase58(nonce, NONCE_BYTES)!;
    expect(nonces.open(["a"], nonce)).toBe(issuedAt);
    expect(nonces.open(["b"], nonce)).toBeNull();
    for (const at of bytes.keys()) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= 1;
      expect(nonces.open(["a"], encodeBase58(changed))).toBeNull();
    }
    for (const other of ["", "0", nonce.slice(1), `${nonce}1`]) {
      expect(nonces.open(["a"], other)).toBeNull();
    }
  });

  it("differs by its random part", () => {
    let next = 0;
    const nonces = createNonceSeal(new Uint8Array(32), (length) =>
      new Uint8Array(length).fill(next++),
    );
    expect(nonces.seal(["a"], issuedAt)).not.toBe(nonces.seal(["a"], issuedAt));
  });

  it("is not sealed with the session secret itself, which has other uses", () => {
    const bytes = decodeBase58(buildDeps().nonces.seal(["a"], issuedAt), NONCE_BYTES)!;
    // Made once with OpenSSL: HMAC-SHA256 under HMAC-SHA256(secret, "nonce seal"), first 16 bytes
    expect(Buffer.from(bytes.subarray(22)).toString("hex")).toBe(
      "83c7d67371d255a11861e8a8b8447e20",
    );
  });
});
