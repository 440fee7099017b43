import type { TransactionOutcome } from "../../src/solana/chain.ts";
import { ORDER_ACTION, parseOrderActionLog } from "../../src/venues/drift/order-action-record.ts";
import type { AgentModel } from "./agent-model.ts";
import type { Rows } from "./facts.ts";
import type { Run } from "./run.ts";

/** Input of the invariants: the world, its rows, and the simpler model's result for the same alerts. */
export interface Seen {
  readonly run: Run;
  readonly rows: Rows;
  readonly models: ReadonlyMap<string, AgentModel>;
  /** Traded base units of each successful transaction, from the chain alone. */
  readonly traded: ReadonlyMap<string, bigint>;
}

/** An invariant; `check` returns its violation, or null. */
export interface Invariant {
  readonly name: string;
  check(seen: Seen): string | null | Promise<string | null>;
}

const HAS_TRADED: readonly string[] = ["filled", "partially_filled"];

/** Reads from a transaction's own events how much it traded. */
export const tradedBase = ({ logs }: TransactionOutcome): bigint =>
  logs
    .flatMap((line) => parseOrderActionLog(line) ?? [])
    .filter(({ action }) => action === ORDER_ACTION.fill)
    .reduce((sum, { baseAssetAmountFilled }) => sum + (baseAssetAmountFilled ?? 0n), 0n);

export const firstWrong = <T>(
  items: Iterable<T>,
  wrong: (item: T) => string | null,
): string | null => {
  for (const item of items) {
    const found = wrong(item);
    if (found !== null) return found;
  }
  return null;
};

/** Returns the sum of each order's fills in base units. */
export function filledBase({ fills }: Rows): ReadonlyMap<string, bigint> {
  const filled = new Map<string, bigint>();
  for (const { order, base } of fills) filled.set(order, (filled.get(order) ?? 0n) + BigInt(base));
  return filled;
}

const stored: Invariant = {
  name: "I1 every acknowledged alert is stored, once",
  check({ run, rows }) {
    const ids = new Set(rows.events.map(({ id }) => id));
    const keys = rows.events.flatMap(({ agent, key }) => (key === null ? [] : `${agent} ${key}`));
    if (new Set(keys).size < keys.length) return "one firing is stored twice";
    return firstWrong(run.alerts, ({ agentId, body, answers }) => {
      if (run.deleted.has(agentId)) return null;
      const told = new Set(answers.flatMap((each) => ("eventId" in each ? each.eventId : [])));
      if (told.size > 1) return `${JSON.stringify(body)} was acknowledged as two events`;
      const [id] = told;
      return id === undefined || ids.has(id) ? null : `event ${id} was acknowledged and is lost`;
    });
  },
};

const owned: Invariant = {
  name: "I2 every transaction of a trading key belongs to one order of its agent",
  check({ run, rows }) {
    const agents = new Map(rows.orders.map(({ id, agent }) => [id, agent]));
    const owners = new Map(
      rows.followUps.map(({ order, signature }) => [signature, agents.get(order)]),
    );
    for (const { signature, agent } of rows.orders)
      if (signature !== null) owners.set(signature, agent);
    return firstWrong(run.landed, ({ outcome: { signature } }) => {
      const note = run.signed.get(signature);
      if (note === undefined || note.purpose === "settlement") return null;
      if (run.deleted.has(note.agentId)) return null;
      const isOwned = owners.get(signature) === note.agentId;
      return isOwned ? null : `${note.purpose} ${signature} landed and belongs to no order`;
    });
  },
};

const once: Invariant = {
  name: "I3 a rule's firing has one order, and an order trades at most once",
  check({ rows, models, traded }) {
    const filled = filledBase(rows);
    return (
      firstWrong(models.values(), (model) => model.wrongOrders(rows)) ??
      firstWrong(rows.orders, ({ id, state }) => {
        if (state === "resting" || HAS_TRADED.includes(state) === filled.has(id)) return null;
        return `order ${id} is ${state} and its fills are ${filled.get(id) ?? "none"}`;
      }) ??
      firstWrong(rows.fills, ({ order, signature, base }) =>
        (traded.get(signature) ?? 0n) >= BigInt(base)
          ? null
          : `order ${order} has ${base} in ${signature}, which traded ${traded.get(signature)}`,
      )
    );
  },
};

const counted: Invariant = {
  name: "I5 counters are the model's",
  check: ({ rows, models }) => firstWrong(models.values(), (model) => model.wrongCounters(rows)),
};

const switched: Invariant = {
  name: "I6 nothing is signed while halted, and no entry while reducing",
  check({ run, rows }) {
    const entries = new Set(
      rows.orders.filter(({ reduces }) => reduces === false).map(({ signature }) => signature),
    );
    return firstWrong(run.signed.values(), ({ signature, purpose, tradingState }) => {
      if (purpose !== "order" || tradingState === "active") return null;
      if (tradingState === "halted") return `${signature} was signed while halted`;
      return entries.has(signature) ? `${signature} opens and was signed while reducing` : null;
    });
  },
};

const apart: Invariant = {
  name: "I7 a trading key touches its own agent's accounts only",
  check: ({ run }) =>
    firstWrong(run.landed, ({ outcome: { signature }, touched }) => {
      const note = run.signed.get(signature);
      if (note === undefined) return null;
      const strange = run.base.agents.find(
        ({ id, account, tradingAccount }) =>
          id !== note.agentId &&
          [account.multisig, account.vault, account.tradingKey, tradingAccount].some((each) =>
            touched.includes(each),
          ),
      );
      return strange === undefined ? null : `${signature} of ${note.agentId} touches ${strange.id}`;
    }),
};

const shown: Invariant = {
  name: "I8 nothing is shown as traded that did not trade",
  check: ({ rows }) => {
    const states = new Map(rows.orders.map(({ id, state }) => [id, state]));
    const filled = filledBase(rows);
    return firstWrong(rows.log, ({ order, status, base }) => {
      if (order === null) return null;
      const state = states.get(order);
      const isTraded = HAS_TRADED.includes(state ?? "");
      if ((status === "success") !== isTraded)
        return `order ${order} is ${state}, its entry ${status}`;
      const said = BigInt(base);
      return !isTraded || said === filled.get(order)
        ? null
        : `the log says ${said} of order ${order}, its fills ${filled.get(order)}`;
    });
  },
};

/** Invariants that hold after every step. */
export const ALWAYS: readonly Invariant[] = [stored, owned, once, counted, switched, apart, shown];
