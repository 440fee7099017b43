import { bookUpkeep } from "../src/server/trading/orders/settle-restored.ts";
import type { SigningPurpose } from "../src/venues/order-signing.ts";
import { createHash } from "node:crypto";
import { accountReader, inheritTerms, TEST_HOST } from "./inherit-terms.ts";
import { expect } from "vitest";
import type { AgentId } from "../src/domain/ids.ts";
import { createCustodyWorld, type CustodyWorld } from "./custody-world.ts";
import { SLOT_MS } from "../src/practice/slots.ts";
import { passAuction } from "./auctions.ts";
import { createTestDatabase, share, type TestDatabase } from "./database.ts";
import { newTestId } from "./world.ts";
import type { TradingState } from "../src/domain/trading-state.ts";
import { type FaultyChain, withFaults } from "./faults.ts";
import { createTradingKeySigner } from "../src/server/custody/signer/create-trading-key-signer.ts";
import { createSigningLedger } from "../src/server/custody/signer/signing-ledger.ts";
import { createSigningAgents } from "../src/server/custody/signer/read-signing-agent.ts";
import type { TradingKeySigner } from "../src/server/custody/account/trading-key-signer.ts";
import type { Networks } from "../src/server/networks.ts";
import type { Witnesses } from "../src/solana/witnesses.ts";
import { endAllLaneLeases } from "../src/server/store/lanes/lanes.ts";
import { runLane } from "../src/server/trading/lanes/lane.ts";
import type {
  LaneEnd,
  PlanningDeps,
  TradingDeps,
} from "../src/server/trading/orders/order-context.ts";
import { createRecent } from "../src/server/custody/account/recent.ts";
import { createAlertReceiver } from "../src/server/trading/intake/receive-alerts.ts";
import type { Delivery, DeliveryResult } from "../src/server/trading/intake/delivery.ts";
import { createSettlements } from "../src/server/trading/orders/settlements.ts";
import { setAutoTrade } from "../src/server/trading/intake.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import type { Clock } from "../src/domain/clock.ts";
import type { SpotPrices } from "../src/venues/jupiter/swap-router.ts";
import { marketOn, practiceRules, practiceVenues } from "./practice-venues.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import type { AccountState } from "../src/domain/position.ts";

/** Alert and action of every rule the story agent has. */
const RULES = {
  long: "OPEN_LONG",
  short: "OPEN_SHORT",
  "close long": "CLOSE_LONG",
  "close short": "CLOSE_SHORT",
  reset: "RESET_OPEN_LONG",
} as const;

/** Most runs of the lane in which orders are placed, pass their auctions and are filled; a reversal takes six. */
const RUNS_WITH_AUCTIONS = 12;

export type StoryAlert = keyof typeof RULES | "both";

/** An order and its line of the trade log, as the database holds them. */
export interface StoryOrder {
  readonly id: string;
  readonly signal: string;
  readonly leg: number;
  readonly state: string;
  readonly reason: string | null;
  readonly signature: string | null;
  readonly status: string;
  readonly side: string;
  readonly baseSize: bigint;
  readonly total: bigint;
  readonly percentage: number;
}

type SigningStep = (purpose: SigningPurpose) => Promise<void>;

/** A funded agent with auto-trade on, on a practice chain with switchable faults. */
export interface TradingWorld extends CustodyWorld {
  readonly faulty: FaultyChain;
  /** Dependencies of one server process; a second set is a second server on the same database. */
  readonly deps: TradingDeps;
  /** The same in the process that answers the owner. */
  readonly webDeps: TradingDeps & PlanningDeps;
  readonly problems: unknown[];
  readonly venueAccount: VenueAccount;
  /** Debug lines of the stages, oldest first. */
  readonly stages: { readonly detail: object; readonly message: string }[];
  limitTo(state: TradingState): void;
  /** Calls `step` before the next signature. */
  beforeSigning(step: SigningStep): void;
  /** Returns the alert as a delivery that arrives now. */
  delivery(alert: StoryAlert): Delivery;
  fire(alert: StoryAlert): Promise<DeliveryResult>;
  /** Runs the agent's lane until it is empty or waits for something else than an auction, which passes. */
  run(worker?: string, server?: TradingDeps): Promise<string>;
  /** Returns the story a slot later, for what a schedule does by itself. */
  laterStory(): Promise<string[]>;
  turn(target: "on" | "off"): Promise<void>;
  account(): Promise<AccountState>;
  /** Returns whether all PnL of the market is settled into the balance. */
  isSettled(): Promise<boolean>;
  orders(): Promise<StoryOrder[]>;
  /** `signal state reason` of every order, oldest first. */
  story(): Promise<string[]>;
  /** Transactions of the venue account that landed, oldest first. */
  landed(): Promise<string[]>;
}

