import { createHash } from "node:crypto";
import type { Account, Chain } from "../../solana/chain.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import { type CustodyContext, findContext } from "../custody/account/custody-context.ts";
import {
  type LedgerMark,
  readLedgerMark,
  findBookedEnds,
  findFirstBooked,
  keepLedgerDues,
  keepLedgerMark,
  readLedgerDues,
} from "../store/ledger/ledger-marks.ts";
import {
  listBooked,
  countFees,
  countOfKind,
  insertEntries,
  lockLedger,
} from "../store/ledger/ledger-writes.ts";
import { dropBooked } from "../store/ledger/pending-entries.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { type ConcurrencyLimit, withoutLimit } from "../pacing/big-reads.ts";
import type { LedgerDeps } from "./ledger-deps.ts";
import { isHistoryCut, listTransactions, type ListedTransactions } from "./list-transactions.ts";
import {
  checkLedger,
  explainByCredits,
  isChecked,
  type PossibleCredit,
  reportMismatch,
  troubleOf,
} from "./check-ledger.ts";
import { causeOf, equitySteps } from "../../domain/ledger/equity-steps.ts";
import { changesOf, type LedgerBalance, compareBalances } from "../../domain/ledger/balance.ts";
import { type BookedEntry, type LedgerMovement } from "../../domain/ledger/entry.ts";
import { isWorthDue } from "../../domain/owner-history.ts";
import { assetOf, findMarket } from "../../venues/profiles.ts";
import type { MarketPrice } from "../../venues/ports.ts";
import {
  type EquityPoint,
  insertEquityPoints,
  readLastPoint,
} from "../store/ledger/equity-points.ts";
import { listEntriesAfter, sumLedger, readHeld, sumInterest } from "../store/ledger/ledger.ts";
import { recordMovements } from "../../domain/ledger/record-movements.ts";
import type { Db } from "../store/postgres/db.ts";
import { readEntries, toPending } from "./read-entries.ts";

/** Data read of an agent's funds, to book and compare. */
interface LedgerRound {
  /** Previous read position of the ledger; null the first time. */
  readonly mark: LedgerMark | null;
  readonly content: string;
  readonly reading: LedgerReading;
  readonly listed: ListedTransactions;
  /** Present prices of what may be booked; null where nothing is final. */
  readonly prices: Prices | null;
}

type Prices = ReadonlyMap<string, MarketPrice>;

/**
 * Books final transactions, compares the sums with the chain and adds the points of what was booked, in one transaction;
 * null when another server was first.
 */
async function updateLedgers(deps: LedgerDeps, context: CustodyContext, round: LedgerRound) {
  const { agentId } = context.agent;
  const { mark: before, content, listed, reading, prices } = round;
  const { finalSlot, outcomes, unread } = listed;
  return deps.db.transaction().execute(async (tx) => {
    await lockLedger(tx, agentId);
    const present = await readLedgerMark(tx, agentId);
    if ((present?.slot ?? null) !== (before?.slot ?? null)) return null;
    const dues = await readLedgerDues(tx, agentId);
    if (dues.fees) await countFees(tx, agentId);
    const final = outcomes.filter(({ slot }) => slot <= finalSlot);
    const waiting = outcomes.filter(({ slot }) => slot > finalSlot);
    const { entries, held } = readEntries(deps, context, await readHeld(tx, agentId), final);
    await insertEntries(tx, context.agent, entries, deps.clock.now());
    const seen = readEntries(deps, context, held, waiting).entries.map(toPending);
    const read: LedgerMark = {
      ...(before ?? UNREAD),
      slot: unread.length === 0 ? finalSlot : (before?.slot ?? 0n),
      content,
      searchedAtMs: deps.clock.now(),
      waiting: seen.length,
    };
    const isCut = before === null && isHistoryCut(listed, context.account.multisig);
    const isOpeningDue = isCut || dues.opening;
    // What is not booked yet would be in the opening balance too
    const isBooked = waiting.length === 0 && unread.length === 0;
    const opened = isOpeningDue && isBooked ? await bookOpening(tx, deps, context, round) : [];
    if (isOpeningDue || dues.fees) {
      await keepLedgerDues(tx, agentId, { opening: isOpeningDue && !isBooked, fees: false });
    }
    // While a transaction is pending the chain shows more than is booked, so the check is inconclusive
    const { mark, credits } =
      waiting.length > 0
        ? { mark: read, credits: [] }
        : await compare(tx, deps, context, round, read, entries.length);
    await keepLedgerMark(tx, agentId, mark);
    // An unread transaction is in neither
    const isEqual = isBooked && mark.difference === null;
    await dropBooked(tx, agentId, isEqual ? finalSlot : null);
    await insertPending(tx, agentId, seen, true);
    const isWhole = mark.waiting === 0;
    // An agent that always has a transaction under way is valued as well, once its book was right
    const isRight = mark.difference === null && (isWhole || mark.balancedSlot !== null);
    const isMarked = isRight && (await markEquity(tx, deps, context, { reading, prices, isWhole }));
    return { mark, entries: [...entries, ...opened, ...credits], isMarked };
  });
}

