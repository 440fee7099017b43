import { randomBytes } from "node:crypto";
import { address } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { createCustodyWorld, type CustodyWorld, SOL, USDC } from "../../../test/custody-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { createTestServer, type TestServer } from "../../../test/server.ts";
import { sendConfirmed, type SignedIn, signIn } from "../../../test/wallet.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { ed25519 } from "@noble/curves/ed25519.js";
import { transferLamports } from "../../solana/programs/system.ts";
import { signatureOf, signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { custodyHandlers } from "./custody.ts";
import { practiceHandlers } from "./practice.ts";
import { tradeHandlers } from "./trade.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { walletHandlers } from "./wallet.ts";

let database: TestDatabase;
let world: CustodyWorld;
let server: TestServer;
let owner: SignedIn;

beforeEach(async () => {
  database = await createTestDatabase();
  world = await createCustodyWorld(database);
  server = await createTestServer(database, {
    clock: world.clock,
    networks: world.networks,
    handlers: (deps) => {
      const accounts = createAccountReader({
        ...deps,
        landedSlots: (agentIds) => readLandedSlots(deps.db, agentIds),
      });
      return {
        ...custodyHandlers({ ...deps, custody: world.custody }),
        ...tradeHandlers({ ...deps, accounts }),
        ...practiceHandlers(deps),
        ...walletHandlers(deps),
      };
    },
  });
  const { seed, address: wallet } = world.owner;
  owner = await signIn(server, {
    address: wallet,
    secretKey: seed,
    sign: (text) => encodeBase58(ed25519.sign(new TextEncoder().encode(text), seed)),
  });
});

afterEach(async () => {
  await server.close();
  await database.drop();
});

const post = (path: string, body: unknown) =>
  server.send("POST", path, { body, token: owner.token });
const get = (path: string) => server.send("GET", path, { token: owner.token });

const signPrepared = (transaction: string): Uint8Array =>
  signTransaction(Uint8Array.from(Buffer.from(transaction, "base64")), world.owner);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Prepares over HTTP and does what the page does with the answer. */
async function approve(body: object): Promise<unknown> {
  const { body: answer } = await sendConfirmed(server, owner, "POST", "/api/tx/prepare", {
    agentId: world.agentId,
    ...body,
  });
  const { id, method, transaction } = answer.prepared;
  const signed = signPrepared(transaction);
  if (method === "sign") {
    return (await post(`/api/tx/${id}/signed`, { transaction: base64(signed) })).body;
  }
  const { body: sent } = await post("/api/practice/send", { transaction: base64(signed) });
  return (await post(`/api/tx/${id}/sent`, sent)).body;
}

describe("the money calls over HTTP", () => {
  it("carry an agent from nothing to a funded account", async () => {
    expect((await get(`/api/agents/${world.agentId}/custody`)).body).toMatchObject({
      multisig: null,
      ownerLamports: (10n * SOL).toString(),
      ownerQuote: "1000",
      quoteSymbol: "USDC",
      unrecoverableLamports: "4600560",
    });
    expect(await approve({ intent: "set-up" })).toMatchObject({
      state: "confirmed",
      hasNext: true,
    });
    expect(await approve({ intent: "set-up" })).toMatchObject({
      state: "confirmed",
      hasNext: false,
    });
    const done = await post("/api/tx/prepare", { agentId: world.agentId, intent: "set-up" });
    expect(done.body).toEqual({ done: true });
    expect(await approve({ intent: "deposit", amount: "500" })).toMatchObject({
      intent: "deposit",
      state: "confirmed",
      amount: "500",
    });
    expect((await get(`/api/trade/get-drift-position?agentId=${world.agentId}`)).body).toEqual({
      response: expect.objectContaining({
        position: "0",
        portfolioValue: "500.00",
        freeCollateral: "500.00",
        available: true,
      }),
    });
    expect((await get(`/api/trade/get-user-positions?pubkey=${owner.address}`)).body).toEqual({
      positions: [],
      unavailable: [],
    });
    expect(
      (await get(`/api/wallets/${owner.address}/balances?network=practice`)).body,
    ).toMatchObject({ quote: "500", quoteSymbol: "USDC" });
    expect((await get(`/api/agents/${world.agentId}/custody`)).body).toMatchObject({
      multisig: { status: "active", threshold: 1, venueConfig: { delegated: true } },
      openTransactionId: null,
    });
  });

  it("report an agent without custody as unavailable, never as empty", async () => {
    expect(
      (await get(`/api/trade/get-drift-position?agentId=${world.agentId}`)).body.response,
    ).toMatchObject({ available: false, portfolioValue: "0.00" });
  });

  it("list filled orders of all agents, newest first, with four decimals and without counter resets", async () => {
    const log = (
      status: "success" | "failed",
      baseSize: string,
      minute: number,
      kind = { signal: "OPEN_LONG", type: "market", side: "long" },
    ) =>
      database.db
        .insertInto("trade_log")
        .values({
          id: randomBytes(16).toString("hex"),
          agent_id: world.agentId,
          chat_id: "c",
          market: "SOL-PERP",
          ...kind,
          status,
          base_size: baseSize,
          base_decimals: 9,
          quote_decimals: 6,
          signature: "s",
          at: new Date(Date.UTC(2026, 10, 21, 8, minute)),
        })
        .execute();
    await log("success", "1234567890", 1);
    await log("failed", "5", 2);
    await log("success", "2000050000", 3);
    await log("success", "0", 4, { signal: "RESET_OPEN_LONG", type: "reset", side: "other" });
    const { body } = await get(`/api/trade/get-user-activity?pubkey=${owner.address}`);
    expect(body.agents).toHaveLength(1);
    expect(body.agents[0]).toMatchObject({ botId: world.agentId, venue: "drift" });
    expect(body.agents[0].orders).toEqual([
      expect.objectContaining({
        baseAssetAmountFilled: "2.0001",
        takerOrderDirection: "long",
        ts: "2026-11-21T08:03:00.000Z",
      }),
      expect.objectContaining({ baseAssetAmountFilled: "1.2346", symbol: "SOL-PERP" }),
    ]);
  });
});

describe("the faucet", () => {
  it("grants amounts within its limits, ten times an hour", async () => {
    const before = await world.quote(world.owner.address);
    for (let use = 0; use < 10; use += 1) {
      expect((await post("/api/practice/faucet", { sol: "0.5", usdc: "10" })).status).toBe(200);
    }
    expect(await world.quote(world.owner.address)).toBe(before + 100n * USDC);
    expect((await post("/api/practice/faucet", { sol: "1", usdc: "0" })).body).toMatchObject({
      code: "faucet_limit_exceeded",
    });
    world.clock.advance(3_600_001);
    const later = await signIn(server, owner);
    const again = await server.send("POST", "/api/practice/faucet", {
      body: { sol: "1", usdc: "0" },
      token: later.token,
    });
    expect(again.status).toBe(200);
  });

  it.each([
    { sol: "10.000000001", usdc: "0" },
    { sol: "0", usdc: "10000.000001" },
    { sol: "0", usdc: "0" },
    { sol: "0.0000000001", usdc: "0" },
  ])("refuses %j and counts nothing", async (ask) => {
    expect((await post("/api/practice/faucet", ask)).status).toBe(422);
    const uses = await database.db.selectFrom("faucet_uses").select("seq").execute();
    expect(uses).toEqual([]);
  });
});

describe("the practice wallet's send", () => {
  const transfer = async (lamports: bigint) => {
    const lifetime = await world.chain.latestBlockhash();
    const feePayer = address(owner.address);
    const instructions = [
      transferLamports({ from: feePayer, to: world.keys.of(agentIdOf("0")).vault }, lamports),
    ];
    return compileTransaction({ feePayer, lifetime, instructions });
  };

  it("sends what was signed in the browser and returns its signature", async () => {
    const signed = signTransaction(await transfer(SOL), world.owner);
    const answer = await post("/api/practice/send", { transaction: base64(signed) });
    expect(answer.body).toEqual({ signature: signatureOf(signed) });
    expect(await world.lamports(world.keys.of(agentIdOf("0")).vault)).toBe(SOL);
  });

  it("describes why the chain refused", async () => {
    const unsigned = await transfer(SOL);
    expect((await post("/api/practice/send", { transaction: base64(unsigned) })).status).toBe(422);
    const dear = signTransaction(await transfer(1_000n * SOL), world.owner);
    expect((await post("/api/practice/send", { transaction: base64(dear) })).body).toMatchObject({
      code: "transaction_refused",
      message: "There is not enough SOL for this. Nothing was sent.",
    });
    expect((await post("/api/practice/send", { transaction: "AAAA" })).status).toBe(422);
    expect((await post("/api/practice/send", { transaction: "not base64!" })).status).toBe(400);
  });
});
