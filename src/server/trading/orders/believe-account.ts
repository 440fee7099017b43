import {
  type AccountDifference,
  differenceFrom,
  isSameDifference,
  NO_DIFFERENCE,
  signedSize,
} from "../../../domain/account-difference.ts";
import { formatDecimal } from "../../../domain/amount.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { AccountState, Position } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { ALONE_SLOTS } from "../../../solana/cross-checked-accounts.ts";
import type { Testimony } from "../../../solana/witnesses.ts";
import { scalesOf } from "../../../venues/profiles.ts";
import { insertCustodyFlag } from "../../store/custody/custody-notices.ts";
import { readSince } from "../../custody/account/venue-account.ts";
import type { Db } from "../../store/postgres/db.ts";
import {
  hasOwnerJustActed,
  type HoldingRecord,
  type ReportedDifference,
  storeReportedDifference,
  readRecordedHolding,
} from "../../store/reconcile/recorded-holding.ts";
import { readLandedSlot } from "../../store/agents/agents.ts";
import type { PlanningDeps, ReadyAgent, TradingDeps } from "./order-context.ts";

export type BelieveDeps = Pick<PlanningDeps, "db" | "clock" | "toldByNode"> &
  Pick<TradingDeps, "bookUpkeep">;

type Answer = Testimony<AccountState>;

/** Returns what the agent's records say it holds; null on a network without nodes, where nothing is doubted. */
export async function readHoldingRecord(
  db: Db,
  { record, runtime }: ReadyAgent,
): Promise<HoldingRecord | null> {
  if (runtime.witnesses === undefined) return null;
  const { assets, quote } = runtime.venue.instance;
  return readRecordedHolding(db, record.id, {
    places: assets === undefined ? ["exchange", "position"] : ["vault"],
    asset: quote.symbol,
  });
}

/**
 * Reads an agent's account at its venue to see what is left to close.
 *
 * Throws `ChainUnavailableError` when the answer is older than the agent's newest fill on any server, and when nobody
 * confirms that a recorded position is gone: an account that looks empty to one node must not be taken for a flat one.
 */
export async function readAccount(deps: BelieveDeps, agent: ReadyAgent): Promise<AccountState> {
  const [landedSlot, recorded, state] = await Promise.all([
    readLandedSlot(deps.db, agent.record.id),
    readHoldingRecord(deps.db, agent),
    agent.runtime.venue.accountState(agent.account),
  ]);
  const found = { read: state, landedSlot };
  const seen = await readSince(agent.runtime.venue, agent.runtime.chain, agent.account, found);
  return (await believeAccount(deps, agent, recorded, { seen, isEntry: false })) ?? seen;
}

/**
 * Returns the account as it may be traded on: the one that was read, where the agent's own trades and transfers explain
 * it, otherwise what the network's nodes, asked one by one, confirm. Null where an entry must not be made on it.
 *
 * An answer that the records explain is believed, then one that two nodes give. A network's only node is believed once it
 * says the same after the block is final, and so is, for an exit, the only one that answers. Before that an exit closes
 * the smallest position that anybody tells of. Throws `ChainUnavailableError` for an exit of a position that only the
 * records show, and for an entry while the records may lack what the owner just did: both are tried again.
 */
export async function believeAccount(
  deps: BelieveDeps,
  agent: ReadyAgent,
  recorded: HoldingRecord | null,
  { seen, isEntry }: { readonly seen: AccountState; readonly isEntry: boolean },
): Promise<AccountState | null> {
  const { runtime, account, record } = agent;
  if (recorded === null || runtime.witnesses === undefined) return seen;
  if (isExplained(seen, recorded)) return seen;
  if (await deps.bookUpkeep?.(deps, agent, recorded, seen)) {
    return believeAccount(deps, agent, await readHoldingRecord(deps.db, agent), { seen, isEntry });
  }
  const { venue, witnesses } = runtime;
  const asked = await witnesses.askEach(seen.slot, (node) => venue.accountState(account, node));
  const answers: readonly Answer[] = asked.length > 0 ? asked : [{ value: seen, reject() {} }];
  const right = answers.find(({ value }) => isExplained(value, recorded));
  if (right !== undefined) return believe(right.value, answers);
  const agreed = mostAgreed(answers);
  const [first] = agreed;
  if (first === undefined) throw new ChainUnavailableError("No node answered");
  const difference = differenceFrom(first.value, recorded);
  if (agreed.length > 1) {
    await remember(deps, record.id, { ...difference, aloneSince: null });
    return believe(first.value, answers);
  }
  if (answers.length === 1 && (witnesses.count === 1 || !isEntry)) {
    const reported = deps.toldByNode?.get(record.id) ?? recorded.reported;
    const isRepeated = reported !== null && isSameDifference(difference, reported, first.value);
    const since = (isRepeated ? reported.aloneSince : null) ?? first.value.slot;
    const isLasting = first.value.slot >= since + ALONE_SLOTS;
    await remember(deps, record.id, { ...difference, aloneSince: isLasting ? null : since });
    if (isLasting) return first.value;
  }
  if (isEntry && (await hasOwnerJustActed(deps.db, record.id, deps.clock.now()))) {
    throw new ChainUnavailableError("The records may lack what the owner just did");
  }
  await tell(deps, agent, recorded, first.value);
  return isEntry ? null : smallestOf(answers, recorded);
}

