import { formatDecimal } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { toPendingEntries } from "../../domain/ledger/entry.ts";
import { scalesOf } from "../../venues/profiles.ts";
import type { AccountState, Position } from "../../domain/position.ts";
import {
  type TransactionOutcome,
  type Account,
  type Chain,
  ChainUnavailableError,
  readOutcome,
} from "../../solana/chain.ts";
import type { CustodyPort } from "../../venues/ports.ts";
import { type CustodyContext, findContext } from "../custody/account/custody-context.ts";
import type { CustodyGuard } from "../custody/custody-guard.ts";
import { readForeignPowers, readOtherMembers } from "../custody/foreign-powers.ts";
import { keyStateOf } from "../custody/access-summary.ts";
import type { PublicKeys } from "../custody/account/custody-keys.ts";
import { ownerEntriesOf } from "../custody/owner-entries.ts";
import { commit, type SettleDeps } from "../custody/settle-transaction.ts";
import { listUnsettled } from "../store/custody/custody.ts";
import {
  findUncountedClosing,
  insertCustodyFlag,
  sumTradedBase,
  listUnknownSignatures,
} from "../store/custody/custody-notices.ts";
import {
  type CustodyAgent,
  markTradingKeySet,
  markTradingKeyRemoved,
} from "../store/custody/multisigs.ts";
import { insertUpkeep, type Upkeep } from "../store/ledger/pending-writes.ts";
import { hasOwnerClosedSince } from "../store/trade-log/owner-entries.ts";
import { FOREIGN_TRADE, POWERS } from "../store/reconcile/foreign-powers.ts";
import { isRestored } from "../store/lanes/restored-lanes.ts";
import { hasOpenOrders } from "../store/orders/orders.ts";
import type { ConcurrencyLimit } from "../pacing/big-reads.ts";
import type { LastReadings } from "./last-readings.ts";
import { createHash } from "node:crypto";
import type { Address, Signature } from "@solana/kit";
import { signaturePages } from "../../solana/list-signatures.ts";
import type { Db } from "../store/postgres/db.ts";
import { keepReconcileMark, readReconcileMark } from "../store/reconcile/reconcile-marks.ts";
import { parseSignature } from "../../solana/encoding/address-codec.ts";
import { isLogCut } from "../../solana/program-logs.ts";

/** Signatures of the venue account per request, and per search: strangers can add any number. */
const PAGE = 50;
const MOST_SEARCHED = 1_000;

/** Search interval of an unchanged account, in milliseconds. */
const SEARCH_EVERY_MS = 10 * 60_000;

/** One search of an agent's venue account: the transactions to classify and the function that stores the result. */
interface Search {
  /** Newest first; empty when the account shows none. */
  readonly signatures: readonly string[];
  /** Classifies the unknown transactions. Each transaction is fetched once, even across restarts. */
  judge(feePayers: readonly Address[]): Promise<ExternalFindings>;
  /** Stores the result, after all its consequences are stored. */
  remember(judgement: ExternalFindings): Promise<void>;
}

const NOTHING_YET: Search = {
  signatures: [],
  judge: async () => ({ foreign: [], unread: new Set() }),
  remember: async () => {},
};

/**
 * Lists the transactions of an agent's venue account when its content changed since the last search or the search
 * interval has passed.
 *
 * A node may show a change before it lists the transaction, so a changed account is searched until two searches saw the
 * change.
 */
async function beginSearch(
  { db, chain, nowMs }: { readonly db: Db; readonly chain: Chain; readonly nowMs: number },
  agentId: AgentId,
  account: Address,
): Promise<Search> {
  const [held] = (await chain.accounts([account])).accounts;
  const mark = await readReconcileMark(db, agentId);
  if (held == null) {
    // The first deposit opens a vault's token account: until then there is nothing to search
    if (mark === null) return NOTHING_YET;
    throw new ChainUnavailableError("The trading account was there a moment ago");
  }
  const content = digest(held);
  const isSame = mark?.content === content;
  const isDue = !isSame || nowMs - (mark.searchedAtMs ?? 0) >= SEARCH_EVERY_MS;
  const signatures = isDue ? await listSince(chain, account, new Set(mark?.judged)) : [];

  return {
    signatures,
    async judge(feePayers) {
      const judged = new Set(mark?.judged);
      const open = signatures.filter((signature) => !judged.has(signature));
      const unknown = await listUnknownSignatures(db, agentId, open);
      return findExternalActivity(chain, held.owner, feePayers, unknown);
    },
    async remember({ unread }) {
      if (!isDue) return;
      const isWhole = isSame && unread.size === 0;
      await keepReconcileMark(db, agentId, {
        content,
        searchedAtMs: isWhole ? nowMs : null,
        judged: signatures.filter((signature) => !unread.has(signature)),
      });
    },
  };
}

