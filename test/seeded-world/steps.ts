import type { AgentId } from "../../src/domain/ids.ts";
import { SLOT_MS } from "../../src/practice/slots.ts";
import { createKeeper } from "../../src/practice/programs/drift/keeper.ts";
import { DRIFT_V2_INSTANCE } from "../../src/venues/drift/instance.ts";
import { tradingView } from "../../src/server/alert-sources/tradingview.ts";
import { readWebhookToken, webhookToken } from "../../src/server/alert-sources/webhook-token.ts";
import { updateAgentLedger } from "../../src/server/ledger/update-agent-ledger.ts";
import { toDelivery } from "../../src/server/routes/webhook.ts";
import { findCustodyAgent } from "../../src/server/store/custody/multisigs.ts";
import { readTokenVersion } from "../../src/server/store/intake/inbox.ts";
import { listIdleStops } from "../../src/server/store/lanes/auto-trade.ts";
import { listAgentsWithWork } from "../../src/server/store/orders/lanes-with-work.ts";
import { watchPlans } from "../../src/server/trading/lanes/watch-plans.ts";
import { runLane } from "../../src/server/trading/lanes/lane.ts";
import { findLateFills } from "../../src/server/trading/orders/find-late-fills.ts";
import { changeDepth } from "./fault-steps.ts";
import { ALERTS } from "./random-rules.ts";
import {
  anyAgent,
  anyServer,
  bury,
  goOn,
  maybeInterrupted,
  maybeKilled,
  perform,
  type Run,
  type DeliveredAlert,
  type Step,
} from "./run.ts";
import type { SimServer } from "./sim-server.ts";

/** Lease of a lane in milliseconds, never reached: leases are ended by a step of the simulation instead of by time. */
const LEASE_MS = 2 ** 31;

const WEBHOOK_KEY = new TextEncoder().encode("the key of every seeded world");

function newAlert(
  run: Run,
  agentId: AgentId,
  tokenVersion: number,
  alertName: string = run.random.pick(ALERTS),
): DeliveredAlert {
  const firedAtMs = run.clock.now() - run.random.int(0, 20) * 100;
  const body = {
    agentId,
    alertName,
    timestamp: new Date(firedAtMs).toISOString(),
    token: webhookToken(WEBHOOK_KEY, agentId, tokenVersion),
  };
  const alert = { agentId, alertName, firedAtMs, body, answers: [] };
  run.alerts.push(alert);
  return alert;
}

/** Delivers alerts to one server at the same moment; each sender hears its own answer, or none. */
async function deliver(
  run: Run,
  server: SimServer,
  alerts: readonly DeliveredAlert[],
): Promise<string> {
  const receive = async ({ agentId, body, answers }: DeliveredAlert): Promise<string> => {
    const fired = tradingView.read(body);
    if (typeof fired === "string") throw new Error(fired);
    const version = readWebhookToken(WEBHOOK_KEY, agentId, fired.token);
    if (version === null) throw new Error("The token is not valid");
    const delivery = toDelivery(fired, version, run.clock.now());
    const result = await server.receiver.receive(delivery);
    answers.push(result);
    if (result.kind === "accepted") run.woken.push(agentId);
    return result.kind;
  };
  const told = await Promise.allSettled(alerts.map(receive));
  return told
    .map((each) => (each.status === "fulfilled" ? each.value : (each.reason as Error).name))
    .join(" ");
}

/** Returns how an agent's turn ended. */
export async function runServersLane(server: SimServer, agentId: AgentId): Promise<string> {
  const { kept, deps, name } = server;
  const held = kept.get(agentId);
  kept.delete(agentId);
  await held?.look().catch(() => false);
  const end = await (held?.goOn() ?? runLane(deps, agentId, name, LEASE_MS));
  if (typeof end !== "object") return end;
  kept.set(agentId, end);
  return "waiting";
}

const runAgentsLane = (run: Run, server: SimServer, agentId: AgentId) =>
  perform(
    run,
    server,
    `lane ${agentId.slice(0, 4)}`,
    () => runServersLane(server, agentId),
    maybeInterrupted(run.random),
  );