interface TradingWorldOptions {
  readonly storesChain?: true;
  /** Slots of the exchange's auctions; absent: those of this run of the tests. */
  readonly auctionSlots?: number;
  /** Lets the test itself pass the time of auctions; absent: `run` passes it. */
  readonly passesAuctions?: false;
  /** Settings of the database's sessions, as PostgreSQL's `options` of a connection. */
  readonly sessionSettings?: string;
  /** Absent: one of the tests' own server. */
  readonly database?: TestDatabase;
  /** Prices that server and signer each ask for; absent: the practice market's. */
  readonly spotPrices?: (
    clock: Clock,
  ) => Promise<{ readonly server: SpotPrices; readonly signer: SpotPrices }>;
}

/** Gives each test a trading world of its own, in which nothing went wrong unnoticed when the test ends. */
export const useTradingWorld = (venueId?: VenueId, options?: TradingWorldOptions): TradingWorld =>
  share(
    () => createTradingWorld(venueId, options),
    async (world) => {
      await world.database.drop();
      expect(world.problems).toEqual([]);
    },
    { isEach: true },
  );

export async function createTradingWorld(
  venueId: VenueId = "drift",
  {
    sessionSettings,
    passesAuctions,
    database: given,
    spotPrices,
    ...options
  }: TradingWorldOptions = {},
): Promise<TradingWorld> {
  const database =
    given ?? (await createTestDatabase(sessionSettings === undefined ? {} : { sessionSettings }));
  const custodyWorld = await createCustodyWorld(database, { venue: venueId, ...options });
  const { agentId, clock, keys } = custodyWorld;
  await custodyWorld.setUp();
  await custodyWorld.approve(await custodyWorld.prepare("deposit", "500"));
  await custodyWorld.chain.fund(keys.feePayer.address, {
    lamports: 1_000_000_000n,
    quoteUnits: 0n,
  });
  await insertRules(database.db, agentId);
  await inheritTerms(database.db);

  const faulty = withFaults(custodyWorld.chain);
  const spot = await spotPrices?.(clock);
  const venues = practiceVenues(faulty, custodyWorld.prices, clock, spot?.server);
  const networks: Networks = new Map([
    [
      "practice",
      {
        network: "practice",
        chain: faulty,
        venues,
        explorerUrl: null,
      },
    ],
  ]);
  let tradingState: TradingState = "active";
  const signer = createTradingKeySigner({
    keys,
    ledger: createSigningLedger({ pool: database.as("signer").pool, clock }),
    agents: createSigningAgents({
      pool: database.as("signer").pool,
      rulesOf: practiceRules(faulty, custodyWorld.prices, clock, spot?.signer),
      tradingState: () => tradingState,
      keys,
      clock,
      host: TEST_HOST,
      readAccount: accountReader(faulty),
    }),
  });
  let beforeSigning: SigningStep = async () => {};
  const steppedSigner: TradingKeySigner = {
    ...signer,
    async sign(request) {
      await beforeSigning(request.purpose);
      return signer.sign(request);
    },
  };
  const problems: unknown[] = [];
  const stages: { detail: object; message: string }[] = [];
  const log = {
    debug: (detail: object, message: string) => void stages.push({ detail, message }),
    warn: (detail: object) => void problems.push(detail),
    error: (detail: object) => void problems.push(detail),
  };
  const deps: TradingDeps = {
    db: database.as("trading").db,
    lanes: database.as("trading").pool,
    networks,
    signer: steppedSigner,
    clock,
    newId: newTestId,
    publisher: { publish: (_wallet, notice) => void custodyWorld.notices.push(notice) },
    tradingState: () => tradingState,
    custodyCheck: async () => null,
    settlements: createSettlements(log),
    bookUpkeep,
    entryAtr: async () => new Map(),
    log,
  };
  // What keepers filled is booked by the trading process alone
  const { bookUpkeep: _, ...shared } = deps;
  const webDeps: TradingWorld["webDeps"] = {
    ...shared,
    db: database.as("web").db,
    toldByNode: createRecent(10),
  };
  const receiver = createAlertReceiver({
    database: database.as("web"),
    newId: newTestId,
    onStored: () => {},
    onError: (error) => problems.push(error),
  });
  const { multisig, vault, tradingKey } = keys.of(agentId);
  const venueAccount: VenueAccount = {
    owner: custodyWorld.owner.address,
    multisig,
    vault,
    tradingKey: tradingKey.address,
    subAccountId: 0,
    marketId: marketOn(venueId),
  };
  const faultless = practiceVenues(custodyWorld.chain, custodyWorld.prices, clock).get(venueId);
  if (faultless === undefined) throw new Error(`No venue ${venueId}`);
  const orders = async (): Promise<StoryOrder[]> => {
    const rows = await database.db
      .selectFrom("orders")
      .innerJoin("trade_log", "trade_log.order_id", "orders.id")
      .select([
        "orders.id",
        "orders.signal",
        "leg",
        "state",
        "orders.reason",
        "orders.signature",
        "status",
        "side",
        "base_size",
        "quote_total",
        "percentage",
      ])
      .orderBy("orders.seq")
      .execute();
    return rows.map(({ base_size, quote_total, ...row }) => ({
      ...row,
      baseSize: BigInt(base_size),
      total: BigInt(quote_total),
    }));
  };
  const story = async () =>
    (await orders()).map(({ signal, state, reason }) =>
      reason === null ? `${signal} ${state}` : `${signal} ${state} ${reason}`,
    );
  let fired = 0;
  const delivery = (alert: StoryAlert): Delivery => ({
    agentId,
    tokenVersion: 1,
    alertName: alert,
    receivedAtMs: clock.now(),
    content: {
      kind: "alert",
      alertNameKey: alert,
      firedAtMs: clock.now(),
      dedupKey: createHash("sha256").update(`${alert} ${fired++}`).digest("hex"),
      bodyHash: "",
    },
  });

  return Object.assign(Object.create(custodyWorld) as CustodyWorld, {
    faulty,
    deps,
    webDeps,
    problems,
    venueAccount,
    stages,
    limitTo: (state: TradingState) => {
      tradingState = state;
    },
    beforeSigning: (step: SigningStep) => {
      beforeSigning = step;
    },
    delivery,
    fire: (alert: StoryAlert) => receiver.receive(delivery(alert)),
    async run(worker = "test", server = deps) {
      const passed = new Set<string>();
      let left: LaneEnd = await runLane(server, agentId, worker);
      const ended = async () => {
        if (typeof left !== "object") return left;
        await endAllLaneLeases(database.db, worker);
        return "waiting";
      };
      for (let runs = 1; ; runs += 1) {
        if (passesAuctions === false || runs === RUNS_WITH_AUCTIONS) return ended();
        const resting = (await orders()).find(({ state }) => state === "resting");
        const isOver = left !== "waiting" && typeof left !== "object";
        if (isOver || resting === undefined) return ended();
        if (passed.has(resting.id)) clock.advance(SLOT_MS);
        else await passAuction(custodyWorld);
        passed.add(resting.id);
        if (typeof left !== "object") left = await runLane(server, agentId, worker);
        else {
          await left.look().catch(() => false);
          left = await left.goOn();
        }
      }
    },
    async turn(target: "on" | "off") {
      const by = { wallet: custodyWorld.owner.address };
      await setAutoTrade({ ...webDeps, wake: () => {} }, agentId, by, target);
      if (target === "on") await inheritTerms(database.db);
    },
    account: () => faultless.accountState(venueAccount),
    isSettled: async () => (await faultless.buildSettle(venueAccount, "SOL-PERP")).length === 0,
    orders,
    story,
    laterStory() {
      clock.advance(SLOT_MS);
      return story();
    },
    landed: async () => {
      const sent = (await orders()).flatMap(({ signature }) => signature ?? []);
      const seen = await custodyWorld.chain.signaturesFor(keys.of(agentId).tradingKey.address, 100);
      return seen.filter((signature) => sent.includes(signature)).toReversed();
    },
  });
}