/** Lists an account's transactions, newest first, back to those of the last search. */
async function listSince(
  chain: Chain,
  account: Address,
  judged: ReadonlySet<string>,
): Promise<readonly Signature[]> {
  const found: Signature[] = [];
  for await (const page of signaturePages(chain, account, {}, PAGE)) {
    found.push(...page);
    const oldest = page.at(-1);
    const isKnown = judged.size === 0 || (oldest !== undefined && judged.has(oldest));
    if (isKnown || found.length >= MOST_SEARCHED) break;
  }
  return found;
}

const digest = ({ lamports, owner, data }: Account): string =>
  createHash("sha256").update(`${lamports} ${owner} `).update(data).digest("hex");

/**
 * Interval, in milliseconds, of the search for third-party authorities over a vault, which costs a separate request.
 */
export const POWERS_INTERVAL_MS = 600_000;

export interface ReconcileDeps extends SettleDeps {
  /** Time of the last search per agent, and the further members then; kept across rounds by the reconciler. */
  readonly powersRead: Map<string, { readonly atMs: number; readonly members: string }>;
  /** Receives which key may trade. */
  readonly looks: Pick<LastReadings, "sawKey">;
  readonly keys: PublicKeys;
  readonly guard: CustodyGuard;
}

/**
 * Compares one agent's records with the chain: trading key, positions, open orders and external transactions of the venue
 * account.
 *
 * The chain's state is adopted, because every decision reads the chain anyway, and each difference is flagged to the
 * owner once. Nothing is flagged while one of our own transactions is in flight. Throws `ChainUnavailableError`.
 */
export async function reconcileAgent(
  deps: ReconcileDeps,
  agent: CustodyAgent,
  inTurn: ConcurrencyLimit,
): Promise<void> {
  const context = findContext(deps.networks, agent);
  if (context === null) return;
  const { venue, account } = context;
  // Started together, so that agents reconciled together share the requests
  const [guarded, ...read] = await Promise.allSettled([
    deps.guard(agent, "now"),
    venue.readCustody(account),
    venue.accountState(account),
  ]);
  answerOf(guarded);
  await inTurn(() => compareWithRecords(deps, context, read));
}

async function compareWithRecords(
  deps: ReconcileDeps,
  context: CustodyContext,
  [custodyRead, figuresRead]: readonly [
    PromiseSettledResult<Awaited<ReturnType<CustodyPort["readCustody"]>>>,
    PromiseSettledResult<AccountState>,
  ],
): Promise<void> {
  const { agent, account, runtime } = context;
  const { db, clock } = deps;
  const custody = answerOf(custodyRead);
  deps.looks.sawKey(agent, keyStateOf(context, custody));
  const isOurs = custody.tradingKey === account.tradingKey;
  if (isOurs) await markTradingKeySet(db, agent.agentId, agent.marketId);
  else await markTradingKeyRemoved(db, agent.agentId);
  const { excessPermissions: excess = [] } = custody;
  await keep(deps, agent, { kind: "limits", key: excess.join("|"), text: excess.join(" ") });
  await lookForPowers(deps, context);
  if (custody.account === null) return;
  const figures = answerOf(figuresRead);
  const { chain } = runtime;
  const search = await beginSearch(
    { db, chain, nowMs: clock.now() },
    agent.agentId,
    custody.account,
  );
  // Checked after the chain was read: a transaction we started meanwhile is then recognised as ours
  if (await isUnderWay(deps, agent.agentId)) return;
  const feePayers = [deps.keys.feePayer, ...deps.keys.formerFeePayers].map((key) => key.address);
  const judgement = await search.judge(feePayers);
  for (const outcome of judgement.foreign.toReversed()) {
    await logLateClosing(deps, context, outcome);
    await keep(deps, agent, activityFlag(context, outcome, clock.now()));
  }
  await search.remember(judgement);
  await countClosing(deps, agent, figures);
  const flags = [
    ...(await positionFlags(deps, context, figures)),
    {
      kind: "orders",
      key: figures.openOrderCount === 0 ? "" : String(figures.openOrderCount),
      text: `${figures.openOrderCount} open orders at the venue were not placed here. They are cancelled with the next closing of a position.`,
    },
  ];
  for (const flag of flags) await keep(deps, agent, flag);
}