async function runFoundLane(run: Run): Promise<string> {
  const server = anyServer(run);
  const woken = run.woken.shift();
  if (woken !== undefined) return runAgentsLane(run, server, woken);
  const { deps } = server;
  const waiting = await listAgentsWithWork(deps.lanes, run.clock.now());
  const found = waiting.length > 0 ? waiting : await listIdleStops(deps.db);
  if (found.length === 0) return "no lane has work";
  const ids = found.map(({ agentId }) => agentId).toSorted();
  return runAgentsLane(run, server, run.random.pick(ids));
}

/** Ends the leases of all held lanes. */
export async function endLeases({ base }: Run): Promise<string> {
  const { rowCount } = await base.database.pool.query(
    "update lanes set claimed_until = '2000-01-01' where claimed_until is not null",
  );
  return `${rowCount} leases end`;
}

export const ALERT_STEPS: readonly Step[] = [
  {
    name: "alerts",
    weight: 16,
    async take(run) {
      const server = anyServer(run);
      const alerts: DeliveredAlert[] = [];
      const count = run.random.weighted([
        [6, 1],
        [2, 2],
        [1, 4],
      ]);
      for (let at = 0; at < count; at += 1) {
        const { id } = anyAgent(run);
        const version = await readTokenVersion(run.base.database.db, id, { rotates: false });
        alerts.push(newAlert(run, id, version ?? 1));
      }
      const interruption = maybeKilled(run.random, 4);
      return perform(run, server, "receives", () => deliver(run, server, alerts), interruption);
    },
  },
  {
    name: "alert again",
    weight: 7,
    async take(run) {
      const unanswered = run.alerts.filter(({ answers }) => answers.length === 0);
      const pool = unanswered.length > 0 && run.random.chance(80) ? unanswered : run.alerts;
      if (pool.length === 0) return "no alert was sent";
      const again = run.random.pick(pool);
      const server = anyServer(run);
      const interruption = maybeKilled(run.random, 4);
      return perform(
        run,
        server,
        "receives again",
        () => deliver(run, server, [again]),
        interruption,
      );
    },
  },
  {
    name: "token",
    weight: 1,
    async take(run) {
      const version = await readTokenVersion(run.base.database.db, anyAgent(run).id, {
        rotates: true,
      });
      return `token ${version}`;
    },
  },
];

/** Returns an alert that completes an agent's first rule. */
async function openingAlert(run: Run, agentId: AgentId): Promise<string | undefined> {
  const { rows } = await run.base.database.pool.query<{ name: string }>(
    `select alerts.name from rules join rule_conditions on rule_id = rules.id join alerts on alerts.id = alert_id
     where rules.agent_id = $1 order by rules.seq, alerts.seq limit 1`,
    [agentId],
  );
  return rows[0]?.name;
}

/** Returns the position of the agent that has a plan, as it is on the chain. */
async function plannedPosition({ base, healthy }: Run) {
  const [agent] = base.agents;
  const accounts = base.accounts.find(({ agentId }) => agentId === agent?.id);
  const venue = healthy.get("practice")?.venues.get("drift");
  if (agent === undefined || accounts === undefined || venue === undefined) return undefined;
  const { multisig, vault, tradingKey } = accounts;
  const state = await venue.accountState({
    owner: agent.owner.address,
    multisig,
    vault,
    tradingKey,
    subAccountId: 0,
    marketId: "SOL-PERP",
  });
  return state.positions.find(({ marketId }) => marketId === "SOL-PERP");
}

/** What a quiet minute brings: auctions end, keepers look, prices are watched and the lane goes on. */
async function turn(run: Run): Promise<string> {
  const { base, chain, clock, market, random } = run;
  const [planned] = base.agents;
  if (planned === undefined) return "nobody";
  let end = "";
  for (let look = 0; look < 2; look += 1) {
    clock.advance(12 * SLOT_MS);
    // Past the limit of what waits at the exchange, which then fills in part or not
    if (random.chance(40))
      market.price = (market.price * BigInt(random.int(9_930, 10_070))) / 10_000n;
    await createKeeper(chain, DRIFT_V2_INSTANCE)();
    const server = anyServer(run);
    await watchPlans(server.deps, "practice", () => {}).catch(() => {});
    end = await runAgentsLane(run, server, planned.id);
  }
  return end;
}

