import * as z from "zod/mini";
import type { Clock } from "../../../domain/clock.ts";
import type { Network } from "../../../domain/network.ts";
import { NO_PRICES, SOURCE_FAULTS } from "../../../domain/agent-health.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import {
  addPriceGap,
  leavePaperFeed,
  readPaperBulletin,
  takePaperFeed,
  writePaperBulletin,
} from "../../store/market-data/paper-feed.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { Notifier } from "../../store/postgres/notify.ts";
import { toJson } from "../../store/postgres/on.ts";
import {
  createPriceBoard,
  STALE_MS,
  type PriceBoard,
  type PriceBulletin,
  type PublishedPrice,
} from "./price-board.ts";
import { type ConfiguredSource, PRICE_DIALECTS } from "../../../venues/price-dialects.ts";
import { createPriceSource, type PriceTransport } from "./price-sources.ts";
import { isLivePriced } from "./spot-prices.ts";

/** Hint that new prices are stored. */
export const PRICES_TOPIC = "prices";

/** A price is published at most once a slot. */
const PUBLISH_MS = 400;

/** How long a process may be silent before another one asks the sources, and how often it says that it does. */
const HELD_MS = 15_000;
const HOLD_EVERY_MS = 5_000;

const units = z.pipe(
  z.string().check(z.regex(/^\d{1,30}$/)),
  z.transform((text: string) => BigInt(text)),
);

const storedPrices = z.record(
  z.string(),
  z.object({
    price: units,
    confidence: units,
    halfSpread: units,
    publishedAtMs: z.number(),
    postedAtMs: z.number(),
    sources: z.array(z.string()),
    // A version before stored none of this, nor of the two below
    isConfirmed: z._default(z.boolean(), false),
  }),
);

