import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "@solana/kit";
import { isBuiltIn } from "../../domain/network.ts";
import { binanceKlines, bybitKlines } from "../market-data/exchange-dialects.ts";
import {
  PRICE_DIALECTS,
  PRICE_SOURCE_NAMES,
  type PriceSourceName,
  sayFault,
  UnreadablePriceError,
} from "../../venues/price-dialects.ts";
import { askPath, askSource } from "../market-data/prices/price-sources.ts";
import { findMailFault } from "../notices/channels/email.ts";
import { inClass } from "../networks.ts";
import { repeatTask, type RepeatedTask } from "../pacing/repeat-task.ts";
import {
  type Finding,
  rankOf,
  readDatabaseFacts,
  readLook,
  saveLook,
  takeLook,
} from "../store/health/outside-looks.ts";
import { getText, postJson } from "./http-client.ts";
import type { OpenedProcess } from "./open-process.ts";
import {
  ANSWER_MS,
  atLeast,
  BEHIND_MS,
  type Check,
  conclude,
  conclusions,
  type DoctorDeps,
  fail,
  type Found,
  NOT_SET,
  OPTIONAL,
  seconds,
} from "./check.ts";
import { lookAtChain } from "./look-at-chain.ts";
import { unusableUrl } from "./open-database-host.ts";
import { TELEGRAM_URL } from "./open-notices.ts";
import { OUTSIDE, SWAP_ROUTER } from "./outside.ts";

/** Age from which a price is too old to be used, in milliseconds. */
const OLD_PRICE_MS = 10_000;

const priceChecks = ({ config, clock, get, networks }: DoctorDeps): readonly Check[] =>
  PRICE_SOURCE_NAMES.map((name) => {
    const dialect = PRICE_DIALECTS[name];
    const { label, key } = dialect;
    const source = config.priceSources.find((each) => each.name === name);
    const chain = networks.get("mainnet")?.chain;
    const accounts = chain && ((each: readonly Address[]) => chain.accounts(each));
    const look = async () => {
      if (source === undefined) return fail(key ?? "left out of PRICE_SOURCES", NOT_SET);
      const { readings, fault } = await askSource(source, { get, accounts });
      if (fault !== null) return fail(sayFault(label, fault));
      const nowMs = clock.now();
      const isOld = readings.some(
        ({ atMs, standsMs = 0 }) => nowMs - (atMs ?? nowMs) > standsMs + OLD_PRICE_MS,
      );
      return isOld ? fail(sayFault(label, "old")) : readings.map(({ asset }) => asset).join(", ");
    };
    const host = dialect.kind === "http" ? new URL(dialect.origin).host : "";
    return [`Prices of ${label}`, look, { ...OPTIONAL, host }];
  });

/** Returns the check that a price source answers another question too, in the form that a reader knows. */
function answerCheck(
  { get }: DoctorDeps,
  [name, known]: readonly [string, Found],
  source: PriceSourceName,
  {
    url,
    read,
    key,
  }: {
    readonly url: string;
    readonly read: (body: unknown) => unknown;
    readonly key?: string | undefined;
  },
): Check {
  const dialect = PRICE_DIALECTS[source];
  const look = async () => {
    if (dialect.kind !== "http") return fail("is not asked over HTTP");
    const reading = (body: unknown) => {
      try {
        read(body);
      } catch (cause) {
        throw new UnreadablePriceError("Another form", { cause });
      }
      return [];
    };
    const asked = { origin: "", ...(key !== undefined && { key }) };
    const { fault } = await askPath({ ...dialect, read: reading }, url, asked, { get });
    return fault === null ? (known.text ?? "answers") : fail(sayFault(dialect.label, fault));
  };
  return [name, look, { host: new URL(url).host, ...known }];
}

const CANDLES = { symbol: "SOLUSDT", interval: "1m", limit: 1 } as const;

const candleChecks = (deps: DoctorDeps): readonly Check[] =>
  (["binance", "bybit"] as const).map((source) => {
    const { origin } = deps.config.priceSources.find(({ name }) => name === source) ?? {};
    const { name, url, rows } = { binance: binanceKlines, bybit: bybitKlines }[source](origin);
    const read = (body: unknown) => rows(body, CANDLES.symbol);
    const named = [`Candles of ${name}`, OPTIONAL] as const;
    return answerCheck(deps, named, source, { url: url(CANDLES), read });
  });