/** Returns a server's networks with this chain as the only node, whose answers the records are held against. */
export function withOneNode({ deps, faulty, clock, prices }: TradingWorld): Networks {
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const witnesses: Witnesses = {
    count: 1,
    askEach: async (_slot, work) => [{ value: await work(faulty), reject() {} }],
  };
  const venues = practiceVenues(faulty, prices, clock);
  return new Map([["practice", { ...runtime, venues, witnesses }]]);
}

async function insertRules(db: TradingDeps["db"], agentId: AgentId): Promise<void> {
  const addAlert = async (name: string): Promise<string> => {
    const id = newTestId();
    await db.insertInto("alerts").values({ id, agent_id: agentId, name, name_key: name }).execute();
    return id;
  };
  const addRule = async (action: string, alertId: string): Promise<void> => {
    const id = newTestId();
    await db.insertInto("rules").values({ id, agent_id: agentId, action }).execute();
    await db
      .insertInto("rule_conditions")
      .values({ rule_id: id, alert_id: alertId, required_count: 1 })
      .execute();
  };
  for (const [name, action] of Object.entries(RULES)) await addRule(action, await addAlert(name));
  const both = await addAlert("both");
  await addRule("OPEN_LONG", both);
  await addRule("OPEN_SHORT", both);
}
