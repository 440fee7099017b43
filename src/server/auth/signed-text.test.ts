import {
  type Address,
  compileOffchainMessageV0Envelope,
  compileOffchainMessageV1Envelope,
  type Instruction,
  OffchainMessageContentFormat,
} from "@solana/kit";
import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../domain/base58.ts";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import { instruction, signer, writable } from "../../solana/encoding/instruction.ts";
import { LIGHTHOUSE_PROGRAM } from "../../solana/verify-returned.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../solana/programs/system.ts";
import { signedForms, signInTransaction } from "../../solana/signing.ts";
import { isSignInTransaction } from "./sign-in.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { compileTransaction, withBlockhash } from "../../solana/transaction.ts";
import { readWire, withSignatures } from "../../solana/wire.ts";

const secret = new Uint8Array(32).fill(7);
const wallet = encodeBase58(ed25519.getPublicKey(secret)) as Address;
const other = encodeBase58(ed25519.getPublicKey(new Uint8Array(32).fill(8))) as Address;
const HOST = "app.test";
const TEXT = `${HOST} wants you to sign in with your Solana account:\n${wallet}\n\nNonce: 1`;
const LINE = TEXT.replaceAll("\n", " ");
const NO_DOMAIN = "11111111111111111111111111111111";
const OWN_DOMAIN = encodeBase58(Buffer.concat([Buffer.from(HOST)], 32));

const isForm = (bytes: ArrayLike<number>, text = TEXT) =>
  signedForms(text, wallet, HOST).some((form) => sameBytes(form, Uint8Array.from(bytes)));

/** The message of version 0 as Kit writes it, which follows sRFC 3 to the letter. */
function version0(
  text: string,
  format: OffchainMessageContentFormat,
  { domain = NO_DOMAIN, signers = [wallet] } = {},
) {
  const envelope = compileOffchainMessageV0Envelope({
    version: 0,
    applicationDomain: domain,
    content: { format, text },
    requiredSignatories: signers.map((address) => ({ address })),
  } as never);
  return Uint8Array.from(envelope.content);
}

const version1 = (text: string, signers = [wallet]) =>
  Uint8Array.from(
    compileOffchainMessageV1Envelope({
      version: 1,
      content: text,
      requiredSignatories: signers.map((address) => ({ address })),
    }).content,
  );

const { RESTRICTED_ASCII_1232_BYTES_MAX, UTF8_1232_BYTES_MAX, UTF8_65535_BYTES_MAX } =
  OffchainMessageContentFormat;

describe("the bytes that a wallet may sign for a text", () => {
  it("are the text's own and those of each off-chain message around it, as Kit writes them", () => {
    expect(isForm(Buffer.from(TEXT))).toBe(true);
    for (const domain of [NO_DOMAIN, OWN_DOMAIN]) {
      expect(isForm(version0(LINE, RESTRICTED_ASCII_1232_BYTES_MAX, { domain }), LINE)).toBe(true);
      expect(isForm(version0(TEXT, UTF8_1232_BYTES_MAX, { domain }))).toBe(true);
      expect(isForm(version0(TEXT, UTF8_65535_BYTES_MAX, { domain }))).toBe(true);
    }
    expect(isForm(version1(TEXT))).toBe(true);
  });

  it("are those of a Ledger, which takes line feeds for ASCII, and of its older apps", () => {
    const ascii = version0(TEXT, UTF8_1232_BYTES_MAX);
    ascii[16 + 1 + 32] = RESTRICTED_ASCII_1232_BYTES_MAX;
    expect(isForm(ascii)).toBe(true);
    const long = "long\n".repeat(400);
    const head = (format: number, text: string) =>
      Buffer.from([
        ...Buffer.from("\xffsolana offchain", "latin1"),
        0,
        format,
        text.length & 255,
        text.length >> 8,
      ]);
    for (const [format, text] of [
      [0, LINE],
      [1, TEXT],
      [2, long],
    ] as const) {
      expect(isForm(Buffer.concat([head(format, text), Buffer.from(text)]), text)).toBe(true);
    }
  });

  it.each([
    ["another application", version0(TEXT, UTF8_1232_BYTES_MAX, { domain: other })],
    ["another signer", version0(TEXT, UTF8_1232_BYTES_MAX, { signers: [other] })],
    ["a second signer", version0(TEXT, UTF8_1232_BYTES_MAX, { signers: [wallet, other] })],
    ["another signer of version 1", version1(TEXT, [other])],
    ["a second message behind the first", Buffer.concat([version1(TEXT), Buffer.from(TEXT)])],
    ["a message inside a message", version1(Buffer.from(version1(TEXT)).toString("latin1"))],
    ["another text", version1(`${TEXT}.`)],
    ["version 2", version1(TEXT).map((byte, at) => (at === 16 ? 2 : byte))],
    ["another beginning", version1(TEXT).map((byte, at) => (at === 0 ? 0xfe : byte))],
  ])("are not those of %s", (_name, bytes) => {
    expect(isForm(bytes)).toBe(false);
  });
});

