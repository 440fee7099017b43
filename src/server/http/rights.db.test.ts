import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { useDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { createMemoryLedger } from "../../../test/memory-ledger.ts";
import { tradeElsewhere } from "../../../test/open-long.ts";
import { addressOf, plainCalls } from "../../../test/route-calls.ts";
import { createTrader, deliver, type FundedAgent, type Trader } from "../../../test/trader.ts";
import { proofOf, type SignedIn } from "../../../test/wallet.ts";
import { newTestId, type ObjectIds } from "../../../test/world.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { parseOwner } from "../../domain/ids.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createCustodyKeys } from "../custody/account/custody-keys.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { signEd25519 } from "../custody/signer/create-trading-key-signer.ts";
import { CONFIRMATION_HEADER } from "../../contract/route.ts";
import type { RouteName } from "../../contract/routes.ts";

/** Calls after which there is less to call, in this order at the end. */
const LAST: readonly RouteName[] = ["deleteAgent", "deleteChat", "logout", "signOutEverywhere"];

/** Its answer does not end. */
const ENDLESS: readonly RouteName[] = ["streamEvents"];

/** Calls that change nothing that a session could leave behind: what they hand over the wallet signs, the rest counts. */
const LEAVE_NOTHING: ReadonlySet<RouteName> = new Set([
  "prepareTransaction",
  "reportSent",
  "submitSigned",
  "useFaucet",
  "countTriedVariants",
  "previewAlert",
]);

/** The database's driver, where it hears of an error. */
interface Driver {
  _handleErrorMessage(answer: { readonly code: string; readonly message: string }): void;
}

const INSUFFICIENT_PRIVILEGE = "42501";

const database = useDatabase();
const custodySecret = randomBytes(32);
const clock = createTestClock();
/** What the database refused any process for want of a right, since the test began. */
const refused: string[] = [];
let server: FullServer;
let trader: Trader;
let agent: FundedAgent;

beforeAll(async () => {
  const driver = Client.prototype as unknown as Driver;
  const handle = driver._handleErrorMessage;
  vi.spyOn(driver, "_handleErrorMessage").mockImplementation(function (this: Driver, answer) {
    if (answer.code === INSUFFICIENT_PRIVILEGE) refused.push(answer.message);
    handle.call(this, answer);
  });
  server = await createFullServer(database, {
    clock,
    hasNode: true,
    kept: { ledger: createMemoryLedger(), custodySecret },
  });
  server.pipeline.start();
  trader = await createTrader(server.url);
  await trader.takePracticeMoney("5", "1000");
  agent = await trader.createAgent("Changed outside SOL-1h");
});

afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

/** Changes the agent's account with its key, without any record here. */
async function changeOutside(): Promise<void> {
  const keys = createCustodyKeys(custodySecret);
  const { chain, deps } = server;
  await tradeElsewhere(
    {
      database,
      agentId: agent.botId,
      clock,
      keys,
      chain,
      networks: deps.networks,
      lamports: async () => 0n,
    },
    { side: "long", baseSize: 1_000_000_000n, reduceOnly: false },
  );
}

describe("an agent whose account was changed outside", () => {
  const seed = () => Buffer.from(trader.secret, "hex");

  it("has every call answered within the rights of web's role", async () => {
    await changeOutside();
    const wallet: SignedIn = {
      address: parseOwner(trader.address),
      secretKey: seed(),
      sign: (text) => encodeBase58(signEd25519(Buffer.from(text), seed())),
      token: trader.token,
      cookie: "",
    };
    const { rows } = await database.pool.query<{ rule: string; transaction: string }>(
      `select (select id from rules where agent_id = $1 limit 1) as rule,
        (select id from custody_transactions where agent_id = $1 order by seq desc limit 1) as transaction`,
      [agent.botId],
    );
    const ids: ObjectIds = {
      wallet: wallet.address,
      chat: agent.chatId,
      agent: agent.botId,
      message: newTestId(),
      rule: rows[0]?.rule ?? "",
      tradeLogEntry: newTestId(),
      transaction: rows[0]?.transaction ?? "",
      alertName: "enter",
    };
    const calls = plainCalls(ids).filter(({ name }) => !ENDLESS.includes(name));
    const rank = ({ name }: { readonly name: RouteName }) => LAST.indexOf(name);
    const countRecorded = async () =>
      (await database.pool.query("select from audit_log where session is not null")).rowCount;
    const unrecorded: RouteName[] = [];
    for (const call of calls.toSorted((one, other) => rank(one) - rank(other))) {
      // Off first: it reads the account, and what it begins is closed beside the other calls
      const body = call.name === "setTradingStatus" ? { tradingStatus: "off" } : call.body;
      const send = async (headers: Record<string, string> = {}) =>
        server.send(call.route.method, addressOf(call), {
          token: wallet.token,
          ...(body === undefined ? {} : { body }),
          headers,
        });
      const before = await countRecorded();
      let answer = await send();
      if (answer.body?.confirm !== undefined)
        answer = await send({ [CONFIRMATION_HEADER]: proofOf(answer, wallet) });
      expect([call.name, answer.status, refused]).toEqual([call.name, expect.any(Number), []]);
      if (call.name === "setTradingStatus") expect(answer.status).toBe(200);
      const isChange = call.route.method !== "GET" && call.route.access.kind !== "public";
      if (isChange && answer.status < 300 && (await countRecorded()) === before)
        unrecorded.push(call.name);
    }
    // What a session changes is listed where all are signed out
    expect(unrecorded.filter((name) => !LEAVE_NOTHING.has(name))).toEqual([]);
  });

  it("goes on within the rights of trading's role and the signer's", async () => {
    const owner = await createTrader(server.url);
    await owner.takePracticeMoney("5", "1000");
    const other = await owner.createAgent("Traded too SOL-1h");
    agent = other;
    await changeOutside();
    const { pathname } = new URL(other.webhook.url);
    for (const alert of ["enter", "exit"]) {
      const body = other.alertBody(alert, new Date(clock.now()).toISOString());
      expect((await deliver(server.url + pathname, body)).status).toBe(202);
    }
    const trading = { ...server.deps, db: database.as("trading").db };
    const keys = createCustodyKeys(custodySecret);
    const log = { debug() {}, warn() {}, error() {} };
    const guard = createCustodyGuard({ ...trading, keys });
    await createReconciler({ ...trading, keys, guard }).run();
    const found = await findCustodyAgent(database.db, other.botId);
    if (found === null) throw new Error("The agent is gone");
    await updateAgentLedger({ ...trading, feePayers: [keys.feePayer.address], log }, found);
    expect(refused).toEqual([]);
  });
});
