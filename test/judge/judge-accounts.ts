import { DRIFT_V2_INSTANCE as INSTANCE } from "../../src/venues/drift/instance.ts";
import { accountOf, type Held } from "./chain-evidence.ts";
import type { BookRow, Evidence, StoredPoint } from "./evidence.ts";
import type { Finding } from "./judge.ts";

const QUOTE = INSTANCE.quote.symbol;
const OUTSIDE = new Set(["wallet", "platform"]);

const differs = (text: string): Finding => ({ kind: "differs", text });

/** Compares the sums of the book with what accounts hold, and recorded worth with the entries it was made from. */
export const judgeSums = (evidence: Evidence): readonly Finding[] => [
  ...judgeAccounts(evidence),
  ...judgePoints(evidence),
];

/** The entries of every account add up to what it holds. */
function judgeAccounts({ agents, entries, holdings }: Evidence): readonly Finding[] {
  const entriesOf = Map.groupBy(entries, ({ agentId }) => agentId);
  return agents.flatMap(({ agentId }) => {
    const holds = holdings.get(agentId)?.held ?? new Map<string, Held>();
    const sums = new Map<string, bigint>();
    const interest = new Map<string, bigint>();
    for (const entry of entriesOf.get(agentId) ?? []) {
      if (OUTSIDE.has(entry.place)) continue;
      const at = (asset: string) => accountOf(entry.place, entry.subAccount, entry.market, asset);
      const key = at(entry.asset);
      sums.set(key, (sums.get(key) ?? 0n) + entry.amount);
      if (entry.kind === "interest") interest.set(key, (interest.get(key) ?? 0n) + entry.amount);
      if (entry.baseMarket === null || entry.baseMarket === entry.asset) continue;
      const based = at(entry.baseMarket);
      sums.set(based, (sums.get(based) ?? 0n) + (entry.baseAmount ?? 0n));
    }
    return [...new Set([...sums.keys(), ...holds.keys()])].flatMap((key) => {
      const [sum, held] = [sums.get(key) ?? 0n, holds.get(key)];
      const paid = sum - (interest.get(key) ?? 0n);
      const found: Finding[] = [];
      if (sum !== (held?.amount ?? 0n)) {
        const text = `account ${key} of agent ${agentId}: its entries make ${sum}, it holds ${held?.amount ?? 0n}`;
        found.push(differs(text));
      }
      if (held?.principal != null && paid !== held.principal) {
        const text = `account ${key} of agent ${agentId}: without interest its entries make ${paid}, the exchange counts ${held.principal}`;
        found.push(differs(text));
      }
      return found;
    });
  });
}

/** A point has what was unpaid when it was made, at most so long after its time. */
const READ_AFTER_MS = 120_000;

/**
 * Share of a position's worth that a full hour's funding comes to at most, in ten-millionths: the practice exchange has
 * longs pay shorts 125, of the price at which it is booked, which prices since then may have moved by a fifth.
 */
const MOST_OF_AN_HOUR = 150n;

const hourOf = (ms: number): number => Math.floor(ms / 3_600_000);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

const PAID_IN = new Set(["opening", "deposit", "withdrawal", "external"]);

/**
 * Every recorded worth is that of the entries up to it, with the funding of the full hours since the position was traded
 * or paid for, and every transaction that moved money has one.
 */
function judgePoints({ points, entries, agents }: Evidence): readonly Finding[] {
  const sum = (rows: readonly BookRow[]) => rows.reduce((total, row) => total + row.amount, 0n);
  return agents.flatMap(({ agentId }) => {
    const counted = entries.filter(
      (entry) =>
        entry.agentId === agentId && entry.place !== "vault_sol" && !OUTSIDE.has(entry.place),
    );
    const own = points.filter((point) => point.agentId === agentId);
    const found = own.flatMap(({ seq, atMs, value, netFlow, price, entrySeq }) => {
      const before = counted.filter((entry) => entry.seq <= entrySeq);
      const quote = before.filter(({ asset }) => asset === QUOTE);
      const flow = sum(quote.filter(({ kind }) => PAID_IN.has(kind)));
      const base = before.reduce((total, row) => total + (row.baseAmount ?? 0n), 0n);
      const held = (base * (price ?? 0n)) / 10n ** 9n;
      const worth = sum(quote) + held;
      const settled = before.findLast(({ kind }) => kind === "trade" || kind === "funding");
      const hours = hourOf(atMs + READ_AFTER_MS) - hourOf(settled?.atMs ?? atMs);
      const unpaid = (MOST_OF_AN_HOUR * BigInt(hours) * -held) / 10_000_000n;
      const [owed, due] = [larger(0n, -unpaid), larger(0n, unpaid)];
      const rounded = base === 0n ? 0n : 1n;
      const at = `worth ${seq} of agent ${agentId}`;
      return [
        ...(flow === netFlow
          ? []
          : [differs(`${at}: ${netFlow} is recorded as paid in, its entries make ${flow}`)]),
        ...(worth - owed - rounded <= value && value <= worth + due + rounded
          ? []
          : [differs(`${at} is recorded as ${value}, its entries make ${worth}`)]),
      ];
    });
    return [...found, ...judgePointOfEach(agentId, counted, own)];
  });
}

/**
 * After every transaction that moved money and left no position a worth is recorded, before the next one moves any. A
 * position needs a price of that minute, so its worth may come with a later transaction; after the last one there is one.
 */
function judgePointOfEach(
  agentId: string,
  entries: readonly BookRow[],
  points: readonly StoredPoint[],
): readonly Finding[] {
  const moved = entries.filter(({ kind }) => kind === "trade" || PAID_IN.has(kind));
  const bySignature = [...Map.groupBy(moved, ({ signature }) => signature)];
  let base = 0n;
  return bySignature.flatMap(([signature, rows], at) => {
    base = rows.reduce((sum, { baseAmount }) => sum + (baseAmount ?? 0n), base);
    const from = rows[0]?.seq ?? 0n;
    const until = bySignature[at + 1]?.[1][0]?.seq;
    const isThere = points.some(
      ({ entrySeq }) => entrySeq >= from && (until === undefined || entrySeq < until),
    );
    return isThere || (base !== 0n && until !== undefined)
      ? []
      : [differs(`worth of agent ${agentId} after transaction ${signature} is not recorded`)];
  });
}