/** Steps of worlds whose first agent has a plan, which alone gets alerts there. */
export const PLAN_STEPS: readonly Step[] = [
  {
    name: "signal",
    weight: 24,
    async take(run) {
      const [planned] = run.base.agents;
      if (planned === undefined || run.deleted.has(planned.id)) return "is deleted";
      const version = await readTokenVersion(run.base.database.db, planned.id, { rotates: false });
      const alert = newAlert(run, planned.id, version ?? 1);
      const server = anyServer(run);
      return perform(run, server, "receives", () => deliver(run, server, [alert]));
    },
  },
  {
    name: "tick",
    weight: 12,
    async take({ random, market }) {
      market.price = (market.price * BigInt(random.int(990, 1_010))) / 1_000n;
      return String(market.price);
    },
  },
  {
    name: "watch",
    weight: 10,
    take(run) {
      const server = anyServer(run);
      const wake = (agentId: AgentId) => void run.woken.push(agentId);
      const look = () => watchPlans(server.deps, "practice", wake).then(() => "done");
      return perform(run, server, "watches", look, maybeInterrupted(run.random, 8));
    },
  },
  {
    name: "keeper",
    weight: 10,
    async take({ chain }) {
      await createKeeper(chain, DRIFT_V2_INSTANCE)();
      return "looked";
    },
  },
];

/** Steps that bring an agent with a plan to where it acts. */
export const ACT_STEPS: readonly Step[] = [
  {
    name: "entry",
    weight: 16,
    async take(run) {
      const [planned] = run.base.agents;
      if (planned === undefined || run.deleted.has(planned.id)) return "is deleted";
      const { db } = run.base.database;
      const version = await readTokenVersion(db, planned.id, { rotates: false });
      const opening = await openingAlert(run, planned.id);
      const alert = newAlert(run, planned.id, version ?? 1, opening);
      const server = anyServer(run);
      return perform(run, server, "receives", () => deliver(run, server, [alert]));
    },
  },
  {
    // To a price at which its plan asks for something: a stop, a target, an add, or the way back
    name: "level",
    weight: 16,
    async take(run) {
      const { random, market } = run;
      const { entryPrice, side } = (await plannedPosition(run)) ?? {};
      if (entryPrice === undefined) return "flat";
      const path = random.chance(30)
        ? [random.int(100, 250), random.int(-40, 20)]
        : [random.int(-450, 550)];
      let end = "";
      for (const bps of path) {
        const moved = BigInt(10_000 + (side === "long" ? bps : -bps));
        market.price = (entryPrice * moved) / 10_000n;
        end = await turn(run);
      }
      return `${path.join(" ")} bps, ${end}`;
    },
  },
  { name: "turn", weight: 16, take: turn },
  { name: "depth", weight: 3, take: changeDepth },
  {
    name: "hours",
    weight: 4,
    take(run) {
      run.clock.advance(run.random.int(1, 4) * 3_600_000);
      return turn(run);
    },
  },
];

export const SERVER_STEPS: readonly Step[] = [
  { name: "lane", weight: 26, take: runFoundLane },
  { name: "go on", weight: 8, take: (run) => goOn(run, maybeInterrupted(run.random)) },
  { name: "leases", weight: 5, take: endLeases },
  {
    name: "settlements",
    weight: 3,
    take(run) {
      const server = run.random.pick(run.servers);
      const sleepers = server.sleepers.splice(0);
      return perform(run, server, "settlements look", async () => {
        for (const wake of sleepers) wake();
        return String(sleepers.length);
      });
    },
  },
  {
    name: "late fills",
    weight: 2,
    take(run) {
      const server = anyServer(run);
      const look = () => findLateFills(server.deps, "practice").then(() => "done");
      return perform(run, server, "late fills", look, maybeInterrupted(run.random));
    },
  },
  {
    name: "reconcile",
    weight: 1,
    take(run) {
      const server = anyServer(run);
      const look = () => server.reconciler.run().then(() => "done");
      return perform(run, server, "reconciles", look, maybeInterrupted(run.random));
    },
  },
  {
    name: "book",
    weight: 1,
    take(run) {
      const server = anyServer(run);
      const { id } = anyAgent(run);
      const keep = async () => {
        const agent = await findCustodyAgent(server.deps.db, id);
        if (agent !== null) await updateAgentLedger(server.book, agent);
        return "done";
      };
      return perform(run, server, "books", keep, maybeInterrupted(run.random));
    },
  },
  {
    name: "kill",
    weight: 2,
    async take(run) {
      const server = anyServer(run);
      server.gate.kill();
      await server.gate.idle();
      return `${server.name}${bury(run, server)}`;
    },
  },
];
