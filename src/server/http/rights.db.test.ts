import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { useDatabase } from "../../../test/database.ts";
import { createFullServer, type FullServer } from "../../../test/full-server.ts";
import { createMemoryLedger } from "../../../test/memory-ledger.ts";
import { tradeElsewhere } from "../../../test/open-long.ts";
import { addressOf, plainCalls } from "../../../test/route-calls.ts";
import { createTrader, type FundedAgent, type Trader } from "../../../test/trader.ts";
import { sendConfirmed, type SignedIn } from "../../../test/wallet.ts";
import { newTestId, type ObjectIds } from "../../../test/world.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { parseOwner } from "../../domain/ids.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createCustodyKeys } from "../custody/account/custody-keys.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { signEd25519 } from "../custody/signer/create-trading-key-signer.ts";
import type { RouteName } from "../../contract/routes.ts";

/** Calls after which there is less to call, in this order at the end. */
const LAST: readonly RouteName[] = ["deleteAgent", "deleteChat", "logout", "signOutEverywhere"];

/** Its answer does not end. */
const ENDLESS: readonly RouteName[] = ["streamEvents"];

const database = useDatabase();
const custodySecret = randomBytes(32);
const clock = createTestClock();
/** What the database refused any process for want of a right, since the test began. */
const refused: string[] = [];
let server: FullServer;
let trader: Trader;
let agent: FundedAgent;

beforeAll(async () => {
  const { _handleErrorMessage: handle } = Client.prototype as unknown as {
    _handleErrorMessage(this: Client, message: { code: string; message: string }): void;
  };
  vi.spyOn(Client.prototype as never, "_handleErrorMessage").mockImplementation(function (
    this: Client,
    message: { code: string; message: string },
  ) {
    if (message.code === "42501") refused.push(message.message);
    return handle.call(this, message);
  } as never);
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

afterAll(() => server.close());

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

describe("every call, of an agent whose account was changed outside", () => {
  const seed = () => Buffer.from(trader.secret, "hex");

  it("is refused nothing by the database, and neither are lanes, reconciliation and signer", async () => {
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
    for (const call of calls.toSorted((one, other) => rank(one) - rank(other))) {
      // Off first: it reads the account, and what it begins is closed beside the other calls
      const body = call.name === "setTradingStatus" ? { tradingStatus: "off" } : call.body;
      const answer = await sendConfirmed(server, wallet, call.route.method, addressOf(call), body);
      expect([call.name, answer.status, refused]).toEqual([call.name, expect.any(Number), []]);
      if (call.name === "setTradingStatus") expect(answer.status).toBe(200);
    }
  });

  it("goes on in trading and signer", async () => {
    const other = await trader.createAgent("Traded too SOL-1h");
    agent = other;
    await changeOutside();
    await other.fire("enter");
    await other.fire("exit");
    const trading = { ...server.deps, db: database.as("trading").db };
    const keys = createCustodyKeys(custodySecret);
    const log = { debug() {}, warn() {}, error() {} };
    const guard = createCustodyGuard({ ...trading, keys });
    const reconciler = createReconciler({ ...trading, keys, log, guard });
    await reconciler.run?.();
    const found = await findCustodyAgent(database.db, other.botId);
    if (found === null) throw new Error("The agent is gone");
    await updateAgentLedger({ ...trading, feePayers: [keys.feePayer.address], log }, found);
    expect(refused).toEqual([]);
  });
});
