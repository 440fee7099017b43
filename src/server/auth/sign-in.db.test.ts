import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { createTestServer, useServer, type Answer } from "../../../test/server.ts";
import { hashTables } from "../../../test/table-hashes.ts";
import {
  createEnvelopeWallet,
  createTestWallet,
  signIn,
  type TestWallet,
} from "../../../test/wallet.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { signInTransaction } from "../../solana/signing.ts";
import { withBlockhash } from "../../solana/transaction.ts";
import { readWire, withSignatures } from "../../solana/wire.ts";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";
import { createNonceSeal, NONCE_BYTES } from "./sign-in.ts";

const SMALL_ORDER = [
  "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM",
  "11111111111111111111111111111111",
];

function signTransactionWith(bytes: Uint8Array, { address, secretKey }: TestWallet): Uint8Array {
  const wire = readWire(bytes);
  const signature = ed25519.sign(wire.messageBytes, secretKey);
  return withSignatures(wire, new Map([[parseAddress(address), signature]]));
}

describe("Signing in", () => {
  const database = useDatabase();
  const server = useServer(database);

  const askNonce = async (wallet: TestWallet) => {
    const { body } = await server.send("POST", "/api/auth/nonce", {
      body: { walletAddress: wallet.address },
    });
    return body as { message: string; nonce: string; expiresAt: string };
  };

  const askToken = (walletAddress: string, nonce: string, signature: string) =>
    server.send("POST", "/api/auth/token", { body: { walletAddress, nonce, signature } });

  const expectRefusal = (answer: Answer, status = 401) => {
    expect(answer.status).toBe(status);
    expect(answer.body).not.toHaveProperty("token");
    expect(answer.headers.get("set-cookie")).toBeNull();
  };

  it("returns the exact message to sign", async () => {
    const wallet = createTestWallet();
    const { message, nonce, expiresAt } = await askNonce(wallet);
    const issuedAt = new Date(server.clock.now()).toISOString();
    expect(message).toBe(
      `app.test wants you to sign in with your Solana account:\n${wallet.address}\n\n` +
        "Sign in to Wheelhouse. This moves no funds and costs nothing.\n\n" +
        `URI: http://app.test\nVersion: 1\nChain ID: mainnet\nNonce: ${nonce}\n` +
        `Issued At: ${issuedAt}\nExpiration Time: ${expiresAt}`,
    );
  });

  it("opens a session with a working token and a cookie hidden from scripts (A02)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const first = await askToken(wallet.address, nonce, wallet.sign(message));
    expect(first.status).toBe(200);
    expect(first.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const chats = await server.send("GET", `/api/chats/wallet/${wallet.address}/agents`, {
      token: first.body.token,
    });
    expect(chats.body).toEqual([]);
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(message)));
  });

  it("takes the signature of a hardware wallet over the envelope of the text", async () => {
    await expect(signIn(server, createEnvelopeWallet())).resolves.toHaveProperty("token");
    const wallet = createEnvelopeWallet();
    const { message, nonce } = await askNonce(wallet);
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(`${message}.`)));
  });

  it("takes a signed transaction that is never sent, once, and none that could be", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const signed = (bytes: Uint8Array) =>
      Buffer.from(signTransactionWith(bytes, wallet)).toString("base64");
    const ask = (transaction: string, more = {}) =>
      server.send("POST", "/api/auth/token", {
        body: { walletAddress: wallet.address, nonce, transaction, ...more },
      });
    const asked = signInTransaction(parseAddress(wallet.address), message);
    const live = withBlockhash(asked, parseAddress(createTestWallet().address) as never);
    for (const wrong of [signed(live), Buffer.from(asked).toString("base64"), "AAAA", ""]) {
      const refused = await ask(wrong);
      expectRefusal(refused);
      expect(refused.body.message).toBe(
        "The wallet signed another transaction than the one to sign in. It was not sent.",
      );
    }
    expectRefusal(await ask(signed(asked), { signature: wallet.sign(message) }), 422);
    const taken = await ask(signed(asked));
    expect([taken.status, typeof taken.body.token]).toEqual([200, "string"]);
    expectRefusal(await ask(signed(asked)));
  });

  it("sets a host-bound secure cookie on https", async () => {
    const secure = await createTestServer(database, { publicUrl: "https://app.test" });
    const { cookie } = await signIn(secure);
    await secure.close();
    expect(cookie).toMatch(/^__Host-wheelhouse_refresh=[\w-]{43}$/);
  });

  it("refuses the address alone (A01)", async () => {
    const answer = await server.send("POST", "/api/auth/token", {
      body: { walletAddress: createTestWallet().address },
    });
    expectRefusal(answer, 400);
    expect(answer.body.code).toBe("bad_request");
  });

  it("accepts one of 50 parallel copies (A03)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const signature = wallet.sign(message);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => askToken(wallet.address, nonce, signature)),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
    const sessions = await database.pool.query("select 1 from sessions where wallet = $1", [
      wallet.address,
    ]);
    expect(sessions.rowCount).toBe(1);
  });

  it("refuses a nonce of another wallet (A04)", async () => {
    const [victim, attacker] = [createTestWallet(), createTestWallet()];
    const { message, nonce } = await askNonce(victim);
    expectRefusal(await askToken(attacker.address, nonce, attacker.sign(message)));
    expectRefusal(await askToken(victim.address, nonce, attacker.sign(message)));
  });

  it.each([
    ["evil.example", "A05"],
    ["app.test.evil.io", "A06"],
    ["app.test@evil.io", "A06"],
    ["app.test:8443", "A06"],
    ["xn--pp-test", "A06"],
  ])("refuses a signature for the domain %s (%s)", async (domain) => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const forged = message.replaceAll("app.test", domain);
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(forged)));
  });

  it("refuses a nonce after five minutes (A07)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    server.clock.advance(5 * 60_000 + 1_000);
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(message)));
  });

  it("refuses a message whose time or statement was changed (A07, A09)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const later = message.replace(/Issued At: .*/, "Issued At: 2026-11-21T08:11:00.000Z");
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(later)));
    const split = message.replace(
      "costs nothing.",
      "costs nothing.\n\nURI: https://evil.example\nNonce: attacker01",
    );
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(split)));
  });

  it("ignores an account object from the client (A08)", async () => {
    const [victim, attacker] = [createTestWallet(), createTestWallet()];
    const { message, nonce } = await askNonce(victim);
    const answer = await server.send("POST", "/api/auth/token", {
      body: {
        walletAddress: victim.address,
        nonce,
        signature: attacker.sign(message),
        account: { address: victim.address, publicKey: attacker.address },
      },
    });
    expectRefusal(answer, 400);
  });

  it.each(SMALL_ORDER)(
    "refuses the wallet %s, for which anyone can sign (A10, A11)",
    async (address) => {
      const nonceAnswer = await server.send("POST", "/api/auth/nonce", {
        body: { walletAddress: address },
      });
      expectRefusal(nonceAnswer, 400);
      const universal = new Uint8Array(64);
      universal[0] = 1;
      const nonces = createNonceSeal(server.secret, server.deps.random);
      for (let attempt = 0; attempt < 64; attempt += 1) {
        const nonce = nonces.seal(["sign in", address], server.clock.now());
        expectRefusal(await askToken(address, nonce, encodeBase58(universal)));
      }
    },
  );

  it("refuses the second spelling of a signature (A12)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    const bytes = decodeBase58(wallet.sign(message), 64) ?? new Uint8Array(64);
    const order = ed25519.Point.Fn.ORDER;
    let scalar = bytes.slice(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
    for (let index = 32; index < 64; index += 1, scalar /= 256n) {
      bytes[index] = Number(scalar % 256n);
    }
    expectRefusal(await askToken(wallet.address, nonce, encodeBase58(bytes)));
    expect((await askToken(wallet.address, nonce, wallet.sign(message))).status).toBe(200);
  });

  it.each([
    ["no bytes", ""],
    ["63 bytes", encodeBase58(new Uint8Array(63).fill(7))],
    ["65 bytes", encodeBase58(new Uint8Array(65).fill(7))],
    ["letters outside base58", "0OIl".repeat(22)],
    ["null", null],
    ["a list", [1, 2]],
    ["10 kB", "2".repeat(10_000)],
  ])("refuses a signature of %s as malformed or wrong (A13)", async (_name, signature) => {
    const wallet = createTestWallet();
    const { nonce } = await askNonce(wallet);
    const answer = await server.send("POST", "/api/auth/token", {
      body: { walletAddress: wallet.address, nonce, signature },
    });
    expectRefusal(answer, 400);
  });

  it.each([
    ["a space", (address: string) => `${address} `],
    ["31 bytes", () => encodeBase58(new Uint8Array(31).fill(9))],
    ["33 bytes", () => encodeBase58(new Uint8Array(33).fill(9))],
    ["nothing", () => ""],
    ["an object", () => ({})],
    ["5 kB", () => "2".repeat(5_000)],
    ["a letter outside base58", (address: string) => `l${address.slice(1)}`],
  ])("gives no nonce to an address with %s (A21)", async (_name, spoil) => {
    const answer = await server.send("POST", "/api/auth/nonce", {
      body: { walletAddress: spoil(createTestWallet().address) },
    });
    expectRefusal(answer, 400);
  });

  it("stores nothing before a wallet has signed, however many nonces strangers ask for", async () => {
    const before = await hashTables(database);
    const statuses = [];
    for (let asked = 0; asked < 600; asked += 1) {
      const { address } = createTestWallet();
      const answer = await server.send("POST", "/api/auth/nonce", {
        body: { walletAddress: address },
      });
      statuses.push(answer.status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await hashTables(database)).toEqual(before);
  });

  it("accepts a wallet's nonce whatever others request for it from the same address (A20)", async () => {
    const wallet = createTestWallet();
    const { message, nonce } = await askNonce(wallet);
    for (let asked = 0; asked < 60; asked += 1) await askNonce(wallet);
    expect((await askToken(wallet.address, nonce, wallet.sign(message))).status).toBe(200);
    const next = await askNonce(wallet);
    const answer = await askToken(wallet.address, next.nonce, wallet.sign(next.message));
    expect(answer.status).toBe(200);
  });

  it("refuses a nonce of another server, with a changed time, or of another wallet", async () => {
    const wallet = createTestWallet();
    const stranger = await createTestServer(database);
    const answer = await stranger.send("POST", "/api/auth/nonce", {
      body: { walletAddress: wallet.address },
    });
    await stranger.close();
    const { message, nonce } = answer.body;
    expectRefusal(await askToken(wallet.address, nonce, wallet.sign(message)));

    const own = await askNonce(wallet);
    const bytes = decodeBase58(own.nonce, NONCE_BYTES) ?? new Uint8Array(NONCE_BYTES);
    for (let index = 0; index < NONCE_BYTES; index += 1) {
      const changed = Uint8Array.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const forged = encodeBase58(changed);
      const later = new Date(server.clock.now() + 1);
      for (const text of [own.message, own.message.replace(/\d\dZ$/m, later.toISOString())]) {
        const signature = wallet.sign(text.replace(own.nonce, forged));
        expectRefusal(await askToken(wallet.address, forged, signature));
      }
    }
  });

  it("takes so many new wallets a day from one address or IPv6 network, and further ones from others", async () => {
    const narrow = await createTestServer(database, {
      newWalletsPerDay: 3,
      app: { trustedProxies: ["127.0.0.1"] },
    });
    const signInFrom = (from: string) => signIn(narrow, undefined, { "x-forwarded-for": from });
    for (const host of ["1", "2", "3"]) await signInFrom(`2001:db8::${host}`);
    await expect(signInFrom("2001:db8::4")).rejects.toThrow("rate_limited");
    for (let at = 1; at <= 20; at += 1) await signInFrom(`198.51.100.${at}`);
    await narrow.close();
  });

  it("never locks out a wallet with a chat, whatever a stranger on its address does", async () => {
    const narrow = await createTestServer(database, {
      newWalletsPerMinute: 2,
      app: { callsPerMinute: 5 },
    });
    const wallet = await signIn(narrow);
    const added = await narrow.send("POST", "/api/chats/add-chat", {
      token: wallet.token,
      body: { title: "mine", walletAddress: wallet.address },
    });
    expect(added.status).toBe(201);

    await signIn(narrow);
    await expect(signIn(narrow)).rejects.toThrow("rate_limited");
    const noise = [
      ["GET", "/api/health"],
      ["GET", "/api/deployment"],
      ["POST", "/api/auth/refresh"],
      ["POST", "/api/auth/logout"],
      ["POST", "/api/auth/token"],
    ] as const;
    for (let round = 0; round < 20; round += 1) {
      for (const [method, path] of noise) await narrow.send(method, path);
    }

    const again = await signIn(narrow, wallet);
    const refreshed = await narrow.send("POST", "/api/auth/refresh", {
      token: again.token,
      headers: { cookie: again.cookie, "x-wheelhouse": "1" },
    });
    expect(refreshed.status).toBe(200);
    for (const path of ["/api/health", "/api/deployment"]) {
      expect((await narrow.send("GET", path)).status).toBe(200);
    }
    await narrow.close();
  });

  it("limits one wallet's sign-ins without affecting another's", async () => {
    const [busy, other] = [createTestWallet(), createTestWallet()];
    const outcomes = [];
    for (let tried = 0; tried < 31; tried += 1) {
      outcomes.push(await signIn(server, busy).then(() => "in", String));
    }
    expect(outcomes.slice(0, 30)).toEqual(Array(30).fill("in"));
    expect(outcomes[30]).toContain("rate_limited");
    await expect(signIn(server, other)).resolves.toMatchObject({ address: other.address });
  });
});
