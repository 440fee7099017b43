import type { Address } from "@solana/kit";
import { DRIFT_V2_INSTANCE as INSTANCE, marketName } from "../../src/venues/drift/instance.ts";
import type { BookEvent } from "../../src/venues/drift/book-events.ts";
import { practiceKeyPair } from "../../src/practice/sign-transaction.ts";
import { ORDER_ACTION } from "../../src/venues/drift/order-action-record.ts";
import { accountOf, type ChainAgent, type Landed } from "./chain-evidence.ts";
import type { BookRow, Evidence, LogRow, Moment, StoredOrder } from "./evidence.ts";
import type { Finding } from "./judge.ts";

const QUOTE = INSTANCE.quote.symbol;
const SCALES: Readonly<Record<string, number>> = { [QUOTE]: INSTANCE.quote.decimals, SOL: 9 };
const differs = (text: string): Finding => ({ kind: "differs", text });

/** What one event of the exchange traded for an agent; quote is received above zero. The reward of a keeper has only a fee. */
interface ChainFill {
  readonly market: string;
  readonly subAccount: number;
  readonly base: bigint;
  readonly quote: bigint;
  readonly fee: bigint;
}

/** Returns what the exchange's events in a transaction say an agent traded. */
type FillsIn = (agentId: string, signature: string) => readonly ChainFill[];

function readFills({ agents, landed }: Moment): FillsIn {
  const agentOf = new Map(agents.map((agent) => [agent.agentId, agent]));
  const landedOf = new Map(landed.map((outcome) => [outcome.signature, outcome]));
  return (agentId, signature) => {
    const agent = agentOf.get(agentId);
    if (agent === undefined) return [];
    return (landedOf.get(signature)?.events ?? []).flatMap(
      (event) => fillOf(agent, event) ?? chargeOf(agent, event) ?? [],
    );
  };
}

/** Checks that exactly the orders that traded are shown as traded, and each fill with the exchange's events. */
export function judgeTrades(moment: Moment): readonly Finding[] {
  return [
    ...judgeStates(moment),
    ...judgeFills(moment, readFills(moment)),
    ...judgeRewards(moment),
  ];
}

/**
 * Compares every amount of money with the chain: rows of the log with their fills, entries of the book with the events
 * and changed balances of their transaction, their results with the trades before them, their sums with what the
 * accounts hold, and recorded worth with the entries it was made from.
 */
export function judgeMoney(evidence: Evidence): readonly Finding[] {
  return [
    ...judgeRows(evidence, readFills(evidence)),
    ...judgeEntries(evidence),
    ...judgeResults(evidence),
  ];
}

const HAS_TRADED = new Set(["filled", "partially_filled"]);
const STATUS_OF: Readonly<Record<string, string>> = {
  filled: "success",
  partially_filled: "success",
  denied: "failed",
  rejected: "failed",
  expired: "failed",
  cancelled: "failed",
};
const BUYS = new Set(["long", "buy"]);

/** An order has fills exactly when its state says so, and so does its row of the log. */
function judgeStates({ orders, log, fills }: Moment): readonly Finding[] {
  const traded = new Set(
    fills.filter(({ baseSize }) => baseSize !== 0n).map(({ orderId }) => orderId),
  );
  const rowsOf = Map.groupBy(log, ({ orderId }) => orderId);
  return orders.flatMap(({ id, state }) => {
    const isTraded = traded.has(id);
    // A resting order may have traded a part
    const isRight = state === "resting" || isTraded === HAS_TRADED.has(state);
    return [
      ...(isRight
        ? []
        : [differs(`order ${id} is ${state} and has ${isTraded ? "" : "no "}fills`)]),
      ...(rowsOf.get(id) ?? []).flatMap((row) =>
        (row.status === "success") === HAS_TRADED.has(state)
          ? []
          : [differs(`log row ${row.id} says ${row.status}, order ${id} is ${state}`)],
      ),
    ];
  });
}

