import { anchorDiscriminator } from "../../src/solana/encoding/anchor.ts";
import type { Difference } from "./difference.ts";

const EVENT_NAMES = [
  "NewUserRecord",
  "DepositRecord",
  "SpotInterestRecord",
  "FundingPaymentRecord",
  "FundingRateRecord",
  "CurveRecord",
  "OrderRecord",
  "OrderActionRecord",
  "SettlePnlRecord",
  "LPRecord",
];

const EVENTS = new Map(
  EVENT_NAMES.map((name) => [
    Buffer.from(anchorDiscriminator("event", name)).toString("hex"),
    name,
  ]),
);

/** A log line for the comparison: its kind, and the part that must be equal. */
interface Line {
  readonly kind: string;
  readonly text: string;
}

const BASE64 = /^Program (log|data): ([A-Za-z0-9+/]{16,}={0,2})$/;

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g;

function lineOf(text: string): Line {
  const [, stream, content] = BASE64.exec(text) ?? [];
  if (stream !== undefined && content !== undefined) {
    const head = Buffer.from(content, "base64").subarray(0, 8).toString("hex");
    const event = EVENTS.get(head);
    if (event !== undefined) return { kind: `event ${stream} ${event}`, text };
  }
  const isCall = / invoke \[\d+\]$/.test(text);
  return { kind: isCall ? text : text.replace(ADDRESS, "@").replace(/\b\d+\b/g, "#"), text };
}

const UNITS = / consumed \d+ of \d+ compute units$/;
const THROWN_AT = / thrown in [^ ]+\.rs:\d+\.|^Program log: Error .* thrown at [^ ]+\.rs:\d+$/;

/** Returns the longest common subsequence of kinds as pairs of indexes. */
function align(ours: readonly Line[], theirs: readonly Line[]): readonly [number, number][] {
  const best = Array.from({ length: ours.length + 1 }, () =>
    Array.from({ length: theirs.length + 1 }, () => 0),
  );
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = ours.length - 1; i >= 0; i -= 1) {
    for (let j = theirs.length - 1; j >= 0; j -= 1) {
      const row = best[i] ?? [];
      row[j] =
        ours[i]?.kind === theirs[j]?.kind
          ? at(i + 1, j + 1) + 1
          : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < ours.length && j < theirs.length;) {
    if (ours[i]?.kind === theirs[j]?.kind) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Removes parts that other rows explain: consumed units, and the source location of an error. */
function plainLines(logs: readonly string[]): readonly Line[] {
  return logs
    .filter((line) => !UNITS.test(line) && !/ thrown at [^ ]+\.rs:\d+$/.test(line))
    .map((line) => lineOf(line.replace(THROWN_AT, " occurred.")));
}

const matching = (logs: readonly string[], pattern: RegExp) =>
  logs.flatMap((line) => pattern.exec(line)?.[0] ?? []).join("\n");

/** Compares what both chains logged, events included. */
export function compareLogs(
  practice: readonly string[],
  real: readonly string[],
): readonly Difference[] {
  const found: Difference[] = [];
  for (const [id, pattern] of [
    ["log.units", UNITS],
    ["log.thrown-at", THROWN_AT],
  ] as const) {
    const [ours, theirs] = [matching(practice, pattern), matching(real, pattern)];
    if (ours !== theirs) found.push({ id, practice: ours, real: theirs });
  }
  const ours = plainLines(practice);
  const theirs = plainLines(real);
  const pairs = align(ours, theirs);
  for (const [i, j] of pairs) {
    const [mine, other] = [ours[i], theirs[j]];
    if (mine === undefined || other === undefined || mine.text === other.text) continue;
    found.push({ id: `log.other ${mine.kind}`, practice: mine.text, real: other.text });
  }
  const [paired, matched] = [new Set(pairs.map(([i]) => i)), new Set(pairs.map(([, j]) => j))];
  for (const [i, { kind, text }] of ours.entries()) {
    if (!paired.has(i)) found.push({ id: `log.only-practice ${kind}`, practice: text, real: "" });
  }
  for (const [j, { kind, text }] of theirs.entries()) {
    if (!matched.has(j)) found.push({ id: `log.only-real ${kind}`, practice: "", real: text });
  }
  return found;
}