/** Searches for unconfirmed third-party authorities over the vault, which block new entries. */
async function lookForPowers(deps: ReconcileDeps, context: CustodyContext): Promise<void> {
  const { agent } = context;
  const nowMs = deps.clock.now();
  const others = await readOtherMembers(context);
  const members = others.join(" ");
  const last = deps.powersRead.get(agent.agentId);
  const isDue = last?.members !== members || nowMs - last.atMs >= POWERS_INTERVAL_MS;
  if (!isDue) return;
  const powers = await readForeignPowers(context, others, (key) =>
    deps.keys.isTradingKey(agent.agentId, key),
  );
  deps.powersRead.set(agent.agentId, { atMs: nowMs, members });
  if (powers === null) return;
  const what = powers.length === 1 ? "it is" : "they are";
  await keep(deps, agent, {
    kind: POWERS,
    key: powers.join("|"),
    text: `${powers.join(" ")} Nothing is opened until ${what} removed on chain, or until you turn Auto-Trade off and on, which accepts it.`,
  });
}

function answerOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** Time after the owner's close in which a keeper may still fill its orders, in milliseconds. */
const CLOSING_LIFE_MS = 60 * 60_000;

/** Logs a keeper's fill of the owner's resting close as part of that close. */
async function logLateClosing(
  deps: ReconcileDeps,
  context: CustodyContext,
  outcome: TransactionOutcome,
): Promise<void> {
  const { agent } = context;
  const atMs = deps.clock.now();
  const since = new Date(atMs - CLOSING_LIFE_MS);
  if (!(await hasOwnerClosedSince(deps.db, agent.agentId, since))) return;
  const entries = ownerEntriesOf(context, outcome, atMs);
  if (entries.pending.length === 0 && entries.ownerEntries.length === 0) return;
  await commit(deps, agent, { atMs, ...entries, stale: [] });
}

/** Attributes flat markets to the owner's close when that close left no trade log entry. */
async function countClosing(
  deps: ReconcileDeps,
  agent: CustodyAgent,
  { positions }: AccountState,
): Promise<void> {
  const signature = await findUncountedClosing(deps.db, agent.agentId);
  if (signature === null) return;
  const traded = await sumTradedBase(deps.db, agent.agentId);
  const closed = [...traded].filter(
    ([marketId, base]) => base !== 0n && positions.every((held) => held.marketId !== marketId),
  );
  const fills = new Map(closed.map(([marketId, base]) => [marketId, -base]));
  const upkeep = { fills, pending: [] };
  await keep(deps, agent, { kind: "upkeep", key: signature, text: "", upkeep });
}

interface Flag {
  readonly kind: string;
  /** Empty when there is no difference; an earlier flag of the kind is then cleared. */
  readonly key: string;
  readonly text: string;
  readonly upkeep?: Upkeep;
}

async function keep(deps: ReconcileDeps, { agentId, owner }: CustodyAgent, flag: Flag) {
  const { kind, key, upkeep } = flag;
  const text = key === "" ? "" : flag.text;
  const entry = { agentId, owner, key, text, atMs: deps.clock.now() };
  if (upkeep !== undefined) await insertUpkeep(deps.db, agentId, key, upkeep);
  if (!(await insertCustodyFlag(deps.db, kind, entry))) return;
  deps.publisher.publish(owner, { topic: "custody", id: agentId });
  deps.publisher.publish(owner, { topic: "position", id: agentId });
  if (kind === FOREIGN_TRADE) deps.publisher.publish(owner, { topic: "agent", id: agentId });
}

/**
 * Returns the flag of an external transaction; a keeper's is stored without a text, because it only explains the
 * position.
 */