/** Every row of the log says what its order's fills come to. */
function judgeRows({ log, orders, fills }: Evidence, fillsIn: FillsIn): readonly Finding[] {
  const fillsOf = Map.groupBy(fills, ({ orderId }) => orderId);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const found: Finding[] = [];
  for (const row of log) {
    const order = orderOf.get(row.orderId ?? "");
    if (order === undefined) continue;
    const own = fillsOf.get(order.id) ?? [];
    const sum = (key: "baseSize" | "quoteSize" | "fee") =>
      own.reduce((total, fill) => total + fill[key], 0n);
    const base = sum("baseSize") < 0n ? -sum("baseSize") : sum("baseSize");
    const quote = sum("quoteSize");
    // Half up, six decimals per whole asset
    const price = base === 0n ? null : (2n * quote * 10n ** 9n + base) / (2n * base);
    const markets = own.flatMap(({ signature }) =>
      fillsIn(order.agentId, signature).map(({ market }) => market),
    );
    found.push(
      ...compareRow(row, order, {
        total: quote,
        fee: own.length === 0 ? row.fee : sum("fee"),
        price,
        status: STATUS_OF[order.state] ?? "pending",
        market: markets[0] ?? row.market,
        agent: order.agentId,
        signature:
          base === 0n
            ? row.signature
            : (own.findLast(({ baseSize }) => baseSize !== 0n)?.signature ?? null),
        side: base === 0n || BUYS.has(row.side) === sum("baseSize") > 0n ? row.side : "other",
      }),
    );
  }
  return found;
}

function compareRow(
  row: LogRow,
  order: StoredOrder,
  expected: Readonly<Record<string, string | bigint | null>>,
): readonly Finding[] {
  const said: typeof expected = {
    total: row.quoteTotal,
    fee: row.fee,
    price: row.price,
    status: row.status,
    market: row.market,
    agent: row.agentId,
    signature: row.signature,
    side: row.side,
  };
  return Object.entries(expected).flatMap(([name, value]) =>
    said[name] === value
      ? []
      : [
          differs(
            `log row ${row.id} says ${name} ${String(said[name])}, order ${order.id} (${order.state}) makes it ${String(value)}`,
          ),
        ],
  );
}

/** Every fill is what the exchange's events say of the agent's accounts. */
function judgeFills({ fills, orders }: Moment, fillsIn: FillsIn): readonly Finding[] {
  const agentOf = new Map(orders.map(({ id, agentId }) => [id, agentId]));
  return fills.flatMap(({ orderId, signature, baseSize, quoteSize, fee }) => {
    const agentId = agentOf.get(orderId) ?? "";
    const onChain = fillsIn(agentId, signature);
    const sum = (pick: (fill: ChainFill) => bigint) =>
      onChain.reduce((total, fill) => total + pick(fill), 0n);
    const quote = sum((fill) => (fill.quote < 0n ? -fill.quote : fill.quote));
    const said = [baseSize, quoteSize, fee];
    const seen = [sum((fill) => fill.base), quote, sum((fill) => fill.fee)];
    if (said.every((amount, at) => amount === seen[at])) return [];
    const text = `fills of order ${orderId} in transaction ${signature}: ${said.join(", ")}, on the chain ${seen.join(", ")}`;
    return [differs(text)];
  });
}

/** Whatever a keeper got for an order that traded and is over stands with its fills. */
function judgeRewards({ agents, orders, fills, landed }: Moment): readonly Finding[] {
  const over = new Set(orders.filter(({ state }) => HAS_TRADED.has(state)).map(({ id }) => id));
  const booked = new Map(
    fills.flatMap(({ signature, orderId }) => (over.has(orderId) ? [[signature, orderId]] : [])),
  );
  const seen = new Set(fills.map(({ signature }) => signature));
  const acts = landed.flatMap(({ signature, events }) =>
    events.flatMap((event) => (event.kind === "order" ? { signature, event } : [])),
  );
  return agents.flatMap(({ agentId, users }) =>
    users.flatMap((user) => {
      const orderOf = new Map(
        acts.flatMap(({ signature, event: { record } }) => {
          const id = record.taker === user ? record.takerOrderId : record.makerOrderId;
          const isOwn = record.taker === user || record.maker === user;
          return isOwn && record.action === ORDER_ACTION.fill && booked.has(signature)
            ? [[id, booked.get(signature)] as const]
            : [];
        }),
      );
      return acts.flatMap(({ signature, event }) => {
        const { fee = 0n } = rewardOf(user, event) ?? {};
        const order = orderOf.get(event.record.takerOrderId);
        return fee === 0n || order === undefined || seen.has(signature)
          ? []
          : [
              differs(
                `fills of order ${order} of agent ${agentId} lack the reward in ${signature}`,
              ),
            ];
      });
    }),
  );
}

