import type { Address } from "@solana/kit";
import type { AgentId } from "../../src/domain/ids.ts";
import { isOpenOrderState } from "../../src/domain/order/order-states.ts";
import { compareBalances } from "../../src/domain/ledger/balance.ts";
import { FINALITY_SLOTS, SLOT_MS } from "../../src/practice/slots.ts";
import { SigningRefusedError } from "../../src/server/custody/account/trading-key-signer.ts";
import { updateAgentLedger } from "../../src/server/ledger/update-agent-ledger.ts";
import { findCustodyAgent } from "../../src/server/store/custody/multisigs.ts";
import { sumLedger } from "../../src/server/store/ledger/ledger.ts";
import { readLedgerMark } from "../../src/server/store/ledger/ledger-marks.ts";
import { ChainUnavailableError, TransactionRefusedError } from "../../src/solana/chain.ts";
import { ORDER_STATUS, userLayout } from "../../src/venues/drift/layout-user.ts";
import { parseOrderLog } from "../../src/venues/drift/order-action-record.ts";
import type { BaseAgent } from "./base-world.ts";
import { filledBase, firstWrong, type Invariant, type Seen } from "./invariants.ts";
import type { Run } from "./run.ts";

const done: Invariant = {
  name: "everything that was begun has ended",
  check({ rows }) {
    return (
      firstWrong(rows.orders, ({ id, state }) =>
        isOpenOrderState(state) ? `order ${id} is still ${state}` : null,
      ) ??
      firstWrong(rows.exits, ({ id, state }) =>
        state === "working" ? `exit ${id} still works` : null,
      ) ??
      firstWrong(rows.agents, ({ id, autoTrade }) =>
        autoTrade === "stopping" ? `agent ${id} still stops` : null,
      )
    );
  },
};

const logged: Invariant = {
  name: "I4 the trade log is the chain",
  async check({ run, rows, traded }) {
    const filled = filledBase(rows);
    const orders = new Map(
      rows.orders.flatMap(({ id, signature }) =>
        signature === null ? [] : [[signature, id] as const],
      ),
    );
    for (const { order, signature } of rows.followUps) orders.set(signature, order);
    const onChain = new Map<string, bigint>();
    for (const signature of run.signed.keys()) {
      const order = orders.get(signature);
      const base = traded.get(signature) ?? 0n;
      if (order !== undefined && base > 0n) onChain.set(order, (onChain.get(order) ?? 0n) + base);
    }
    const wrong = firstWrong(rows.orders, ({ id, state }) =>
      onChain.get(id) === filled.get(id)
        ? null
        : `order ${id} is ${state} with fills of ${filled.get(id)}, the chain traded ${onChain.get(id)}`,
    );
    if (wrong !== null) return wrong;
    for (const agent of staying(run)) {
      const [held, said] = [await heldBase(run, agent), loggedBase({ rows }, agent.id)];
      if (held !== said) return `agent ${agent.id} holds ${held}, the log says ${said}`;
    }
    return null;
  },
};

/** The agents whose records were not deleted by their owners. */
const staying = ({ base, deleted }: Run) => base.agents.filter(({ id }) => !deleted.has(id));

const venueOf = (run: Run, { venue }: BaseAgent) => {
  const found = run.healthy.get("practice")?.venues.get(venue);
  if (found === undefined) throw new Error(`No venue ${venue}`);
  return found;
};

async function heldBase(run: Run, agent: BaseAgent): Promise<bigint> {
  const { positions } = await venueOf(run, agent).accountState(agent.account);
  return positions.reduce(
    (sum, { side, baseSize }) => sum + (side === "long" ? baseSize : -baseSize),
    0n,
  );
}

const loggedBase = ({ rows }: Pick<Seen, "rows">, agentId: AgentId): bigint =>
  rows.log
    .filter(({ agent, status }) => agent === agentId && status === "success")
    .reduce(
      (sum, { side, base }) =>
        sum + (side === "long" || side === "buy" ? BigInt(base) : -BigInt(base)),
      0n,
    );