function activityFlag(
  { venue, account }: CustodyContext,
  outcome: TransactionOutcome,
  atMs: number,
): Flag {
  const { signature } = outcome;
  const activity = venue.classifyExternal?.(account, outcome);
  switch (activity?.kind) {
    case "upkeep": {
      const movements = venue.bookTransaction(account, outcome);
      const pending = toPendingEntries(movements, { ...outcome, atMs });
      const upkeep = { fills: activity.fills, pending };
      return { kind: "upkeep", key: signature, text: "", upkeep };
    }
    case "liquidation":
      return {
        kind: "transaction",
        key: signature,
        text: `The venue liquidated a position of this agent: ${signature}`,
      };
    case "trade":
      return {
        kind: FOREIGN_TRADE,
        key: signature,
        text: `This agent's money was traded with in a transaction that was not made here. If it was not you, its trading key is stolen: revoke it now. Nothing is opened until you turn Auto-Trade off and on, which says that it was you. ${signature}`,
      };
    case "cut":
      return {
        kind: "transaction",
        key: signature,
        text: `The exchange ran a transaction that names the trading account, and its log was cut: what it traded, if anything, is not known. ${signature}`,
      };
    default:
      return {
        kind: "transaction",
        key: signature,
        text: `A transaction that was not made here changed the trading account: ${signature}`,
      };
  }
}

async function isUnderWay({ db }: ReconcileDeps, agentId: AgentId): Promise<boolean> {
  return (
    (await hasOpenOrders(db, agentId)) ||
    (await listUnsettled(db, agentId)).length > 0 ||
    // The lane finds our own trades first
    (await isRestored(db, agentId))
  );
}

const signed = ({ side, baseSize }: Position): bigint => (side === "long" ? baseSize : -baseSize);

/** Returns one flag per market whose position the recorded trades do not explain; the key is empty where they do. */
async function positionFlags(
  { db }: ReconcileDeps,
  { agent, venue }: CustodyContext,
  { positions }: AccountState,
) {
  const traded = await sumTradedBase(db, agent.agentId);
  const held = new Map(positions.map((position) => [position.marketId, signed(position)]));
  return [...new Set([...traded.keys(), ...held.keys()])].map((marketId) => {
    const onChain = held.get(marketId) ?? 0n;
    const difference = onChain - (traded.get(marketId) ?? 0n);
    const { baseDecimals } = scalesOf(venue.id, marketId);
    // The decimals of an unknown market are unknown as well
    const text = (size: bigint): string =>
      baseDecimals === null ? `${size} base units` : formatDecimal(size, baseDecimals);
    return {
      kind: `position:${marketId}`,
      key: difference === 0n ? "" : difference.toString(),
      text: `The position in ${marketId} is ${text(onChain)} on chain, the trades made here explain ${text(onChain - difference)}. The agent goes on with what the chain shows.`,
    };
  });
}

/** Classification of some transactions. */
interface ExternalFindings {
  /** External transactions that changed something, in the given order. */
  readonly foreign: readonly TransactionOutcome[];
  /** Signatures the node could not resolve; they are queried again. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Returns those of the landed transactions that may have changed an account of `program` and were not sent by us.
 *
 * A transaction is ours when the present or a former fee payer paid for it: nobody else can spend its lamports.
 */
export async function findExternalActivity(
  chain: Pick<Chain, "transaction">,
  program: Address,
  feePayers: readonly Address[],
  signatures: readonly string[],
): Promise<ExternalFindings> {
  const foreign: TransactionOutcome[] = [];
  const unread = new Set<string>();
  for (const signature of signatures) {
    const outcome = await readOutcome(chain, parseSignature(signature));
    if (outcome === null) unread.add(signature);
    if (outcome === null || outcome === "unreadable" || outcome.error !== null) continue;
    const isOurs = feePayers.some((payer) => (outcome.lamportDeltas.get(payer) ?? 0n) < 0n);
    if (!isOurs && mayHaveRun(program, outcome.logs)) foreign.push(outcome);
  }
  return { foreign, unread };
}

/**
 * Returns whether a transaction ran a program, the only one that can change its accounts; anybody can name an account.
 * True where the logs do not tell.
 */
function mayHaveRun(program: Address, logs: readonly string[]): boolean {
  const isTold = logs.length > 0 && !isLogCut(logs);
  return !isTold || logs.some((line) => line.startsWith(`Program ${program} invoke [`));
}