function fillOf({ users }: ChainAgent, event: BookEvent): ChainFill | undefined {
  if (event.kind !== "order" || event.record.action !== ORDER_ACTION.fill) return undefined;
  const { record } = event;
  const isTaker = users.some((user) => user === record.taker);
  const user = isTaker ? record.taker : record.maker;
  const subAccount = users.findIndex((each) => each === user);
  if (user === null || subAccount === -1) return undefined;
  const direction = isTaker ? record.takerOrderDirection : record.makerOrderDirection;
  const size = record.baseAssetAmountFilled ?? 0n;
  const paid = record.quoteAssetAmountFilled ?? 0n;
  const [base, quote] = direction === 0 ? [size, -paid] : [-size, paid];
  const fee = (isTaker ? record.takerFee : record.makerFee) ?? 0n;
  return { market: marketName(INSTANCE, record.marketIndex), subAccount, base, quote, fee };
}

/** Returns what a user paid to whoever triggered an order of his, or ended what was left of it. */
function rewardOf(user: Address, event: BookEvent) {
  if (event.kind !== "order" || event.record.action === ORDER_ACTION.fill) return undefined;
  const { taker, filler, fillerReward, marketIndex } = event.record;
  if (taker !== user || filler === user) return undefined;
  return { market: marketName(INSTANCE, marketIndex), fee: fillerReward ?? 0n };
}

function chargeOf({ users }: ChainAgent, event: BookEvent): ChainFill | undefined {
  const found = users.flatMap((user, subAccount) => {
    const reward = rewardOf(user, event);
    return reward === undefined || reward.fee === 0n
      ? []
      : { ...reward, subAccount, base: 0n, quote: 0n };
  });
  return found[0];
}

const KEEPER = practiceKeyPair("keeper").address;

/** Kinds that say where a changed balance came from; only their sums and parties are on the chain. */
const FLOWS = new Set([
  "deposit",
  "withdrawal",
  "external",
  "transfer",
  "rent_paid",
  "rent_returned",
]);
/** Kinds without an event: judged by what the accounts hold. */
const UNSEEN = new Set(["interest", "opening"]);

/** Every entry has its event or changed balance, and the other way round. */
function judgeEntries({ agents, entries, landed }: Evidence): readonly Finding[] {
  const expected = new Map<string, bigint>();
  const booked = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, amount: bigint) =>
    void sums.set(key, (sums.get(key) ?? 0n) + amount);
  for (const outcome of landed) {
    for (const agent of agents) {
      for (const [what, amount] of changesOf(agent, outcome)) {
        add(expected, `${agent.agentId} in transaction ${outcome.signature}: ${what}`, amount);
      }
    }
  }
  for (const entry of entries) {
    if (UNSEEN.has(entry.kind)) continue;
    const where = `${entry.agentId} in transaction ${entry.signature}:`;
    const account = accountOf(entry.place, entry.subAccount, entry.market, entry.asset);
    add(booked, `${where} ${FLOWS.has(entry.kind) ? "flow" : entry.kind} ${account}`, entry.amount);
    if (entry.baseMarket !== null) {
      const based = accountOf(entry.place, entry.subAccount, entry.market, entry.baseMarket);
      add(booked, `${where} ${entry.kind} ${based}`, entry.baseAmount ?? 0n);
    }
    const isParty = ["deposit", "withdrawal", "external"].includes(entry.kind);
    if (isParty && entry.asset === QUOTE) add(booked, `${where} ${entry.kind}`, entry.amount);
  }
  const unequal = [...new Set([...expected.keys(), ...booked.keys()])].flatMap((key) => {
    const [said, seen] = [booked.get(key) ?? 0n, expected.get(key) ?? 0n];
    return said === seen
      ? []
      : [differs(`book of agent ${key}: booked ${said}, on the chain ${seen}`)];
  });
  return [...unequal, ...judgeHeads(agents, entries, landed)];
}