/** Ids of the orders that a trading key's transactions placed at the venue for an account. */
const placedByUs = ({ landed, signed }: Run, user: Address): ReadonlySet<number> =>
  new Set(
    landed
      .filter(({ outcome }) => outcome.error === null && signed.has(outcome.signature))
      .flatMap(({ outcome }) => outcome.logs)
      .flatMap((line) => parseOrderLog(line) ?? [])
      .flatMap((placed) => (placed.user === user ? placed.order.orderId : [])),
  );

const gone: Invariant = {
  name: "no ended order of ours lives on at its venue",
  async check({ run }) {
    for (const { id, tradingAccount } of staying(run)) {
      const [account] = (await run.chain.accounts([tradingAccount])).accounts;
      if (account === null || account === undefined) return `agent ${id} has no account`;
      const ours = placedByUs(run, tradingAccount);
      const left = userLayout
        .decode(account.data)
        .orders.find(({ status, orderId }) => status === ORDER_STATUS.open && ours.has(orderId));
      if (left !== undefined) return `order ${left.orderId} of agent ${id} is alive at the venue`;
    }
    return null;
  },
};

const told: Invariant = {
  name: "I8 nothing is shown as failed that traded",
  check: ({ rows, traded }) =>
    firstWrong(rows.orders, ({ id, state, signature }) => {
      const base = signature === null ? 0n : (traded.get(signature) ?? 0n);
      const hasTraded = state === "filled" || state === "partially_filled";
      return base > 0n && !hasTraded
        ? `order ${id} is ${state}, and ${signature} traded ${base}`
        : null;
    }),
};

const booked: Invariant = {
  name: "I9 what went in and out of every vault is booked, to the unit",
  async check({ run }) {
    run.clock.advance(Number(FINALITY_SLOTS + 1n) * SLOT_MS);
    const [server] = run.servers;
    const { db } = run.base.database;
    if (server === undefined) return "there is no server";
    for (const agent of staying(run)) {
      const custody = await findCustodyAgent(db, agent.id);
      if (custody === null) return `agent ${agent.id} is gone`;
      await updateAgentLedger({ ...server.book, db, networks: run.healthy }, custody);
      const mark = await readLedgerMark(db, agent.id);
      if (mark === null || mark.difference !== null || mark.pending.length > 0) {
        return `the book of ${agent.id} differs: ${JSON.stringify(mark, withBigints)}`;
      }
      const { balances, accruing } = await venueOf(run, agent).readLedger(agent.account);
      const sums = (await sumLedger(db, agent.id)).filter(
        ({ place }) => place !== "wallet" && place !== "platform",
      );
      const [difference] = compareBalances(sums, [...balances, ...accruing]);
      if (difference !== undefined)
        return `agent ${agent.id}: ${JSON.stringify(difference, withBigints)}`;
    }
    return null;
  },
};

const withBigints = (_key: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value;

const quiet: Invariant = {
  name: "only trouble of the chain and refusals of the signer were logged",
  check: ({ run }) =>
    firstWrong(run.problems, (problem) => {
      const { err, landing } = problem as { readonly err?: unknown; readonly landing?: unknown };
      const isOfTheChain =
        landing !== undefined ||
        err instanceof ChainUnavailableError ||
        err instanceof TransactionRefusedError ||
        // A price that moved, or an account another server used, in a pause
        err instanceof SigningRefusedError;
      return isOfTheChain ? null : textOf(problem);
    }),
};

const textOf = (problem: object): string => {
  const { err } = problem as { readonly err?: unknown };
  return err instanceof Error ? `${err.stack}` : JSON.stringify(problem, withBigints);
};

const secret: Invariant = {
  name: "I10 no secret is in any log",
  check({ run }) {
    const { keys, secret: master, agents } = run.base;
    const seeds = agents.map(({ id }) => keys.of(id).tradingKey.seed);
    const secrets = [master, keys.feePayer.seed, ...seeds].map((each) =>
      Buffer.from(each).toString("hex"),
    );
    const texts = run.problems.map(textOf);
    return texts.some((text) => secrets.some((each) => text.includes(each)))
      ? "a key was logged"
      : null;
  },
};

/** Invariants that hold once every fault has ended and no work is left. */
export const AT_REST: readonly Invariant[] = [done, gone, logged, told, booked, quiet, secret];
