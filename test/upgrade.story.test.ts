import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { formatFixed, parseDecimal } from "../src/domain/amount.ts";
import type { AgentId } from "../src/domain/ids.ts";
import { compareBalances } from "../src/domain/ledger/balance.ts";
import { FINALITY_SLOTS, SLOT_MS } from "../src/practice/slots.ts";
import { createCustodyKeys } from "../src/server/custody/account/custody-keys.ts";
import { toVenueAccount } from "../src/server/custody/account/venue-account.ts";
import { isChecked } from "../src/server/ledger/check-ledger.ts";
import { updateAgentLedger } from "../src/server/ledger/update-agent-ledger.ts";
import { readAgents } from "../src/server/store/agents/agents.ts";
import { storedTerms } from "../src/server/store/agents/owner-facts.ts";
import { findCustodyAgent } from "../src/server/store/custody/multisigs.ts";
import { readLedgerMark } from "../src/server/store/ledger/ledger-marks.ts";
import { sumLedger } from "../src/server/store/ledger/ledger.ts";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { grantProcesses } from "../src/server/store/postgres/grants.ts";
import { createPracticeLedger } from "../src/server/store/practice/practice-ledger.ts";
import { parseAddress } from "../src/solana/encoding/address-codec.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { tokenAccountCodec, USDC_MINT } from "../src/solana/programs/token.ts";
import { createTestClock } from "./clock.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { administer, databaseUrl, processUrls } from "./database-server.ts";
import { createFullServer, type FullServer } from "./full-server.ts";
import { createTrader, deliver, type Trader } from "./trader.ts";

/*
 * Databases that earlier versions of the product left, each made by that version's own build over HTTP, with a wallet
 * that signed every transaction, on PostgreSQL 15 and dumped by its `pg_dump --inserts`. The JSON beside a dump is what
 * that version answered about it. Each has the same agents: `traded` bought and sold twice, took a second deposit and
 * gave a withdrawal; `open` holds a long; `idle` has its deposit only; `spot` holds SOL after two buys and a sale on the
 * swap venue; a fifth was deleted with its money withdrawn.
 */
const STATES = [
  // The first: its exchange logged no deposits
  "da4c2cb",
  // The same after 98debcb4 had migrated and wrongly booked it
  "da4c2cb-98debcb4",
  // The last without a ledger
  "f1c9e2c7",
  // With ledger, equity points and notices
  "98debcb4",
] as const;

type Name = "traded" | "open" | "idle" | "spot";

/** What the earlier product said. */
interface Recorded {
  readonly recordedAt: string;
  readonly delegateSecret: string;
  /** Private key of the owner's wallet. */
  readonly seed: string;
  readonly agents: Readonly<Record<Name, RecordedAgent>>;
}

interface RecordedAgent {
  readonly botId: AgentId;
  readonly chatId: string;
  readonly log: readonly RecordedLine[];
  readonly position: Readonly<Record<"position" | "withdrawable", string>>;
  /** Only where the earlier product kept a ledger. */
  readonly money?: Readonly<Record<"realised" | "fees" | "deposited" | "withdrawn", string>>;
}

interface RecordedLine {
  readonly size: string;
  readonly total: string;
  readonly side: string;
  readonly status: string;
  readonly webhookSignal: string;
  readonly price?: string;
  readonly fee?: string;
  readonly signature?: string;
}

/** Deposits less withdrawals of each agent, in USDC. */
const PAID_IN: Readonly<Record<Name, string>> = {
  traded: "550",
  open: "500",
  idle: "500",
  spot: "300",
};

const NAMES: readonly Name[] = ["traded", "open", "idle", "spot"];

const recorded = (name: string): Buffer =>
  readFileSync(new URL(`./recorded/upgrades/${name}`, import.meta.url));

interface ShownPortfolio {
  readonly networks: readonly {
    readonly agents: readonly {
      readonly botId: string;
      readonly today: { readonly amount: string; readonly share: number | null } | null;
      readonly drawdown: number | null;
      readonly spark: readonly (number | null)[];
    }[];
  }[];
}

