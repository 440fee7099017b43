import type { Address } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import { ACCOUNTS_PER_REQUEST } from "./budgeted-chain.ts";
import type { Account, Chain } from "./chain.ts";

type Answer = Awaited<ReturnType<Chain["accounts"]>>;

interface Waiting {
  readonly addresses: readonly Address[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The accounts of one request and the calls it answers. */
interface Page {
  readonly least: bigint | undefined;
  readonly addresses: Set<Address>;
  readonly calls: Waiting[];
}

interface KeptPage {
  readonly readAtMs: number;
  readonly slot: bigint;
  readonly accounts: ReadonlyMap<Address, Account | null>;
}

/**
 * Returns a view of a chain that combines concurrent account reads into as few requests as possible.
 *
 * Each read is answered from a single request, so its accounts are seen at one slot. With `kept`, accounts read a
 * moment ago are answered from a cache.
 */
export function createGatheringChain(
  chain: Chain,
  options: {
    /** Resolves after all reads of the current tick have been requested. */
    readonly endOfMoment: () => Promise<void>;
    readonly kept?: { readonly ms: number; readonly clock: Clock };
  },
): Chain {
  const { endOfMoment, kept } = options;
  let pages: Page[] = [];
  let keptPages: KeptPage[] = [];

  async function readPage({ least, addresses, calls }: Page): Promise<void> {
    const asked = [...addresses];
    try {
      const readAtMs = kept?.clock.now() ?? 0;
      const answer = await chain.accounts(
        asked,
        least === undefined ? {} : { minContextSlot: least },
      );
      const found = new Map(asked.map((address, at) => [address, answer.accounts[at] ?? null]));
      if (kept !== undefined) keptPages.push({ readAtMs, slot: answer.slot, accounts: found });
      for (const call of calls) call.resolve(answerFrom(answer.slot, found, call.addresses));
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  }

  async function readAll(): Promise<void> {
    await endOfMoment();
    const gathered = pages;
    pages = [];
    await Promise.all(gathered.map(readPage));
  }

  function findKept(addresses: readonly Address[], least: bigint): Answer | undefined {
    if (kept === undefined) return undefined;
    const nowMs = kept.clock.now();
    keptPages = keptPages.filter(({ readAtMs }) => nowMs - readAtMs < kept.ms);
    const page = keptPages.find(
      ({ slot, accounts }) => slot >= least && addresses.every((address) => accounts.has(address)),
    );
    return page && answerFrom(page.slot, page.accounts, addresses);
  }

  return {
    ...chain,
    accounts(addresses, { minContextSlot } = {}) {
      const known = findKept(addresses, minContextSlot ?? 0n);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise<Answer>((resolve, reject) => {
        if (pages.length === 0) void readAll();
        const fitting = pages.find(
          (page) =>
            page.least === minContextSlot &&
            new Set([...page.addresses, ...addresses]).size <= ACCOUNTS_PER_REQUEST,
        );
        const page = fitting ?? { least: minContextSlot, addresses: new Set(), calls: [] };
        if (fitting === undefined) pages.push(page);
        for (const address of addresses) page.addresses.add(address);
        page.calls.push({ addresses, resolve, reject });
      });
    },
  };
}

function answerFrom(
  slot: bigint,
  accounts: ReadonlyMap<Address, Account | null>,
  addresses: readonly Address[],
): Answer {
  return { slot, accounts: addresses.map((address) => accounts.get(address) ?? null) };
}