/** Whom an entry belongs to, when it was and in which unit it counts. */
function judgeHeads(
  agents: readonly ChainAgent[],
  entries: readonly BookRow[],
  landed: readonly Landed[],
): readonly Finding[] {
  const ownerOf = new Map(agents.map(({ agentId, owner }) => [agentId, owner]));
  const outcomeOf = new Map(landed.map((outcome) => [outcome.signature, outcome]));
  return entries.flatMap((entry) => {
    const { seq, kind, agentId, asset, signature } = entry;
    const outcome = outcomeOf.get(signature);
    const wrong = [
      // A fresh product has read every transaction from the first on
      ...(kind === "opening" ? ["it is an opening balance"] : []),
      ...(ownerOf.get(agentId) === entry.owner ? [] : [`its owner is ${entry.owner}`]),
      ...(entry.network === "practice" ? [] : [`its network is ${entry.network}`]),
      ...(SCALES[asset] === entry.decimals ? [] : [`it has ${entry.decimals} decimals`]),
      ...(outcome === undefined ? [`its transaction ${signature} is not on the chain`] : []),
      ...(outcome === undefined || UNSEEN.has(kind) || outcome.slot === entry.slot
        ? []
        : [`its slot is ${entry.slot}`]),
      ...(outcome === undefined || UNSEEN.has(kind) || outcome.atMs === entry.atMs
        ? []
        : [`its time is ${entry.atMs}`]),
    ];
    return wrong.map((text) => differs(`entry ${seq} (${kind}) of agent ${agentId}: ${text}`));
  });
}