const storedBulletin = z.object({
  prices: storedPrices,
  missing: z.record(z.string(), z.enum(NO_PRICES)),
  rough: z._default(storedPrices, {}),
  spreads: z._default(z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))), {}),
  sources: z.array(
    z.object({
      name: z.string(),
      trouble: z.nullable(
        z.object({
          fault: z.enum(SOURCE_FAULTS),
          sinceMs: z.number(),
          assets: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/** Returns whether one of the networks goes by live prices; the exchange of a real network has an oracle of its own. */
export const hasLivePrices = (networks: readonly Network[]): boolean =>
  networks.includes("paper") || networks.includes("mainnet");

/** What is published before the first price. */
export const NO_BULLETIN: PriceBulletin = {
  prices: {},
  missing: {},
  rough: {},
  spreads: {},
  sources: [],
};

const decode = (stored: unknown): PriceBulletin =>
  stored === null ? NO_BULLETIN : storedBulletin.parse(stored);

interface BoardDeps extends PriceTransport {
  readonly clock: Clock;
  readonly configured: readonly ConfiguredSource[];
}

interface FeedDeps extends BoardDeps {
  readonly db: Db;
  /** Name of this process among those of the same database. */
  readonly holder: string;
  readonly hints: Pick<Notifier, "notify">;
  readonly onFailure: (error: unknown) => void;
}

/** Stores for how long an asset had no new price, once it has one again. */
function createGapNotes(db: Db) {
  const newestMs = new Map<string, number>();
  return {
    async noted(bulletin: PriceBulletin): Promise<PriceBulletin> {
      for (const [asset, { publishedAtMs }] of Object.entries(bulletin.prices)) {
        const before = newestMs.get(asset) ?? publishedAtMs;
        newestMs.set(asset, publishedAtMs);
        if (publishedAtMs - before <= STALE_MS) continue;
        await addPriceGap(db, asset, { from: new Date(before), to: new Date(publishedAtMs) });
      }
      return bulletin;
    },
  };
}

/** A board with its sources running. */
interface RunningBoard {
  readonly board: PriceBoard;
  stop(): Promise<void>;
}

/** Asks the sources that are configured, and gives a board what they answer; `last` is what was published before. */
export function runPriceBoard(
  deps: BoardDeps,
  onReceived: (board: PriceBoard) => void,
  last?: PriceBulletin,
): RunningBoard {
  const { configured, clock, accounts } = deps;
  const asked = configured.filter(
    ({ name }) => accounts !== undefined || PRICE_DIALECTS[name].kind !== "accounts",
  );
  const board = createPriceBoard(
    asked.map(({ name }) => PRICE_DIALECTS[name]),
    clock,
    last,
  );
  const sources = asked.map((source) => {
    const { label } = PRICE_DIALECTS[source.name];
    return createPriceSource(source, {
      ...deps,
      onReadings(readings) {
        board.receive(label, readings);
        onReceived(board);
      },
      onFault: (fault) => board.fail(label, fault),
    });
  });
  for (const source of sources) source.start();
  return { board, stop: async () => void (await Promise.all(sources.map(({ stop }) => stop()))) };
}

/**
 * Creates the feed of live prices: of all processes of a database one asks the sources, however many agents there
 * are, and stores what it publishes for the others.
 */
export function createPriceFeed(deps: FeedDeps) {
  const { db, clock, holder, hints } = deps;
  let running: RunningBoard | null = null;
  let written = "";
  const gaps = createGapNotes(db);
  let nextAtMs = 0;
  let publishedAtMs = 0;

  const open = async () => {
    const last = await gaps.noted(decode(await readPaperBulletin(db)));
    const onReceived = () => {
      if (clock.now() - publishedAtMs >= PUBLISH_MS) repeated.wake();
    };
    running = runPriceBoard(deps, onReceived, last);
  };

  const close = async () => {
    const ended = running;
    running = null;
    await ended?.stop();
  };

  const until = () => new Date(clock.now() + HELD_MS);

  async function publish(): Promise<void> {
    const now = clock.now();
    if (running === null) {
      if (now < nextAtMs) return;
      nextAtMs = now + HOLD_EVERY_MS;
      if (await takePaperFeed(db, { holder, now: new Date(now), until: until() })) await open();
      return;
    }
    const bulletin = toJson(await gaps.noted(running.board.publish()));
    if (bulletin === written && now < nextAtMs) return;
    nextAtMs = now + HOLD_EVERY_MS;
    publishedAtMs = now;
    if (!(await writePaperBulletin(db, { holder, until: until(), bulletin }))) return close();
    written = bulletin;
    hints.notify(PRICES_TOPIC, "");
  }

  const repeated = repeatTask({ task: publish, pauseMs: PUBLISH_MS, onFailure: deps.onFailure });
  return {
    start: repeated.start,
    async stop() {
      await repeated.stop();
      if (running === null) return;
      await close();
      await leavePaperFeed(db, holder);
    },
  };
}

/** Live prices as this process last read them: what paper's chain takes as its price source. */
export interface LivePrices {
  readonly label: string;
  /** Returns the newest price, old or not. */
  quote(asset: string): PublishedPrice | undefined;
  has(asset: string): boolean;
  bulletin(): PriceBulletin;
  /** Calls back whenever prices were read that differ from those before. */
  onNew(listener: (bulletin: PriceBulletin) => void): void;
  stop(): Promise<void>;
}

/**
 * Opens the prices that some process publishes; a price that became old is still returned, with its times. They are read
 * when a hint says that there are new ones, and without hints every 400 ms.
 */
export async function openLivePrices({
  db,
  hints,
  onFailure,
}: {
  readonly db: Db;
  readonly hints?: Pick<Notifier, "subscribe" | "onMayHaveMissed">;
  readonly onFailure: (error: unknown) => void;
}): Promise<LivePrices> {
  const listeners: ((bulletin: PriceBulletin) => void)[] = [];
  let bulletin = decode(await readPaperBulletin(db));
  const repeated = repeatTask({
    async task() {
      const before = toJson(bulletin);
      bulletin = decode(await readPaperBulletin(db));
      if (toJson(bulletin) !== before) for (const listener of listeners) listener(bulletin);
    },
    pauseMs: hints === undefined ? PUBLISH_MS : HELD_MS,
    pauseAfterFailureMs: PUBLISH_MS,
    onFailure,
  });
  repeated.start();
  const ends = [
    hints?.subscribe(PRICES_TOPIC, repeated.wake),
    hints?.onMayHaveMissed(repeated.wake),
  ];
  return {
    label: "live prices",
    quote: (asset) => bulletin.prices[asset],
    has: isLivePriced,
    bulletin: () => bulletin,
    onNew: (listener) => void listeners.push(listener),
    async stop() {
      for (const end of ends) end?.();
      await repeated.stop();
    },
  };
}
