import { seeded, type SendFault } from "../faults.ts";
import { SLOT_MS } from "../../src/practice/slots.ts";
import { TRADING_STATES } from "../../src/domain/trading-state.ts";
import type { Run, Step } from "./run.ts";
import { boundFills, changeExchange, setExchangePaused } from "../practice-operator.ts";

const SEND_FAULTS: readonly SendFault[] = ["refuse", "drop", "lose-answer", "fork", "delay"];

/** Base units that a fill takes of a deep and of a thin market; an entry is of 0.64 of the asset. */
const [DEEP, THIN] = [10_000_000_000n, 400_000_000n];

/** Lets orders fill in parts, or whole again. */
export async function changeDepth({ chain, random, settings }: Run): Promise<string> {
  settings.isThin = random.chance(50);
  await boundFills(chain, settings.isThin ? THIN : DEEP);
  return settings.isThin ? "thin" : "deep";
}

/** Ends every fault of chain, venue, market and trading switches. */
export async function heal(run: Run): Promise<void> {
  for (const node of run.nodes) {
    node.script(() => undefined);
    node.setDown(false);
    node.resolveForks();
    await node.setStale(false);
    await node.release().catch(() => {});
  }
  if (run.settings.isVenuePaused) await setExchangePaused(run.chain, false);
  if (run.settings.isThin) await boundFills(run.chain, DEEP);
  Object.assign(run.settings, { isVenuePaused: false, isThin: false });
  run.settings.tradingState = "active";
  run.market.isFrozenSinceMs = null;
}

const wait = (run: Run, ms: number): string => {
  run.clock.advance(ms);
  return `${ms} ms`;
};

export const TIME_STEPS: readonly Step[] = [
  { name: "slots", weight: 12, take: async (run) => wait(run, 400 * run.random.int(1, 12)) },
  { name: "time", weight: 3, take: async (run) => wait(run, 1_000 * run.random.int(10, 90)) },
  { name: "long time", weight: 1, take: async (run) => wait(run, 60_000 * run.random.int(2, 20)) },
];

export const FAULT_STEPS: readonly Step[] = [
  {
    name: "sends fail",
    weight: 6,
    async take({ random, nodes }) {
      const percent = random.pick([0, 30, 60, 100]);
      const faults = random.chance(50) ? SEND_FAULTS : [random.pick(SEND_FAULTS)];
      random.pick(nodes).script(seeded(random.int(0, 1_000_000), percent, faults));
      return `${percent} percent ${faults.join(" ")}`;
    },
  },
  {
    name: "node",
    weight: 4,
    async take({ random, nodes }) {
      const isDown = random.chance(35);
      const at = random.int(0, nodes.length - 1);
      nodes[at]?.setDown(isDown);
      return `${at} ${isDown ? "down" : "up"}`;
    },
  },
  {
    name: "stale node",
    weight: 3,
    async take({ random, nodes, servers, base, clock }) {
      const at = random.int(0, nodes.length - 1);
      const node = nodes[at];
      if (node === undefined || servers[at] === undefined || random.chance(50)) {
        await node?.setStale(false);
        return `${at} is fresh`;
      }
      const accounts = base.accounts.flatMap(({ users }) => users);
      await node.setStale(accounts);
      // Otherwise it would answer for this slot without what still lands in it, as no confirmed answer does
      clock.advance(SLOT_MS);
      return `${at} is stale`;
    },
  },
  {
    name: "delayed land",
    weight: 4,
    async take({ random, nodes }) {
      await random
        .pick(nodes)
        .release()
        .catch(() => {});
      return "done";
    },
  },
  {
    name: "forks end",
    weight: 3,
    async take({ random, nodes }) {
      random.pick(nodes).resolveForks();
      return "done";
    },
  },
  {
    name: "venue",
    weight: 1,
    async take({ random, chain, settings }) {
      settings.isVenuePaused = random.chance(50);
      await setExchangePaused(chain, settings.isVenuePaused);
      return settings.isVenuePaused ? "paused" : "open";
    },
  },
  {
    name: "auctions",
    weight: 1,
    async take({ random, chain }) {
      const slots = random.pick([0, 0, 10]);
      await changeExchange(chain, { minPerpAuctionDuration: slots });
      return String(slots);
    },
  },
  {
    name: "price",
    weight: 5,
    async take({ random, market }) {
      market.price = (market.price * BigInt(random.int(97, 103))) / 100n;
      return String(market.price);
    },
  },
  {
    name: "oracle",
    weight: 1,
    async take({ random, market, clock }) {
      market.isFrozenSinceMs = random.chance(50) ? clock.now() : null;
      return market.isFrozenSinceMs === null ? "lives" : "frozen";
    },
  },
  {
    name: "switch",
    weight: 3,
    async take({ random, settings }) {
      settings.tradingState = random.pick([...TRADING_STATES, "active"] as const);
      return settings.tradingState;
    },
  },
];