describe("a transaction to sign in", () => {
  const asked = { wallet, text: TEXT };
  const { instructions, blockhash } = decodeTransaction(signInTransaction(wallet, TEXT));
  const [memo] = instructions;

  const signed = (bytes: Uint8Array) => {
    const wire = readWire(bytes);
    return withSignatures(wire, new Map([[wallet, ed25519.sign(wire.messageBytes, secret)]]));
  };
  const verify = (message: Uint8Array, signature: Uint8Array) =>
    ed25519.verify(signature, message, ed25519.getPublicKey(secret));
  const isTaken = (bytes: Uint8Array) => isSignInTransaction(bytes, asked, verify);
  const compiled = (all: readonly Instruction[], lifetime: string = blockhash, feePayer = wallet) =>
    compileTransaction({
      feePayer,
      lifetime: { blockhash: lifetime as never, lastValidBlockHeight: 0n },
      instructions: all,
    });
  const assertion = instruction(LIGHTHOUSE_PROGRAM, [], [6, 0]);

  it("is taken as it was given, and with what wallets add", () => {
    expect(isTaken(signed(signInTransaction(wallet, TEXT)))).toBe(true);
    const budget = [setComputeUnitPrice(9n), setComputeUnitLimit(40_000)];
    expect(isTaken(signed(compiled([...budget, memo!, assertion])))).toBe(true);
  });

  const transfer = transferLamports({ from: wallet, to: other }, 5n);
  const nonce = instruction(SYSTEM_PROGRAM, [writable(other), signer(wallet)], [4, 0, 0, 0]);
  it.each([
    ["could be sent", signed(withBlockhash(signInTransaction(wallet, TEXT), other as never))],
    ["could be sent by a nonce", signed(compiled([nonce, memo!]))],
    ["pays somebody", signed(compiled([memo!, transfer]))],
    ["carries another text", signed(signInTransaction(wallet, `${TEXT}.`))],
    ["carries the text twice", signed(compiled([memo!, memo!]))],
    ["carries no text", signed(compiled([assertion]))],
    ["is of another wallet", signed(compiled([memo!], blockhash, other))],
    [
      "has a second signer",
      signed(compiled([memo!, instruction(LIGHTHOUSE_PROGRAM, [signer(other)], [6])])),
    ],
    ["is not signed", signInTransaction(wallet, TEXT)],
    [
      "is signed elsewhere",
      signed(signInTransaction(wallet, TEXT)).map((byte, at) => (at === 9 ? byte ^ 1 : byte)),
    ],
    ["is cut", signed(signInTransaction(wallet, TEXT)).slice(0, -3)],
    ["is empty", new Uint8Array()],
  ])("is refused where it %s", (_name, bytes) => {
    expect(isTaken(bytes)).toBe(false);
  });
});