const UNREAD = {
  balancedSlot: null,
  balancedSignature: null,
  balancedAtMs: null,
  interestIndex: null,
  difference: null,
} as const;

/**
 * Books what the chain shows beyond the booked transactions, as of the first of them. Until then the agent has no equity
 * points.
 */
async function bookOpening(
  tx: Db,
  { clock }: LedgerDeps,
  { agent, venue }: CustodyContext,
  { reading }: LedgerRound,
): Promise<readonly BookedEntry[]> {
  const first = await findFirstBooked(tx, agent.agentId);
  const sums = await sumLedger(tx, agent.agentId);
  // Interest is booked after it, as usual
  const grown = reading.accruing.map((of) => ({ ...of, amount: of.principal ?? of.amount }));
  const shown = [...reading.balances, ...grown];
  const movements = compareBalances(sums.filter(isChecked), shown).map(
    ({ booked, onChain, ...account }): LedgerMovement => {
      const amount = onChain - booked;
      const { place, asset, decimals } = account;
      const isHeld = place !== "vault_sol" && asset !== venue.instance.quote.symbol;
      const base = isHeld ? { base: { marketId: asset, decimals, amount } } : {};
      return { ...account, kind: "opening", amount, ...base };
    },
  );
  const at = first ?? { signature: OPENING, slot: reading.slot, atMs: clock.now() };
  const { entries } = recordMovements(await readHeld(tx, agent.agentId), movements);
  const booked = entries.map((entry): BookedEntry => ({ ...entry, ...at }));
  await insertEntries(tx, agent, booked, clock.now());
  return booked;
}

/** Stands for the transactions of an account that no node has any more. */
const OPENING = "before the first known transaction";

interface Comparison {
  readonly mark: LedgerMark;
  /** What other parties credited, found by comparing. */
  readonly credits: readonly BookedEntry[];
}