function swapCheck(deps: DoctorDeps): Check {
  const { source, network, venue } = SWAP_ROUTER;
  const { swapApiKey: key } = deps.config;
  const { label, key: setting } = PRICE_DIALECTS[source];
  const text = key === undefined ? `30 questions a minute; ${setting} allows more` : "answers";
  const named = [`Swaps of ${label}`, { network, venue, text }] as const;
  return answerCheck(deps, named, source, { ...SWAP_ROUTER, key });
}

/** Any answer in Telegram's form shows that it is reached. */
const telegramCheck = ({ get }: DoctorDeps): Check => [
  "Telegram",
  async () => {
    const url = `${TELEGRAM_URL}/bot0:none/getMe`;
    const answer = await get(url, {}, ANSWER_MS).catch(() => null);
    return answer?.body.includes('"ok"') === true
      ? "answers"
      : fail(sayFault("Telegram", "unreachable"));
  },
  { ...OPTIONAL, host: new URL(TELEGRAM_URL).host },
];

/** How far the clock here may be off, in milliseconds. */
const CLOCK_OFF_MS = 5_000;

/** Bytes and share of a disk that have to be free. */
const FREE_BYTES = 1_000_000_000;
const FREE_SHARE = 0.05;

/** Oldest PostgreSQL that is supported, as it numbers its versions. */
const OLDEST_POSTGRES = 150_000;

/** Returns the checks of what the server itself runs on. */
function ownChecks({ config, db, clock, free = statfs }: DoctorDeps): readonly Check[] {
  const { dataDir, mail } = config;
  const lookAtDisk = async () => {
    const { bavail, blocks, bsize } = await free(dataDir);
    const text = `${Math.floor((bavail * bsize) / 1e6)} MB free`;
    const isFull = bavail * bsize < FREE_BYTES || bavail < blocks * FREE_SHARE;
    return isFull ? fail(`${text} only: a full disk stores no alert, make room`) : text;
  };
  const lookAtDatabase = async () => {
    if (db === null)
      return fail("the first start of a server makes it", { ...NOT_SET, ...OPTIONAL });
    if (typeof db === "string") return fail(db);
    const facts = await readDatabaseFacts(db).catch((error: unknown) => {
      throw unusableUrl(error, undefined);
    });
    const text = `PostgreSQL ${Math.floor(facts.version / 10_000)}`;
    if (facts.version < OLDEST_POSTGRES) fail(`${text} is too old: 15 or later`);
    if (facts.off.length > 0) fail(`${facts.off.join(", ")} off: a crash loses alerts`);
    const offMs = clock.now() - facts.at.getTime();
    if (Math.abs(offMs) > BEHIND_MS / 2)
      fail(`its clock is ${seconds(offMs)} off this one: set NTP`);
    return text;
  };
  const lookAtMail = async () => {
    if (mail === undefined) return fail("SMTP_URL, MAIL_FROM", NOT_SET);
    const fault = await findMailFault({ ...mail, timeoutMs: ANSWER_MS });
    return fault === null ? "takes mails" : fail(`${fault} (SMTP_URL)`);
  };
  return [
    ["Disk", lookAtDisk],
    ["Database", lookAtDatabase],
    ["Mail", lookAtMail, { isNeeded: mail !== undefined }],
  ];
}

const middle = (all: readonly number[]): number | undefined =>
  all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)];

const clockCheck = (aheads: readonly number[]): Check => [
  "Clock",
  async () => {
    const aheadMs = middle(aheads);
    if (aheadMs === undefined) return fail("nobody outside told", { ...NOT_SET, ...OPTIONAL });
    const told = `what ${aheads.length} answers from outside tell`;
    if (Math.abs(aheadMs) <= CLOCK_OFF_MS) return `as ${told}`;
    const off = `${seconds(aheadMs)} ${aheadMs < 0 ? "behind" : "ahead of"}`;
    return fail(`${off} ${told}: set NTP here and at the database`);
  },
];