/** What a transaction changed for an agent, by kind and account. */
function* changesOf(agent: ChainAgent, outcome: Landed): Generator<readonly [string, bigint]> {
  const { vault, vaultTokens, users, owner } = agent;
  const { touched, events, tokens, lamports, feePayer, fee } = outcome;
  if (![vault, vaultTokens, ...users].some((address) => touched.has(address))) return;
  const isOwners = feePayer === owner;
  // A keeper pays for its own transactions
  if (fee !== 0n && feePayer !== KEEPER) {
    yield [`network_fee ${accountOf(isOwners ? "wallet" : "platform", 0, "", "SOL")}`, -fee];
  }
  if (outcome.hasFailed) return;
  yield [`flow ${accountOf("vault_sol", 0, "", "SOL")}`, lamports.get(vault) ?? 0n];
  const tokensOf = (isIt: (moved: Landed["tokens"][number]) => boolean) =>
    tokens.filter(isIt).reduce((sum, { delta }) => sum + delta, 0n);
  const inVault = tokensOf(({ account }) => account === vaultTokens);
  yield [`flow ${accountOf("vault", 0, "", QUOTE)}`, inVault];
  let total = inVault;
  for (const [subAccount, user] of users.entries()) {
    const at = (market: string, asset: string) =>
      accountOf(market === "" ? "exchange" : "position", subAccount, market, asset);
    for (const event of events) {
      const fill = fillOf({ ...agent, users: [user] }, event);
      if (fill !== undefined) {
        yield [`trade ${at(fill.market, QUOTE)}`, fill.quote];
        yield [`trade ${at(fill.market, fill.market)}`, fill.base];
        yield [`fee ${at(fill.market, QUOTE)}`, -fill.fee];
      }
      const reward = rewardOf(user, event);
      if (reward !== undefined) yield [`fee ${at(reward.market, QUOTE)}`, -reward.fee];
      if (event.kind === "order" || event.record.user !== user) continue;
      if (event.kind === "deposit") {
        const amount = event.record.direction === 0 ? event.record.amount : -event.record.amount;
        total += amount;
        yield [`flow ${at("", QUOTE)}`, amount];
      } else if (event.kind === "funding") {
        const market = marketName(INSTANCE, event.record.marketIndex);
        yield [`funding ${at(market, QUOTE)}`, event.record.fundingPayment];
      } else if (event.kind === "settlement") {
        const market = marketName(INSTANCE, event.record.marketIndex);
        yield [`settlement ${at(market, QUOTE)}`, -event.record.pnl];
        yield [`settlement ${at("", QUOTE)}`, event.record.pnl];
      }
    }
  }
  // Only what the owner's wallet gave or got is his deposit or withdrawal
  const given = -tokensOf((moved) => moved.owner === owner);
  const own = total > 0n ? smaller(total, larger(0n, given)) : larger(total, smaller(0n, given));
  yield [total > 0n ? "deposit" : "withdrawal", own];
  yield ["external", total - own];
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const size = (amount: bigint) => (amount < 0n ? -amount : amount);

/** Every trade's result follows from the trades before it, at average cost. */
function judgeResults({ agents, entries, landed }: Evidence): readonly Finding[] {
  const trading = landed.filter(({ events }) => events.some(({ kind }) => kind === "order"));
  const rowsOf = Map.groupBy(
    entries.filter(({ kind }) => kind === "trade"),
    ({ agentId, signature }) => `${agentId} ${signature}`,
  );
  return agents.flatMap((agent) => {
    const held = new Map<string, Holding>();
    return trading.flatMap((outcome) => {
      const rows = rowsOf.get(`${agent.agentId} ${outcome.signature}`) ?? [];
      const fills = outcome.events.flatMap(
        (event) => fillOf(agent, event) ?? chargeOf(agent, event) ?? [],
      );
      let at = -1;
      return fills.flatMap((fill) => {
        const key = `${fill.subAccount} ${fill.market}`;
        const before = held.get(key) ?? NOTHING;
        if (fill.base === 0n) {
          held.set(key, before.base === 0n ? before : { ...before, fees: before.fees - fill.fee });
          return [];
        }
        at += 1;
        const result = follow(before, fill);
        held.set(key, result);
        const row = rows[at];
        const said = [
          row?.realised ?? null,
          row?.realisedFees ?? null,
          row?.heldBase,
          row?.heldCost,
          row?.heldFees,
        ];
        const seen = [result.realised, result.realisedFees, result.base, result.cost, result.fees];
        if (said.every((amount, index) => amount === seen[index])) return [];
        const text = `trade ${at} of agent ${agent.agentId} in transaction ${outcome.signature}: result, size and cost with their fees are booked as ${said.join(", ")}, its trades make ${seen.join(", ")}`;
        return [differs(text)];
      });
    });
  });
}

interface Holding {
  readonly base: bigint;
  readonly cost: bigint;
  readonly fees: bigint;
}

const NOTHING: Holding = { base: 0n, cost: 0n, fees: 0n };

/** Shares of a cost are cut off towards zero, as the exchange does it. */
function follow(held: Holding, { base, quote, fee }: ChainFill) {
  const isClosing = held.base !== 0n && held.base > 0n !== base > 0n;
  if (!isClosing) {
    const grown = { base: held.base + base, cost: held.cost + quote, fees: held.fees - fee };
    return { ...grown, realised: null, realisedFees: null };
  }
  const isTurned = size(base) > size(held.base);
  const gone = isTurned ? held.cost : (held.cost * size(base)) / size(held.base);
  const closing = isTurned ? (quote * size(held.base)) / size(base) : quote;
  const cost = isTurned ? quote - closing : held.cost - gone;
  const goneFees = isTurned ? held.fees : (held.fees * size(base)) / size(held.base);
  const closingFee = isTurned ? (-fee * size(held.base)) / size(base) : -fee;
  return {
    base: held.base + base,
    cost,
    fees: isTurned ? -fee - closingFee : held.fees - goneFees,
    realised: gone + closing,
    realisedFees: goneFees + closingFee,
  };
}
