import type { Address, Signature } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import {
  type Account,
  ACCOUNTS_PER_REQUEST,
  type SignatureStatus,
  STATUSES_PER_REQUEST,
} from "./chain.ts";
import { type Answer, handling, type Link } from "./chain-links.ts";
import type { CallClass } from "./request-budget.ts";

/** Requests of a class that are under way at once; reads that come meanwhile are gathered. */
const UNDER_WAY = 2;

/** A slot, in milliseconds: reads that begin within one see the same. */
const SLOT_MS = 400;

/** Share of a node's requests a second that the account reads of a class take at most, but one in a slot. */
const READ_SHARE = 0.05;

/** How reads are gathered. */
export interface Gathering {
  /** Resolves after all reads of the current tick have been requested. */
  readonly endOfTick: () => Promise<void>;
  /**
   * A pause after each request, which answered so many reads; in it others are gathered unless they close positions. Absent
   * where requests cost nothing.
   */
  readonly pause?: (reads: number) => Promise<unknown>;
}

/** Reads that share a request from which on the next waits for twice as long: in a crowd requests are what is scarce. */
const CROWD = 8;

/** Returns the pause after a request that answered so many reads, of a node that allows so many a second, in milliseconds. */
export const readPauseMs = (perSecond: number, reads = 1): number =>
  Math.min(SLOT_MS, 1_000 / (perSecond * READ_SHARE)) * (reads < CROWD ? 1 : 2);

/** Some things asked at once, and what was found of each at one slot; `undefined` where the answer left one out. */
interface Found<T> {
  readonly slot: bigint;
  readonly found: readonly T[];
}

/** One request and the reads it answers. */
interface Page<Key, T> {
  readonly class: CallClass;
  readonly least: bigint | undefined;
  readonly keys: Set<Key>;
  readonly ask: (keys: readonly Key[]) => Promise<Found<T>>;
  readonly reads: {
    readonly keys: readonly Key[];
    readonly resolve: (answer: Found<T | undefined>) => void;
    readonly reject: (error: unknown) => void;
  }[];
}

/**
 * Returns a function that combines the reads of a class and least slot into as few requests of at most `most` keys as
 * possible. A read is sent after its tick's other reads were requested, while fewer than two requests of its class are
 * under way, and after the pause that follows one; it is never split, so its answer is of one slot.
 */
function gatherReads<Key, T>(most: number, { endOfTick, pause }: Gathering) {
  const waiting: Page<Key, T>[] = [];
  const underWay = new Map<CallClass, number>();
  const pausing = new Set<CallClass>();

  async function send(page: Page<Key, T>): Promise<void> {
    const keys = [...page.keys];
    try {
      const { slot, found } = await page.ask(keys);
      const byKey = new Map(keys.map((key, at) => [key, found[at]]));
      for (const read of page.reads) {
        read.resolve({ slot, found: read.keys.map((key) => byKey.get(key)) });
      }
    } catch (error) {
      for (const read of page.reads) read.reject(error);
    }
  }

  function start(callClass: CallClass): void {
    for (;;) {
      const count = underWay.get(callClass) ?? 0;
      const [page, next] = waiting.filter((each) => each.class === callClass);
      const isGathering = pausing.has(callClass) && next === undefined;
      if (count >= UNDER_WAY || page === undefined || isGathering) return;
      waiting.splice(waiting.indexOf(page), 1);
      underWay.set(callClass, count + 1);
      if (pause !== undefined && callClass !== "exit" && !pausing.has(callClass)) {
        pausing.add(callClass);
        void pause(page.reads.length).then(() => {
          pausing.delete(callClass);
          start(callClass);
        });
      }
      void send(page).finally(() => {
        underWay.set(callClass, (underWay.get(callClass) ?? 1) - 1);
        start(callClass);
      });
    }
  }

  return (
    keys: readonly Key[],
    asked: Pick<Page<Key, T>, "class" | "least" | "ask">,
  ): Promise<Found<T | undefined>> =>
    new Promise((resolve, reject) => {
      const fitting = waiting.find(
        (page) =>
          page.class === asked.class &&
          page.least === asked.least &&
          new Set([...page.keys, ...keys]).size <= most,
      );
      const page = fitting ?? { ...asked, keys: new Set(), reads: [] };
      if (fitting === undefined) {
        waiting.push(page);
        void endOfTick().then(() => start(asked.class));
      }
      for (const key of keys) page.keys.add(key);
      page.reads.push({ keys, resolve, reject });
    });
}

interface CachedPage {
  readonly readAtMs: number;
  readonly slot: bigint;
  readonly accounts: ReadonlyMap<Address, Account | null>;
}

/**
 * Returns a link that combines account reads of a class into as few requests as possible.
 *
 * Each read is answered from a single request, so its accounts are seen at one slot. Accounts that calls of the class of
 * `cache` read within `cache.ms` are answered from a cache.
 */
export function batchedReads(
  gathering: Gathering,
  cache?: { readonly class: CallClass; readonly ms: number; readonly clock: Clock },
): Link {
  const gathered = gatherReads<Address, Account | null>(ACCOUNTS_PER_REQUEST, gathering);
  let cachedPages: CachedPage[] = [];

  function findCached(addresses: readonly Address[], least: bigint) {
    if (cache === undefined) return undefined;
    const nowMs = cache.clock.now();
    cachedPages = cachedPages.filter(({ readAtMs }) => nowMs - readAtMs < cache.ms);
    const page = cachedPages.find(
      ({ slot, accounts }) => slot >= least && addresses.every((address) => accounts.has(address)),
    );
    return page && answerFrom(page, addresses);
  }

  return handling({
    async accounts(call, next) {
      const [addresses, { minContextSlot: least } = {}] = call.input;
      const isCached = call.class === cache?.class;
      const known = isCached ? findCached(addresses, least ?? 0n) : undefined;
      if (known !== undefined) return known;
      const ask = async (keys: readonly Address[]) => {
        const readAtMs = cache?.clock.now() ?? 0;
        const options = least === undefined ? {} : { minContextSlot: least };
        const { slot, accounts } = await next({ ...call, input: [keys, options] });
        const byAddress = new Map(keys.map((key, at) => [key, accounts[at] ?? null]));
        if (isCached) cachedPages.push({ readAtMs, slot, accounts: byAddress });
        return { slot, found: accounts };
      };
      const { slot, found } = await gathered(addresses, { class: call.class, least, ask });
      return { slot, accounts: found.map((account) => account ?? null) };
    },
  });
}

function answerFrom(
  { slot, accounts }: CachedPage,
  addresses: readonly Address[],
): Answer<"accounts"> {
  return { slot, accounts: addresses.map((address) => accounts.get(address) ?? null) };
}

/** Returns a link in front of one node that combines questions of a class for the status of signatures. */
export function batchedStatuses(gathering: Gathering): Link {
  const gathered = gatherReads<Signature, SignatureStatus | null>(STATUSES_PER_REQUEST, gathering);
  return handling({
    async signatureStatuses(call, next) {
      const [signatures, { minSlot: least } = {}] = call.input;
      const ask = async (keys: readonly Signature[]) => {
        const options = least === undefined ? {} : { minSlot: least };
        const { slot, statuses } = await next({ ...call, input: [keys, options] });
        return { slot, found: statuses };
      };
      const { slot, found } = await gathered(signatures, { class: call.class, least, ask });
      return { slot, statuses: found.map((status) => status ?? null) };
    },
  });
}