/** Looks once at everything outside that the settings need, and at what the server runs on. */
export async function lookAround(given: DoctorDeps): Promise<readonly Finding[]> {
  const aheads: number[] = [];
  const deps: DoctorDeps = {
    ...given,
    async get(...question) {
      const answer = await given.get(...question);
      const toldMs = Date.parse(answer.headers.get("date") ?? "");
      if (Number.isFinite(toldMs)) aheads.push(given.clock.now() - toldMs);
      return answer;
    },
  };
  const { networks } = deps.config;
  const own = await conclusions(deps, ownChecks(deps));
  if (networks.every((each) => each === "practice")) {
    return [...own, await conclude(deps, ["Outside", async () => "practice needs nothing"])];
  }
  const { network, venue } = SWAP_ROUTER;
  const isSwapped = networks.includes(network);
  const isPaper = networks.includes("paper");
  const [prices, candles, others] = await Promise.all([
    conclusions(deps, isSwapped || isPaper ? priceChecks(deps) : []),
    conclusions(deps, candleChecks(deps)),
    conclusions(deps, [telegramCheck(deps), ...(isSwapped ? [swapCheck(deps)] : [])]),
  ]);
  const of = "sources of prices";
  const paper = { of, network: "paper", text: "nothing fills, exits wait" } as const;
  const real = { of, network, venue, text: "an entry needs two, an exit one" };
  const together = await conclusions(deps, [
    clockCheck(aheads),
    ...(isPaper ? [atLeast(1, prices, "paper: prices", paper)] : []),
    ...(isSwapped ? [atLeast(2, prices, `${network}: prices`, real)] : []),
    atLeast(1, candles, "Candles", { of: "sources of candles", text: "conditions wait" }),
  ]);
  const aheadMs = middle(aheads) ?? 0;
  const chains = await Promise.all(
    networks.flatMap((each) => (isBuiltIn(each) ? [] : lookAtChain(deps, each, aheadMs))),
  );
  return [...own, ...prices, ...candles, ...others, ...together, ...chains.flat()];
}

/** Returns the findings as a table, what does not work first, and whether everything that is needed works. */
export function tellFindings(findings: readonly Finding[], atMs: number) {
  const sorted = findings.toSorted((one, other) => rankOf(one) - rankOf(other));
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = sorted.map(({ name, state, isNeeded, text, host }) => {
    const about = state === "works" ? undefined : OUTSIDE.find((each) => each.host === host);
    const stops = isNeeded && about ? `; without it stops: ${about.stops}` : "";
    const word = isNeeded && state !== "works" ? state.toUpperCase() : state;
    const end = about === undefined ? "" : `${stops} (${about.terms})`;
    return `${word.padEnd(7)}  ${name.padEnd(width)}  ${text}${end}`;
  });
  const missing = findings.filter((each) => rankOf(each) === 0).length;
  const things =
    missing === 1 ? "1 thing that is needed does" : `${missing} things that are needed do`;
  const end = missing === 0 ? "everything that is needed works" : `${things} not work`;
  const at = new Date(atMs).toISOString().replace("T", " ").slice(0, 16);
  return { lines: [...lines, "", `Last checked on ${at} UTC: ${end}.`], isWell: missing === 0 };
}

/** Pause between two looks of a server whether a look is due, in milliseconds. */
const ROUND_MS = 60_000;

/** Creates the look that one of the servers of a database takes: after its start and once a day, more often while something is wrong. */
export function createOutsideWatch({
  config,
  keys,
  onFailure,
  shared: { db, clock, networks },
}: OpenedProcess): Pick<RepeatedTask, "start" | "stop"> {
  const end = new AbortController();
  let isStart = true;
  const rounds = repeatTask({
    async task() {
      const isDue = await takeLook(db, isStart);
      isStart = false;
      if (!isDue) return;
      const { findings: last } = await readLook(db);
      const findings = await lookAround({
        config,
        db,
        clock,
        networks: inClass(networks, "reconcile"),
        last,
        isRead: false,
        feePayer: keys.feePayer.address,
        pause: (ms) => sleep(ms, undefined, { signal: end.signal }),
        get: getText,
        post: postJson,
      });
      await saveLook(db, findings);
    },
    pauseMs: ROUND_MS,
    onFailure: (error) => end.signal.aborted || onFailure(error),
  });
  return {
    start: rounds.start,
    stop() {
      end.abort();
      return rounds.stop();
    },
  };
}
