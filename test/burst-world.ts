import { createTradingKeySigner } from "../src/server/custody/signer/create-trading-key-signer.ts";
import { createSigningAgents } from "../src/server/custody/signer/read-signing-agent.ts";
import { createSigningLedger } from "../src/server/custody/signer/signing-ledger.ts";
import { withCallClasses } from "../src/server/main/open-networks.ts";
import type { NetworkRuntime, Networks } from "../src/server/networks.ts";
import { runLane } from "../src/server/trading/lanes/lane.ts";
import {
  findTradingAgent,
  type LaneEnd,
  type TradingDeps,
} from "../src/server/trading/orders/order-context.ts";
import type { AgentId } from "../src/domain/ids.ts";
import { createSettlements } from "../src/server/trading/orders/settlements.ts";
import { passAuction } from "./auctions.ts";
import { connectRpc } from "./connect-rpc.ts";
import { type Crowd, createCrowd } from "./crowd.ts";
import { createTestDatabase } from "./database.ts";
import { accountReader, inheritTerms, TEST_HOST } from "./inherit-terms.ts";
import { practiceRules, practiceVenues } from "./practice-venues.ts";
import { type RpcServer, startRpcServer } from "./rpc-server.ts";
import { newTestId } from "./world.ts";
import { changeExchange } from "./practice-operator.ts";

/** Whose lanes have a turn, and which server gives it; all of them, by a server that is well, unless said. */
interface Turn {
  readonly agentIds?: readonly AgentId[];
  readonly deps?: TradingDeps;
  readonly worker?: string;
  readonly leaseMs?: number;
}

/** Agents of one owner whose orders are traded through a JSON-RPC node. */
export interface BurstWorld {
  readonly crowd: Crowd;
  readonly node: RpcServer;
  readonly deps: TradingDeps;
  /** What was logged as a warning or an error. */
  readonly problems: unknown[];
  /** Plans an entry of every agent, or what closes one. */
  plan(planned?: {
    readonly agentIds?: readonly AgentId[];
    readonly signal?: "OPEN_LONG" | "CLOSE_LONG";
  }): Promise<void>;
  /** Runs a turn at once of the lanes of these agents, of all unless said. */
  turn(by?: Turn): Promise<readonly LaneEnd[]>;
  /** Runs turns through auctions, as many as an order takes from its planning to its fill. */
  trade(): Promise<void>;
  /** Returns the base units that each agent holds on chain, and those of the fills that are recorded of it. */
  held(): Promise<readonly { readonly onChain: bigint; readonly recorded: bigint }[]>;
  /** Returns the orders' states with their reasons, in the order of their planning. */
  states(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Most turns of a lane until its order is placed, through its auction and filled. */
const TURNS = 4;

/** Creates the world with that many agents, and auctions of that many slots; behind nodes of a known rate where one is given. */
export async function createBurstWorld(
  count: number,
  auctionSlots: number,
  rate: Pick<NetworkRuntime, "requestsPerSecond"> = {},
): Promise<BurstWorld> {
  const crowd = await createCrowd(await createTestDatabase(), count);
  const node = await startRpcServer(crowd.chain);
  const { clock, database, keys, prices, chain: served, agentIds } = crowd;
  await changeExchange(served, { minPerpAuctionDuration: auctionSlots });
  await served.fund(keys.feePayer.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  await inheritTerms(database.db);
  const pool = await connectRpc([node], served, {
    clock,
    network: "practice",
    // A call that was given up and made again would be counted twice
    timeoutMs: 60_000,
    sharing: {
      budget: { take: async () => {}, limited() {} },
      endOfTick: () => new Promise((resolve) => setImmediate(resolve)),
      wait: () => new Promise<never>(() => {}),
    },
  });
  const runtime = withCallClasses(
    { network: "practice", explorerUrl: null, ...rate },
    pool,
    (view) => [...practiceVenues(view, prices, clock).values()],
  );
  const networks: Networks = new Map([["practice", runtime]]);
  const problems: unknown[] = [];
  const log = {
    debug() {},
    warn: (detail: object) => void problems.push(detail),
    error: (detail: object) => void problems.push(detail),
  };
  const deps: TradingDeps = {
    db: database.as("trading").db,
    lanes: database.as("trading").pool,
    networks,
    signer: createTradingKeySigner({
      keys,
      ledger: createSigningLedger({ pool: database.pool, clock }),
      agents: createSigningAgents({
        pool: database.as("signer").pool,
        rulesOf: practiceRules(served, prices, clock),
        tradingState: () => "active",
        keys,
        clock,
        host: TEST_HOST,
        readAccount: accountReader(served),
      }),
    }),
    clock,
    newId: newTestId,
    publisher: { publish() {} },
    tradingState: () => "active",
    custodyCheck: async () => null,
    settlements: createSettlements(log),
    entryAtr: async () => new Map(),
    log,
  };
  const turn: BurstWorld["turn"] = (by = {}) =>
    Promise.all(
      (by.agentIds ?? agentIds).map((agentId) =>
        runLane(by.deps ?? deps, agentId, by.worker ?? "test", by.leaseMs),
      ),
    );
  return {
    crowd,
    node,
    deps,
    problems,
    async plan({ agentIds: planned = agentIds, signal = "OPEN_LONG" } = {}) {
      const orders = planned.map((agent_id) => ({
        id: newTestId(),
        agent_id,
        signal,
        leg: 0,
        state: "planned" as const,
        planned_at: new Date(clock.now()),
      }));
      await database.db.insertInto("orders").values(orders).execute();
    },
    turn,
    async trade() {
      for (let taken = 0; taken < TURNS; taken += 1) {
        await turn();
        await passAuction(crowd);
      }
    },
    async held() {
      const { rows } = await database.pool.query<{ agent_id: string; base: string }>(
        `select agent_id, sum(case when signal = 'OPEN_LONG' then base_size else -base_size end) as base
         from order_fills join orders on orders.id = order_id group by agent_id`,
      );
      const recorded = new Map(rows.map(({ agent_id, base }) => [agent_id, BigInt(base)]));
      return Promise.all(
        agentIds.map(async (agentId) => {
          const { account, runtime } = (await findTradingAgent(deps, agentId)) ?? {};
          if (account == null || runtime == null) throw new Error("An agent has no account");
          const { positions } = await runtime.venue.accountState(account);
          const onChain = positions.reduce((sum, { baseSize }) => sum + baseSize, 0n);
          return { onChain, recorded: recorded.get(agentId) ?? 0n };
        }),
      );
    },
    async states() {
      const { rows } = await database.pool.query<{ state: string }>(
        "select concat_ws(' ', state, reason) as state from orders order by seq",
      );
      return rows.map(({ state }) => state);
    },
    async close() {
      await node.close();
      await database.drop();
    },
  };
}