async function compare(
  tx: Db,
  deps: LedgerDeps,
  context: CustodyContext,
  { mark: before, reading, listed }: LedgerRound,
  read: LedgerMark,
  entryCount: number,
): Promise<Comparison> {
  const { agentId } = context.agent;
  const nowMs = deps.clock.now();
  const { differences, interest } = checkLedger(
    reading,
    await sumLedger(tx, agentId),
    await sumInterest(tx, agentId),
    // An entry may change one balance twice, and each change may be rounded
    { index: read.interestIndex, roundings: BigInt(2 * entryCount + 2) },
  );
  const isUnread = listed.unread.length > 0;
  const explained = isUnread
    ? null
    : explainByCredits(differences, creditsOf(context, listed), nowMs);
  if (explained === null) {
    const ends = await findBookedEnds(tx, agentId, before?.balancedSlot ?? -1n);
    const difference = troubleOf(differences, {
      before: before?.difference ?? null,
      lastRight: read.balancedSignature,
      first: ends.firstAfter ?? listed.unread[0] ?? null,
      nowMs,
    });
    return { mark: { ...read, difference }, credits: [] };
  }
  const credits = await bookCredits(tx, deps, context, explained);
  const ends = await findBookedEnds(tx, agentId, before?.balancedSlot ?? -1n);
  await bookInterest(tx, deps, context.agent, interest, {
    signature: ends.last,
    slot: reading.slot,
  });
  const mark = {
    ...read,
    balancedSlot: listed.finalSlot,
    balancedSignature: ends.last,
    balancedAtMs: nowMs,
    interestIndex: reading.accruing.at(-1)?.index ?? null,
    difference: null,
  };
  return { mark, credits };
}

function creditsOf(
  { venue, account }: CustodyContext,
  { outcomes, finalSlot }: ListedTransactions,
): readonly PossibleCredit[] {
  return outcomes
    .filter(({ slot }) => slot <= finalSlot)
    .flatMap((outcome) =>
      (venue.possibleCredits?.(account, outcome) ?? []).map((movement) => ({ movement, outcome })),
    );
}

async function bookCredits(
  tx: Db,
  { clock }: LedgerDeps,
  { agent }: CustodyContext,
  explained: readonly Omit<BookedEntry, "index">[],
): Promise<readonly BookedEntry[]> {
  const entries: BookedEntry[] = [];
  for (const [at, credit] of explained.entries()) {
    const counted = await countOfKind(tx, agent.agentId, credit.signature, credit.kind);
    entries.push({ ...credit, index: counted + at });
  }
  await insertEntries(tx, agent, entries, clock.now());
  return entries;
}

/** Books interest, which has no transaction of its own, under the last transaction before it. */
async function bookInterest(
  tx: Db,
  { clock }: LedgerDeps,
  agent: CustodyContext["agent"],
  interest: readonly LedgerMovement[],
  last: { readonly signature: string | null; readonly slot: bigint },
): Promise<void> {
  if (interest.length === 0 || last.signature === null) return;
  const { signature, slot } = last;
  const counted = await countOfKind(tx, agent.agentId, signature, "interest");
  const entries = interest.map((movement, at): BookedEntry => ({
    ...movement,
    index: counted + at,
    realised: null,
    realisedFees: null,
    signature,
    slot,
    atMs: clock.now(),
  }));
  await insertEntries(tx, agent, entries, clock.now());
}

/** Inputs of `markEquity`: the chain's state and, where something was booked, the present prices. */
interface EquityLook {
  readonly reading: Pick<LedgerReading, "balances" | "unpaidFunding">;
  readonly prices: Prices | null;
  /** Whether the ledger equals the chain; false while transactions are not final, which are then in no point. */
  readonly isWhole: boolean;
}

/**
 * Adds an agent's equity points: one at the time of each fill and flow that no point has, and one an hour while a position
 * is open or the agent is on. Returns whether there are new ones.
 *
 * Equity is computed from the ledger, quote balances plus holdings at the market's price, and the funding that is unpaid
 * now. When a needed price is missing no point is added, which leaves a gap. The ledger is summed only when a point is due.
 */