/** Stores a difference with the lane; a process without that right remembers what is not confirmed yet. */
async function remember(
  { db, toldByNode }: BelieveDeps,
  agentId: AgentId,
  difference: ReportedDifference,
): Promise<void> {
  if (toldByNode === undefined) await storeReportedDifference(db, agentId, difference);
  else if (difference.aloneSince !== null) toldByNode.set(agentId, difference);
}

function isExplained(state: AccountState, recorded: HoldingRecord): boolean {
  const difference = differenceFrom(state, recorded);
  const { reported } = recorded;
  const expected = reported?.aloneSince === null ? [NO_DIFFERENCE, reported] : [NO_DIFFERENCE];
  // Entries of the book later explain money that nodes report beyond it, and never what others traded
  return expected.some(({ positions }) =>
    expected.some(({ cash }) => isSameDifference(difference, { positions, cash }, state)),
  );
}

const NOTHING = { positions: new Map<string, bigint>(), cash: 0n };

/** Returns whether two nodes say the same of an account. */
const isSame = (one: AccountState, other: AccountState): boolean =>
  isSameDifference(differenceFrom(one, NOTHING), differenceFrom(other, NOTHING), one);

/** Takes the answers that say otherwise as their nodes' faults. */
function believe(right: AccountState, answers: readonly Answer[]): AccountState {
  for (const { value, reject } of answers) if (!isSame(right, value)) reject();
  return right;
}

/** Returns the answers of the most nodes that say the same; one of them where no two agree, or two pairs do. */
function mostAgreed(answers: readonly Answer[]): readonly Answer[] {
  const groups = answers
    .map(({ value }) => answers.filter((other) => isSame(value, other.value)))
    .toSorted((one, other) => other.length - one.length);
  const [most = [], ...others] = groups;
  const isTied = others.some(
    (group) => group.length === most.length && !group.includes(most[0] as Answer),
  );
  return isTied ? most.slice(0, 1) : most;
}

/** Returns the account with each position as small as anybody tells of it. */
function smallestOf(answers: readonly Answer[], recorded: HoldingRecord): AccountState {
  const [first] = answers;
  if (first === undefined) throw new ChainUnavailableError("No node answered");
  const reported = answers.flatMap(({ value }) => value.positions);
  const positions = new Map<string, Position>();
  for (const position of reported) {
    const key = `${position.marketId} ${position.side}`;
    const known = positions.get(key);
    const recordedSize = recorded.positions.get(position.marketId) ?? 0n;
    const isRecorded = recordedSize * signedSize(position) > 0n;
    const most = recordedSize < 0n ? -recordedSize : recordedSize;
    const baseSize = isRecorded && most < position.baseSize ? most : position.baseSize;
    if (known === undefined || baseSize < known.baseSize)
      positions.set(key, { ...position, baseSize });
  }
  const isLost = [...recorded.positions].some(
    ([marketId, size]) =>
      size !== 0n && !reported.some((position) => position.marketId === marketId),
  );
  if (isLost && positions.size === 0) {
    throw new ChainUnavailableError("No second node confirms that the position is gone");
  }
  return { ...first.value, positions: [...positions.values()] };
}

/** Tells the owner once what the records do not explain. */
async function tell(
  { db, clock }: BelieveDeps,
  { record, runtime }: ReadyAgent,
  recorded: HoldingRecord,
  state: AccountState,
): Promise<void> {
  const { positions, cash }: AccountDifference = differenceFrom(state, recorded);
  const { id, instance } = runtime.venue;
  const text = (units: bigint, decimals: number | null) =>
    decimals === null ? `${units} base units` : formatDecimal(units, decimals);
  const { symbol, decimals } = instance.quote;
  const parts = [...positions].map(([marketId, size]) => {
    const { baseDecimals } = scalesOf(id, marketId);
    const known = recorded.positions.get(marketId) ?? 0n;
    return `${text(known + size, baseDecimals)} ${marketId} instead of ${text(known, baseDecimals)}`;
  });
  if (cash !== 0n) {
    const seen = text(recorded.cash + cash, decimals);
    parts.push(`${seen} ${symbol} instead of ${text(recorded.cash, decimals)}`);
  }
  const what = parts.join(", ");
  await insertCustodyFlag(db, "unconfirmed", {
    agentId: record.id,
    owner: record.owner,
    key: what,
    text: `A node of the network shows what this agent's trades and deposits do not explain, and no other confirms it: ${what}. Nothing was opened on it.`,
    atMs: clock.now(),
  });
}