const NOT_SHOWN = { today: null, drawdown: null, spark: [] };

/** The fields of a line that both versions answer. */
const lineOf = ({
  size,
  total,
  side,
  status,
  webhookSignal,
  price,
  fee,
  signature,
}: RecordedLine) => ({
  size,
  total,
  side,
  status,
  webhookSignal,
  price,
  fee,
  signature,
});

const usdc = (text: string): bigint => {
  const units = parseDecimal(text.replace(/^-/, ""), 6);
  if (units === null) throw new Error(`${text} is no amount`);
  return text.startsWith("-") ? -units : units;
};

describe.each(STATES)("a database of %s, upgraded", (state) => {
  const old = JSON.parse(recorded(`${state}.json`).toString()) as Recorded;
  const clock = createTestClock(Date.parse(old.recordedAt) + 60_000);
  const name = `upgraded_${randomUUID().replaceAll("-", "")}`;
  let database: TestDatabase;
  let server: FullServer;
  let trader: Trader;

  beforeAll(async () => {
    await administer(inject("databaseUrl"), `create database ${name} template template0`);
    const url = databaseUrl(inject("databaseUrl"), name);
    await administer(url, gunzipSync(recorded(`${state}.sql.gz`)).toString());
    await migrateDatabase(url);
    await grantProcesses(url, processUrls(url));
    database = openTestDatabase(url, {}, () =>
      administer(inject("databaseUrl"), `drop database ${name} with (force)`),
    );
    server = await createFullServer(database, {
      clock,
      kept: {
        ledger: createPracticeLedger(database.pool),
        custodySecret: Buffer.from(old.delegateSecret),
      },
    });
    server.pipeline.start();
    trader = await createTrader(server.url, Buffer.from(old.seed, "hex"));
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const ledgerDeps = () => ({
    ...server.deps,
    feePayers: [createCustodyKeys(Buffer.from(old.delegateSecret)).feePayer.address],
    log: { warn() {} },
  });

  const agentOf = async (agentId: AgentId) => {
    const agent = await findCustodyAgent(database.db, agentId);
    if (agent === null) throw new Error("The agent is gone");
    return agent;
  };

  async function venueOf(agentId: AgentId) {
    const agent = await agentOf(agentId);
    const account = toVenueAccount(agent);
    const venue = server.deps.networks.get("practice")?.venues.get(agent.venue as "drift");
    if (account === null || venue === undefined) throw new Error("The agent has no custody");
    return { agent, account, venue };
  }

  /**
   * Waits until the gain or loss of a closed position is settled: time that then leaps to finality leaps over no
   * transaction on its way.
   */
  async function expectSettled(agentId: AgentId): Promise<void> {
    const { agent, account, venue } = await venueOf(agentId);
    const left = async () => {
      clock.advance(SLOT_MS);
      return venue.buildSettle(account, agent.marketId);
    };
    await expect.poll(left).toEqual([]);
  }

  /** Reads the agent's ledger until all is final and expects it to equal the chain in every account. */
  async function expectBooked(agentId: AgentId): Promise<void> {
    const { agent, account, venue } = await venueOf(agentId);
    const differences = async () => {
      clock.advance(Number(FINALITY_SLOTS + 1n) * SLOT_MS);
      await updateAgentLedger(ledgerDeps(), agent);
      const { balances, accruing } = await venue.readLedger(account);
      const booked = (await sumLedger(database.db, agentId)).filter(isChecked);
      const mark = await readLedgerMark(database.db, agentId);
      if (mark?.difference !== null || mark.waiting > 0) return mark;
      return compareBalances(booked, [...balances, ...accruing]);
    };
    await expect.poll(differences).toEqual([]);
  }

  const performanceOf = (agentId: AgentId) =>
    trader.call<{
      money: Record<
        "realised" | "fees" | "deposited" | "withdrawn" | "unrealised" | "funding" | "interest",
        string
      > & { unknownClosings: number };
      returns: { timeWeighted: number | null };
      fall: { depth: number } | null;
      curve: readonly { growth: number | null }[];
    }>("GET", `/api/agents/${agentId}/performance?range=all`);

  const positionOf = async (agentId: AgentId) =>
    (
      await trader.call<{ response: { position: string; withdrawable: string } }>(
        "GET",
        `/api/trade/get-drift-position?agentId=${agentId}`,
      )
    ).response;

  /** Sends an alert and waits until its order is in the log, settled. */
  async function fire({ botId, chatId }: RecordedAgent, alertName: string): Promise<void> {
    clock.advance(1_000);
    const log = () =>
      trader.call<RecordedLine[]>("GET", `/api/logs/get-all-by-chat-id?chatId=${chatId}`);
    const before = (await log()).length;
    const timestamp = new Date(clock.now()).toISOString();
    const token = server.webhookTokenOf(botId);
    const body = JSON.stringify({ agentId: botId, alertName, timestamp, token });
    expect(await deliver(`${server.url}/webhook/${botId}`, body)).toMatchObject({ status: 202 });
    const states = async () => {
      clock.advance(SLOT_MS);
      return (await log()).slice(0, -before || undefined).map((line) => line.status);
    };
    await expect.poll(states).toEqual(["success"]);
  }

  async function walletQuote(): Promise<bigint> {
    const { accounts } = await server.chain.accounts([
      associatedTokenAddress(parseAddress(trader.address), USDC_MINT),
    ]);
    const [account] = accounts;
    return account == null ? 0n : tokenAccountCodec.decode(account.data).amount;
  }

  const logOf = (agent: RecordedAgent) =>
    trader.call<RecordedLine[]>("GET", `/api/logs/get-all-by-chat-id?chatId=${agent.chatId}`);

  it.each(NAMES)("keeps trade log, position and money of agent %s", async (which) => {
    const agent = old.agents[which];
    await expectBooked(agent.botId);
    expect((await logOf(agent)).map(lineOf)).toEqual(agent.log.map(lineOf));
    const { position, withdrawable } = agent.position;
    const portfolioValue = formatFixed(usdc(withdrawable), 6, 2);
    expect(await positionOf(agent.botId)).toMatchObject(
      position === "0" ? { position, withdrawable, portfolioValue } : { position },
    );
    const { money } = await performanceOf(agent.botId);
    expect(money).toMatchObject({ unknownClosings: 0, ...agent.money });
    expect(usdc(money.deposited) + usdc(money.withdrawn)).toBe(usdc(PAID_IN[which]));
  });

  it("shows returns, curve and portfolio of what the agents made", async () => {
    for (const which of NAMES) await expectBooked(old.agents[which].botId);
    const shown = await Promise.all(NAMES.map((which) => performanceOf(old.agents[which].botId)));
    const { networks } = await trader.call<ShownPortfolio>(
      "GET",
      `/api/wallets/${trader.address}/portfolio?range=all`,
    );
    const inPortfolio = new Map(
      networks.flatMap(({ agents }) => agents).map((of) => [of.botId, of]),
    );
    // None of them made or lost 2 % in the minutes it lived
    const isSmall = (share: number | null) => share !== null && Math.abs(share) < 0.02;
    for (const [at, { returns, fall, curve }] of shown.entries()) {
      const which = NAMES[at] ?? "idle";
      expect(returns, which).toSatisfy(() => isSmall(returns.timeWeighted));
      expect(fall?.depth ?? 0, which).toSatisfy(isSmall);
      expect(curve, which).toSatisfy(() => curve.length > 0);
      expect(curve, which).toSatisfy(() => curve.every(({ growth }) => isSmall(growth)));
      const { today, drawdown, spark } = inPortfolio.get(old.agents[which].botId) ?? NOT_SHOWN;
      expect(drawdown, which).toSatisfy(isSmall);
      expect(spark, which).toSatisfy(() =>
        spark.every((share) => share === null || isSmall(share)),
      );
      expect(today, which).toSatisfy(() => isSmall(today?.share ?? null));
    }
    const { botId, position } = old.agents.traded;
    const [left, paidIn] = [usdc(position.withdrawable), usdc(PAID_IN.traded)];
    expect(usdc(inPortfolio.get(botId)?.today?.amount ?? "")).toBe(left - paidIn);
    if (state.startsWith("da4c2cb")) {
      // All came in before all was made
      expect(shown[0]?.returns.timeWeighted).toBeCloseTo(Number(left) / Number(paidIn) - 1, 9);
    }
  });

  it("has the signer hold each agent to what its row says", async () => {
    const held = await database.pool.query<{ terms: unknown }>(
      "select terms from signer.held_terms order by agent_id",
    );
    const agents = await readAgents(database.db, sql`true`);
    const terms = agents.map(storedTerms).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    expect(agents).toHaveLength(NAMES.length);
    expect(held.rows.map((row) => row.terms)).toEqual(terms);
  });

  it("gets an opening balance only where no deposits are recorded", async () => {
    const { rows } = await database.pool.query<{ agent_id: string; total: string }>(
      `select agent_id, sum(amount)::text as total from ledger_entries
       where kind = 'opening' group by agent_id`,
    );
    const { traded, open, idle } = old.agents;
    const expected = state.startsWith("da4c2cb")
      ? [
          [traded.botId, PAID_IN.traded],
          [open.botId, PAID_IN.open],
          [idle.botId, PAID_IN.idle],
        ]
      : [];
    expect(new Map(rows.map((row) => [row.agent_id, row.total]))).toEqual(
      new Map(expected.map(([id, paidIn = ""]) => [id, usdc(paidIn).toString()])),
    );
  });

  it("invents no profit", async () => {
    await expectBooked(old.agents.traded.botId);
    const { money } = await performanceOf(old.agents.traded.botId);
    // Flat, so that all it made is realised; the old product said what was left
    const made = [money.realised, money.fees, money.funding, money.interest].map(usdc);
    const left = made.reduce((sum, part) => sum + part, usdc(PAID_IN.traded));
    expect(left).toBe(usdc(old.agents.traded.position.withdrawable));
    // What closings paid in fees on both sides is all that was paid, also in what an earlier version had booked
    const { rows } = await database.pool.query<{ closed: string; paid: string }>(
      `select sum(realised_fees)::text as closed, sum(amount) filter (where kind = 'fee')::text as paid
       from ledger_entries where agent_id = $1`,
      [old.agents.traded.botId],
    );
    expect(BigInt(rows[0]?.paid ?? 0)).toBeLessThan(0n);
    expect(rows[0]?.closed).toBe(rows[0]?.paid);
  });

  it.each(NAMES)("trades, pays out and deletes agent %s", async (which) => {
    const agent = old.agents[which];
    const { botId } = agent;
    if (agent.position.position === "0") await fire(agent, "enter");
    await expectBooked(botId);
    await fire(agent, "exit");
    await expectSettled(botId);
    await expectBooked(botId);
    const { position, withdrawable } = await positionOf(botId);
    expect(position).toBe("0");
    await trader.call("PUT", `/api/agents/${botId}/trading-status`, { tradingStatus: "off" });
    await expect.poll(async () => (await agentOf(botId)).autoTrade).toBe("off");
    const before = await walletQuote();
    await trader.approve(botId, "withdraw", withdrawable);
    await expectBooked(botId);
    const isCleared = async () => {
      await trader.approve(botId, "delete");
      return trader.call("GET", `/api/agents/${botId}/deletion`);
    };
    await expect.poll(isCleared).toMatchObject({ state: "cleared" });
    const { keptLamports } = await trader.call<{ keptLamports: string }>(
      "GET",
      `/api/agents/${botId}/deletion`,
    );
    await trader.call("DELETE", `/api/agents/delete-agent/${botId}/complete`);
    expect((await walletQuote()) - before).toBe(usdc(withdrawable));
    // Its entries stay, and say that nothing is left but what the vault keeps
    const left = (await sumLedger(database.db, botId)).filter(isChecked);
    expect(left.filter(({ amount }) => amount !== 0n)).toEqual([
      expect.objectContaining({ place: "vault_sol", amount: BigInt(keptLamports) }),
    ]);
  });
});
