import type { Address } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import { type Account, ACCOUNTS_PER_REQUEST } from "./chain.ts";
import { type Answer, type Ask, handling, type Link } from "./chain-links.ts";
import type { CallClass } from "./request-budget.ts";

interface Waiting {
  readonly addresses: readonly Address[];
  readonly resolve: (answer: Answer<"accounts">) => void;
  readonly reject: (error: unknown) => void;
}

/** The accounts of one request and the calls it answers. */
interface Page {
  readonly class: CallClass;
  readonly least: bigint | undefined;
  readonly addresses: Set<Address>;
  readonly calls: Waiting[];
}

interface CachedPage {
  readonly readAtMs: number;
  readonly slot: bigint;
  readonly accounts: ReadonlyMap<Address, Account | null>;
}

/**
 * Returns a link that combines concurrent account reads of a class into as few requests as possible.
 *
 * Each read is answered from a single request, so its accounts are seen at one slot. Accounts that calls of the class of
 * `cache` read within `cache.ms` are answered from a cache.
 */
export function batchedReads(
  /** Resolves after all reads of the current tick have been requested. */
  endOfTick: () => Promise<void>,
  cache?: { readonly class: CallClass; readonly ms: number; readonly clock: Clock },
): Link {
  let pages: Page[] = [];
  let cachedPages: CachedPage[] = [];

  async function readPage(page: Page, next: Ask): Promise<void> {
    const { least, calls } = page;
    const addresses = [...page.addresses];
    const options = least === undefined ? {} : { minContextSlot: least };
    try {
      const readAtMs = cache?.clock.now() ?? 0;
      const { slot, accounts } = await next({
        method: "accounts",
        input: [addresses, options],
        class: page.class,
      });
      const found = new Map(addresses.map((address, at) => [address, accounts[at] ?? null]));
      if (page.class === cache?.class) cachedPages.push({ readAtMs, slot, accounts: found });
      for (const call of calls) call.resolve(answerFrom(slot, found, call.addresses));
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  }

  async function readAll(next: Ask): Promise<void> {
    await endOfTick();
    const gathered = pages;
    pages = [];
    await Promise.all(gathered.map((page) => readPage(page, next)));
  }

  function findCached(addresses: readonly Address[], least: bigint) {
    if (cache === undefined) return undefined;
    const nowMs = cache.clock.now();
    cachedPages = cachedPages.filter(({ readAtMs }) => nowMs - readAtMs < cache.ms);
    const page = cachedPages.find(
      ({ slot, accounts }) => slot >= least && addresses.every((address) => accounts.has(address)),
    );
    return page && answerFrom(page.slot, page.accounts, addresses);
  }

  return handling({
    async accounts({ input: [addresses, { minContextSlot } = {}], class: callClass }, next) {
      const known =
        callClass === cache?.class ? findCached(addresses, minContextSlot ?? 0n) : undefined;
      if (known !== undefined) return known;
      return new Promise((resolve, reject) => {
        if (pages.length === 0) void readAll(next);
        const fitting = pages.find(
          (page) =>
            page.class === callClass &&
            page.least === minContextSlot &&
            new Set([...page.addresses, ...addresses]).size <= ACCOUNTS_PER_REQUEST,
        );
        const page = fitting ?? {
          class: callClass,
          least: minContextSlot,
          addresses: new Set(),
          calls: [],
        };
        if (fitting === undefined) pages.push(page);
        for (const address of addresses) page.addresses.add(address);
        page.calls.push({ addresses, resolve, reject });
      });
    },
  });
}

function answerFrom(
  slot: bigint,
  accounts: ReadonlyMap<Address, Account | null>,
  addresses: readonly Address[],
): Answer<"accounts"> {
  return { slot, accounts: addresses.map((address) => accounts.get(address) ?? null) };
}
