import * as z from "zod/mini";
import type { Clock } from "../../../domain/clock.ts";
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
import { PAPER_ASSETS, type ConfiguredSource, PRICE_DIALECTS } from "./price-dialects.ts";
import { createPriceSource, type PriceTransport, type RunningSource } from "./price-sources.ts";

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

const storedBulletin = z.object({
  prices: z.record(
    z.string(),
    z.object({
      price: units,
      confidence: units,
      halfSpread: units,
      publishedAtMs: z.number(),
      postedAtMs: z.number(),
      sources: z.array(z.string()),
    }),
  ),
  missing: z.record(z.string(), z.enum(NO_PRICES)),
  // A version before stored none
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

const EMPTY: PriceBulletin = { prices: {}, missing: {}, spreads: {}, sources: [] };

const decode = (stored: unknown): PriceBulletin =>
  stored === null ? EMPTY : storedBulletin.parse(stored);

interface FeedDeps extends PriceTransport {
  readonly db: Db;
  readonly clock: Clock;
  readonly configured: readonly ConfiguredSource[];
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

const createSources = (deps: FeedDeps, board: PriceBoard, onReceived: () => void) =>
  deps.configured.map(({ name, origin }) => {
    const dialect = PRICE_DIALECTS[name];
    return createPriceSource(dialect, origin ?? dialect.origin, {
      ...deps,
      onReadings(readings) {
        board.receive(dialect.label, readings);
        onReceived();
      },
      onFault: (fault) => board.fail(dialect.label, fault),
    });
  });

/**
 * Creates the feed of paper's prices: of all processes of a database one asks the sources, however many agents there
 * are, and stores what it publishes for the others.
 */
export function createPaperFeed(deps: FeedDeps) {
  const { db, clock, configured, holder, hints } = deps;
  let running: { readonly board: PriceBoard; readonly sources: readonly RunningSource[] } | null =
    null;
  let written = "";
  const gaps = createGapNotes(db);
  let nextAtMs = 0;
  let publishedAtMs = 0;

  const open = async () => {
    const last = await gaps.noted(decode(await readPaperBulletin(db)));
    const names = configured.map(({ name }) => PRICE_DIALECTS[name].label);
    const board = createPriceBoard(names, clock, last);
    const sources = createSources(deps, board, () => {
      if (clock.now() - publishedAtMs >= PUBLISH_MS) repeated.wake();
    });
    for (const source of sources) source.start();
    running = { board, sources };
  };

  const close = async () => {
    const sources = running?.sources ?? [];
    running = null;
    await Promise.all(sources.map((source) => source.stop()));
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

/** Prices of paper as this process last read them: what the built-in chain takes as its price source. */
export interface PaperPrices {
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
export async function openPaperPrices({
  db,
  hints,
  onFailure,
}: {
  readonly db: Db;
  readonly hints?: Pick<Notifier, "subscribe" | "onMayHaveMissed">;
  readonly onFailure: (error: unknown) => void;
}): Promise<PaperPrices> {
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
    has: (asset) => PAPER_ASSETS.some((each) => each === asset),
    bulletin: () => bulletin,
    onNew: (listener) => void listeners.push(listener),
    async stop() {
      for (const end of ends) end?.();
      await repeated.stop();
    },
  };
}
