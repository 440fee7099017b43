import { found } from "../../contract/errors.ts";
import { formatFixed } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import type { AccountReader } from "../positions/account-reader.ts";
import { presentPositions, presentSummary, readShownPlan } from "../positions/present-position.ts";
import type { Db } from "../store/postgres/db.ts";
import { findCustodyAgent, listCustodyAgents } from "../store/custody/multisigs.ts";
import { listFilledOrders } from "../store/trade-log/positions.ts";
import type { Handlers } from "../http/handler.ts";

/** Maximum number of orders per agent in the activity list. */
const ACTIVITY_LIMIT = 50;

/** Decimal places of amounts in the activity list. */
const ACTIVITY_PLACES = 4;

/** Answers the calls for agents' positions and activity. */
export function tradeHandlers(deps: {
  readonly db: Db;
  readonly accounts: AccountReader;
  readonly clock: Clock;
}) {
  const { db, accounts } = deps;
  return {
    async getPosition({ query }) {
      const agent = found(await findCustodyAgent(db, query.agentId));
      const [snapshot] = await accounts.read([agent]);
      const unreadSince = accounts.unreadSince(agent.agentId);
      const summary = presentSummary(agent, snapshot ?? null, unreadSince);
      const isOpen = "side" in summary;
      const plan = isOpen ? await readShownPlan(db, agent.agentId, deps.clock.now()) : null;
      return plan === null ? summary : { ...summary, plan };
    },

    async listUserPositions({ query }) {
      const agents = await listCustodyAgents(db, query.owner);
      const funded = agents.filter((agent) => agent.subAccountId !== null);
      const snapshots = await accounts.read(funded);
      const pairs = funded.map((agent, at) => ({ agent, snapshot: snapshots[at] ?? null }));
      return {
        positions: pairs.flatMap(({ agent, snapshot }) =>
          snapshot === null ? [] : presentPositions(agent, snapshot),
        ),
        unavailable: pairs
          .filter(({ snapshot }) => snapshot === null)
          .map(({ agent }) => agent.agentId),
      };
    },

    async getUserActivity({ query }) {
      const [agents, orders] = await Promise.all([
        listCustodyAgents(db, query.owner),
        listFilledOrders(db, query.owner, ACTIVITY_LIMIT),
      ]);
      return agents.map((agent) => ({
        id: agent.agentId,
        name: agent.name,
        venue: shownVenue(agent.venue),
        fills: orders
          .filter((order) => order.agentId === agent.agentId)
          .map((order) => ({
            market: order.market,
            side: order.side === "long" || order.side === "buy" ? "long" : "short",
            size: formatFixed(order.baseSize, order.baseDecimals, ACTIVITY_PLACES),
            at: order.at.toISOString(),
            signature: order.signature ?? "",
          })),
      }));
    },
  } satisfies Partial<Handlers>;
}