async function markEquity(
  db: Db,
  deps: LedgerDeps,
  context: CustodyContext,
  { reading, prices: booked, isWhole }: EquityLook,
): Promise<boolean> {
  const { agent, venue, runtime } = context;
  const last = await readLastPoint(db, agent.agentId);
  const nowMs = deps.clock.now();
  const isAlive = agent.autoTrade !== "off" || hasHoldings(context, reading.balances);
  const isHourDue = (lastMs: number | null) => isWhole && isAlive && isWorthDue(lastMs, nowMs);
  const isDue = isHourDue(last?.atMs ?? null);
  if (!isDue && booked === null) return false;
  const entrySeq = last?.entrySeq ?? 0n;
  const later = await listEntriesAfter(db, agent.agentId, entrySeq);
  if (!isDue && later.every((entry) => causeOf(entry) === null)) return false;
  const balances = await sumLedger(db, agent.agentId, entrySeq);
  const { quote } = venue.instance;
  const prices = booked ?? (await readPrices(context, [...balances, ...later.flatMap(changesOf)]));
  const { atMs: lastMs, netFlow, slot } = last ?? { atMs: 0, netFlow: 0n, slot: 0n };
  const before = { balances, entrySeq, netFlow, slot, atMs: lastMs };
  const known = new Map([...prices].map(([market, { price }]) => [market, price]));
  const priceAt = (market: string, ms: number) => runtime.priceAt?.(assetOf(market), ms);
  const found = equitySteps(before, later, {
    quote,
    prices: known,
    priceAt,
    unpaidFunding: reading.unpaidFunding,
    nowMs,
  });
  if (found === null) return false;
  const { steps, end } = found;
  const newestMs = steps.at(-1)?.atMs ?? last?.atMs ?? null;
  const isNowDue = isWhole && (isHourDue(newestMs) || end.missed !== null);
  const now = { cause: end.missed ?? "hour", atMs: Math.max(nowMs, (newestMs ?? 0) + 1) } as const;
  const all =
    isNowDue && end.value !== null ? [...steps, { ...end, ...now, value: end.value }] : steps;
  // After an opening balance, which is booked last, later points would not have what these lack
  const isOpening = later.some(({ kind }) => kind === "opening");
  const lacksEnd = end.missed !== null && all.length === steps.length;
  if (all.length === 0 || (isOpening && lacksEnd)) return false;
  const present = prices.get(agent.marketId);
  const points = all.map(({ cause, ...point }, at): EquityPoint => {
    const then = at < steps.length ? priceAt(agent.marketId, point.atMs) : undefined;
    return {
      ...point,
      agentId: agent.agentId,
      cause,
      asset: quote.symbol,
      decimals: quote.decimals,
      market: agent.marketId,
      price: then ?? present?.price ?? null,
      priceAtMs: then === undefined ? (present?.publishedAtMs ?? null) : point.atMs,
    };
  });
  await insertEquityPoints(db, agent, points);
  return true;
}

/** Returns whether the agent holds assets that have a market price. */
const hasHoldings = ({ venue }: CustodyContext, balances: readonly LedgerBalance[]): boolean =>
  balances.some(
    ({ place, asset, amount }) =>
      (place === "position" || place === "vault") &&
      asset !== venue.instance.quote.symbol &&
      amount !== 0n,
  );

/** Returns the present prices of the agent's market and of what it holds or held. */
async function readPrices(
  { agent, venue }: CustodyContext,
  held: readonly Pick<LedgerBalance, "asset">[],
): Promise<Prices> {
  const markets = new Set([agent.marketId, ...held.map(({ asset }) => asset)]);
  const read = await Promise.all(
    [...markets].map(async (market) => {
      const known = findMarket(venue.id, market) !== undefined;
      const price = known ? await venue.price(market).catch(() => null) : null;
      return price === null ? [] : [[market, price] as const];
    }),
  );
  return new Map(read.flat());
}

/** Search interval of a ledger with unchanged accounts, in milliseconds. */
const SEARCH_EVERY_MS = 10 * 60_000;

/**
 * Books an agent's finalized transactions after the last booked one and compares the ledger's sums with the chain.
 *
 * Several servers may run it at once: entries are unique, and a server that finds the ledger read further stops. Throws
 * `ChainUnavailableError`.
 */
