import { ed25519 } from "@noble/curves/ed25519.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createTestServer, type Answer, type TestServer } from "../../../test/server.ts";
import { createTestWallet, signIn, type TestWallet } from "../../../test/wallet.ts";
import { decodeBase58, encodeBase58 } from "./base58.ts";

const SMALL_ORDER = [
  "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM",
  "11111111111111111111111111111111",
];

describe("Signing in", () => {
  let database: TestDatabase;
  let server: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await createTestServer(database, { signInsPerMinute: 100_000 });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

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

  it("gives the exact message to sign", async () => {
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

  it("opens a session whose token works and whose cookie scripts cannot read (A02)", async () => {
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

  it("lets one of 50 parallel copies in (A03)", async () => {
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

  it("takes no account object from the client (A08)", async () => {
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
    "knows no wallet %s, which anyone can sign for (A10, A11)",
    async (address) => {
      const nonceAnswer = await server.send("POST", "/api/auth/nonce", {
        body: { walletAddress: address },
      });
      expectRefusal(nonceAnswer, 400);
      const universal = new Uint8Array(64);
      universal[0] = 1;
      for (let attempt = 0; attempt < 64; attempt += 1) {
        const nonce = `${address.slice(0, 8)}planted${attempt}`.padEnd(32, "x");
        await database.pool.query(
          `insert into sign_in_nonces values ($1, $2, $3, 'test', $4, $5, null)`,
          [
            nonce,
            address,
            `message ${attempt}`,
            new Date(server.clock.now()),
            new Date(server.clock.now() + 60_000),
          ],
        );
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

  it("keeps five live nonces per wallet and peer", async () => {
    const wallet = createTestWallet();
    const nonces = [];
    for (let index = 0; index < 6; index += 1) {
      server.clock.advance(1);
      nonces.push(await askNonce(wallet));
    }
    const [oldest, ...live] = nonces;
    expectRefusal(
      await askToken(wallet.address, oldest?.nonce ?? "", wallet.sign(oldest?.message ?? "")),
    );
    for (const { nonce, message } of live) {
      expect((await askToken(wallet.address, nonce, wallet.sign(message))).status).toBe(200);
    }
  });

  it("slows one peer down without locking the wallet out (A20)", async () => {
    const limited = await createTestServer(database, { app: { trustProxy: true } });
    const walletAddress = createTestWallet().address;
    const ask = (peer: string) =>
      limited.send("POST", "/api/auth/nonce", {
        body: { walletAddress },
        headers: { "x-forwarded-for": peer },
      });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask("192.0.2.66")));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await ask("192.0.2.1")).status).toBe(200);
    await limited.close();
  });
});
