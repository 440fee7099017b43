import { randomBytes } from "node:crypto";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "@solana/kit";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import { deployOn } from "../e2e/real-life.ts";
import { createTrader, type FundedAgent } from "../test/trader.ts";
import { openRealNetwork, programFiles } from "../test/twin/real-network.ts";
import { parseAddress } from "../src/solana/encoding/address-codec.ts";
import { createAlertRound } from "./alert-round.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, requireOnly, say } from "./figures.ts";
import { pace, percentile } from "./http-load.ts";
import { openPracticeNode, practiceNodeSettings } from "./practice-node.ts";
import { startProgram } from "./processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const LATENCY_MS = 50;
const TRADERS = 4;
const AGENTS_PER_TRADER = 5;
const ALERTS_PER_SECOND = 2;
const TRADED_MS = 60_000;
/** Time in milliseconds for two searches of the accounts that the trades changed. */
const SETTLING_MS = 90_000;
const RESTED_MS = 120_000;
const SOL = 1_000_000_000n;
/** Initial balance of every trader's wallet, in base units. */
const OWNED = { lamports: 10n * SOL, dollars: 10_000_000_000n };

/** Chain behind a slow node, with the product's settings for it and a way to fund wallets. */
interface Behind {
  readonly name: string;
  readonly network: "mainnet" | "devnet";
  readonly calls: string[];
  readonly settings: Readonly<Record<string, string>>;
  fund(owner: Address): Promise<void>;
  close(): Promise<void>;
}

const slow = () => ({ kind: "slow", ms: LATENCY_MS }) as const;

/** The practice chain, which the product takes for mainnet. */
async function openPractice(): Promise<Behind> {
  const { chain, rpc } = await openPracticeNode(slow);
  const { feePayer, settings } = practiceNodeSettings(rpc.url);
  await chain.fund(feePayer, { lamports: 1_000n * SOL, quoteUnits: 0n });
  return {
    name: "practice",
    network: "mainnet",
    calls: rpc.calls,
    settings: { ...settings, SESSION_SECRET: randomBytes(32).toString("hex") },
    async fund(owner) {
      await chain.fund(owner, { lamports: OWNED.lamports, quoteUnits: OWNED.dollars });
    },
    close: () => rpc.close(),
  };
}

/** Opens the real programs in the real runtime; null when the environment names no files. */
async function openReal(): Promise<Behind | null> {
  const { absent, programs = {} } = programFiles(process.env);
  if (absent !== null) {
    say(`the real programs are not measured: ${absent}`);
    return null;
  }
  const real = await openRealNetwork(programs, { minPerpAuctionDuration: 0 });
  const operate = join(import.meta.dirname, "../server/operate.js");
  const { settings } = await deployOn(real, newDataDir(), operate);
  real.behave({ before: slow });
  return {
    name: "the real programs",
    network: "devnet",
    calls: real.calls,
    settings,
    async fund(owner) {
      await real.give(owner, OWNED.lamports);
      await real.giveDollars(owner, OWNED.dollars);
    },
    close: () => real.close(),
  };
}

async function createAgents(url: string, { network, fund }: Behind): Promise<FundedAgent[]> {
  const made = await Promise.all(
    Array.from({ length: TRADERS }, async (_, index) => {
      const trader = await createTrader(url);
      await fund(parseAddress(trader.address));
      const agents: FundedAgent[] = [];
      while (agents.length < AGENTS_PER_TRADER) {
        agents.push(await trader.createAgent(`Bench ${index} ${agents.length}`, { network }));
      }
      return agents;
    }),
  );
  return made.flat();
}

async function sayWaits(pool: Pool, agents: readonly FundedAgent[], name: string): Promise<void> {
  const { rows } = await pool.query<{ state: string; sent: number | null; filled: number | null }>(
    `select o.state, extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as sent,
       case when o.state = 'filled'
         then extract(epoch from o.settled_at - e.received_at)::float8 * 1000 end as filled
     from orders o join alert_events e on e.id = o.event_id
     where o.agent_id = any($1)`,
    [agents.map((agent) => agent.botId)],
  );
  const shares = (waits: readonly (number | null)[]): string => {
    const sorted = waits.flatMap((ms) => ms ?? []).sort((a, b) => a - b);
    return `p50 ${fixed(percentile(sorted, 0.5), 0)} ms, p99 ${fixed(percentile(sorted, 0.99), 0)} ms of ${sorted.length}`;
  };
  say(
    `through JSON-RPC with ${LATENCY_MS} ms, ${name} behind it, ${ALERTS_PER_SECOND} alerts a second, ${rows.length} orders: ` +
      `alert to sent ${shares(rows.map(({ sent }) => sent))}; ` +
      `alert to recorded fill ${shares(rows.map(({ filled }) => filled))}`,
  );
}

async function measure(url: string, pool: Pool, behind: Behind): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    DATA_DIR: newDataDir(),
    ...behind.settings,
    // A high limit, because the order's path is measured and not a node's rate limit
    RPC_REQUESTS_PER_SECOND: "1000",
  });
  const agents = await createAgents(`http://127.0.0.1:${port}`, behind);
  const alerts = createAlertRound(agents);
  const result = await pace(port, ALERTS_PER_SECOND, TRADED_MS, alerts.next);
  requireOnly(202, result, "The product");
  await sleep(10_000);
  await sayWaits(pool, agents, behind.name);
  await sleep(SETTLING_MS);
  behind.calls.length = 0;
  await sleep(RESTED_MS);
  const perMinute = (behind.calls.length * 60_000) / RESTED_MS / agents.length;
  say(
    `requests of a node at rest: ${fixed(perMinute)} per agent and minute, ${agents.length} agents`,
  );
  say("limit lifted for this: RPC_REQUESTS_PER_SECOND is 1000 instead of 10");
  say(`load of the machine: ${fixed(loadavg()[0] ?? 0, 1)} within the last minute`);
  await product.stop();
  await behind.close();
}

for (const open of [openPractice, openReal]) {
  const behind = await open();
  if (behind !== null) await withDatabase((url, pool) => measure(url, pool, behind));
}
