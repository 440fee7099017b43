import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../domain/base58.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";
import { isSignedBy, isWalletAddress } from "./wallet-key.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
const base58 = (text: string) => encodeBase58(hex(text));

/** RFC 8032, section 7.1, tests 1 to 3: public key, message, signature. */
const PUBLISHED = [
  [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ],
  [
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ],
  [
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  ],
] as const;

const SMALL_ORDER = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
];

describe("a wallet's key", () => {
  it.each(PUBLISHED)(
    "%s verifies the signature published in RFC 8032, and no other",
    (key, text, signature) => {
      expect(isWalletAddress(base58(key))).toBe(true);
      expect(isSignedBy(base58(key), hex(text), base58(signature))).toBe(true);
      expect(isSignedBy(base58(key), hex(`${text}00`), base58(signature))).toBe(false);
      for (const [other] of PUBLISHED.filter(([each]) => each !== key)) {
        expect(isSignedBy(base58(other), hex(text), base58(signature))).toBe(false);
      }
      for (const at of [0, 31, 32, 63]) {
        const changed = hex(signature);
        changed[at]! ^= 1;
        expect(isSignedBy(base58(key), hex(text), encodeBase58(changed))).toBe(false);
      }
    },
  );

  it.each(SMALL_ORDER)("must not be the point of small order %s", (key) => {
    expect(isWalletAddress(base58(key))).toBe(false);
    // R is the neutral point and S is zero: what holds for any message under such a key
    const forged = encodeBase58(hex(`01${"00".repeat(63)}`));
    expect(isSignedBy(base58(key), hex("72"), forged)).toBe(false);
  });

  it("must not be outside the main group, even where OpenSSL accepts the signature", () => {
    const secret = new Uint8Array(32).fill(5);
    const torsion = ed25519.Point.fromBytes(hex(SMALL_ORDER[3]!));
    const mixed = ed25519.Point.fromBytes(ed25519.getPublicKey(secret)).add(torsion).toBytes();
    // RFC 8032 by hand: without a factor of 8 the equation holds where the hash is a multiple of 8
    const order = ed25519.Point.Fn.ORDER;
    const numberOf = (bytes: Uint8Array) =>
      BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`);
    const { scalar } = ed25519.utils.getExtendedPublicKey(secret);
    const nonce = 12_345n;
    const r = ed25519.Point.BASE.multiply(nonce).toBytes();
    const hashOf = (text: Uint8Array) =>
      numberOf(sha512(Uint8Array.from([...r, ...mixed, ...text]))) % order;
    let text = Uint8Array.of(0);
    while (hashOf(text) % 8n !== 0n) text = Uint8Array.of(text[0]! + 1);
    let s = (nonce + hashOf(text) * scalar) % order;
    const signature = Uint8Array.from([...r, ...new Uint8Array(32)]);
    for (let at = 32; at < 64; at += 1, s >>= 8n) signature[at] = Number(s & 255n);
    expect(verifyEd25519(signature, text, mixed)).toBe(true);
    expect(isSignedBy(encodeBase58(mixed), text, encodeBase58(signature))).toBe(false);
  });

  it("must be the canonical 32 bytes of a point", () => {
    const [key] = PUBLISHED[0];
    for (const other of [
      "",
      base58(key.slice(2)),
      base58(`${key}00`),
      `${base58(key)} `,
      // No point has this y, and the last one spells y = 1 a second way
      base58("0200000000000000000000000000000000000000000000000000000000000000"),
      base58("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    ]) {
      expect([other, isWalletAddress(other)]).toEqual([other, false]);
      expect(isSignedBy(other, hex(""), base58(PUBLISHED[0][2]))).toBe(false);
    }
  });

  it("accepts only signatures of 64 bytes with S below the group's order", () => {
    const [key, text, signature] = PUBLISHED[0];
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = hex(signature);
    let s = 0n;
    for (const byte of bytes.slice(32).toReversed()) s = s * 256n + BigInt(byte);
    let second = s + order;
    for (let at = 32; at < 64; at += 1, second >>= 8n) bytes[at] = Number(second & 255n);
    expect(isSignedBy(base58(key), hex(text), encodeBase58(bytes))).toBe(false);
    for (const other of [signature.slice(2), `${signature}00`, ""]) {
      expect(isSignedBy(base58(key), hex(text), base58(other))).toBe(false);
    }
    expect(isSignedBy(base58(key), hex(text), "not base58: 0OIl")).toBe(false);
  });
});