export async function updateAgentLedger(
  deps: LedgerDeps,
  agent: CustodyAgent,
  {
    isLast = false,
    inTurn = withoutLimit,
  }: {
    readonly isLast?: boolean;
    /** When the transactions may be read and booked; the accounts are read at once, with those of other agents. */
    readonly inTurn?: ConcurrencyLimit;
  } = {},
): Promise<void> {
  const context = findContext(deps.networks, agent);
  if (context === null) return;
  const { venue, account, runtime } = context;
  const addresses = venue.bookAddresses(account);
  const [held, reading] = await Promise.all([
    runtime.chain.accounts(addresses),
    venue.readLedger(account),
  ]);
  await inTurn(() => bookSince(deps, context, { held, reading }, isLast));
}

/** The accounts of an agent's funds, and what they hold, as they were read. */
interface LedgerLook {
  readonly held: Awaited<ReturnType<Chain["accounts"]>>;
  readonly reading: LedgerReading;
}

async function bookSince(
  deps: LedgerDeps,
  context: CustodyContext,
  { held: { slot, accounts }, reading }: LedgerLook,
  isLast: boolean,
): Promise<void> {
  const { agent, venue, account, runtime } = context;
  const addresses = venue.bookAddresses(account);
  const mark = await readLedgerMark(deps.db, agent.agentId);
  const content = digestOf(accounts);
  const publish = () => deps.publisher.publish(agent.owner, { topic: "ledger", id: agent.agentId });
  if (mark !== null && isSettled(mark, content, deps.clock.now())) {
    const look = { reading, prices: null, isWhole: true };
    if (mark.difference === null && (await markEquity(deps.db, deps, context, look))) publish();
    return;
  }
  const isSuspect = mark !== null && mark.difference !== null;
  const listed = await listTransactions(
    runtime.chain,
    addresses.filter((_, at) => mark === null || isSuspect || accounts[at] != null),
    {
      sinceSlot: firstSlot(mark),
      commitment: isLast ? "confirmed" : "finalized",
      seenSlot: slot > reading.slot ? slot : reading.slot,
      isKnown: (signatures) => listBooked(deps.db, agent.agentId, signatures),
    },
  );
  const { outcomes, finalSlot } = listed;
  const isNoneFinal = outcomes.length > 0 && outcomes.every((outcome) => outcome.slot > finalSlot);
  const moved = outcomes.flatMap((outcome) => venue.bookTransaction(account, outcome));
  // Read before the transaction that books, which waits for no node
  const prices = isNoneFinal
    ? null
    : await readPrices(context, [...reading.balances, ...moved.flatMap(changesOf)]);
  const kept = await updateLedgers(deps, context, { mark, content, reading, listed, prices });
  if (kept === null) return;
  await reportMismatch(deps, agent, mark, kept.mark, kept.entries);
  const isOtherWaiting = kept.mark.waiting !== (mark?.waiting ?? 0);
  if (kept.isMarked || kept.entries.length > 0 || isOtherWaiting) publish();
}

/** Returns whether no new search is due; an unconfirmed mismatch is checked again at once. */
function isSettled(mark: LedgerMark, content: string, nowMs: number): boolean {
  if (mark.content !== content || mark.waiting > 0) return false;
  return mark.difference?.isConfirmed !== false && nowMs - mark.searchedAtMs < SEARCH_EVERY_MS;
}

/** Returns the slot to read from: with a mismatch, the last correct one, because an entry may be missing. */
function firstSlot(mark: LedgerMark | null): bigint {
  if (mark === null) return 0n;
  return mark.difference === null ? mark.slot + 1n : (mark.balancedSlot ?? 0n);
}

function digestOf(accounts: readonly (Account | null)[]): string {
  const hash = createHash("sha256");
  for (const account of accounts) {
    if (account === null) hash.update("-");
    else {
      const { lamports, owner, data } = account;
      hash.update(`${lamports} ${owner} ${data.length} `).update(data);
    }
  }
  return hash.digest("hex");
}
