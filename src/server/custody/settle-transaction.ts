import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import type { Networks } from "../networks.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import {
  type CustodyRow,
  type CustodyOutcome,
  recordDeposit,
  recordRevocation,
  recordVaultUse,
  settleCustody,
} from "../store/custody/custody.ts";
import { saveKeyState } from "../store/reconcile/last-readings.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  attachMultisig,
  endDeleting,
  findCustodyAgent,
  markTradingKeySet,
  markDeleting,
} from "../store/custody/multisigs.ts";
import { findContext } from "./account/custody-context.ts";
import { logOwnerActivity } from "./log-owner-activity.ts";
import { readCustody, readVenueSetUp } from "./account/read-custody.ts";

export interface SettleDeps {
  readonly db: Db;
  readonly networks: Networks;
  readonly clock: Clock;
  readonly publisher: StalePublisher;
  /** Called when the owner closed the agent's positions, which may complete a stop. */
  readonly onPositionsClosed?: (agentId: AgentId) => void;
}

/** Final state of a transaction, with its effects on chain when it landed successfully. */
type Ending = Omit<CustodyOutcome, "at"> & { readonly landed?: TransactionOutcome };

/** State of an agent's set-up on chain, to be recorded. */
interface SetUpFacts {
  readonly isAttached: boolean;
  /** The market the trading key may trade; null while it may not trade the agent's market. */
  readonly marketOfTradingKey: string | null;
}

const NOTHING: SetUpFacts = { isAttached: false, marketOfTradingKey: null };

/**
 * Reads the state of an agent's set-up on chain. Throws `multisig_mismatch` for a multisig of another configuration.
 */
async function readSetUp(deps: SettleDeps, agentId: AgentId): Promise<SetUpFacts> {
  const agent = await findCustodyAgent(deps.db, agentId);
  const context = agent === null ? null : findContext(deps.networks, agent);
  if (context === null) return NOTHING;
  const state = await readCustody(context);
  if (state.multisig === null) return NOTHING;
  const remaining = await readVenueSetUp(context);
  return {
    isAttached: true,
    marketOfTradingKey: remaining.length === 0 ? context.agent.marketId : null,
  };
}

async function recordSetUp(db: Db, agentId: AgentId, facts: SetUpFacts): Promise<boolean> {
  const isNewlyAttached = facts.isAttached && (await attachMultisig(db, agentId));
  const { marketOfTradingKey: market } = facts;
  if (market !== null) await saveKeyState(db, agentId, "ours");
  const isTradingKeyNew = market !== null && (await markTradingKeySet(db, agentId, market));
  return isNewlyAttached || isTradingKeyNew;
}

/** Records the state of a set-up on chain, whoever caused it. */
export async function syncSetUp(
  deps: SettleDeps,
  agentId: AgentId,
  owner: OwnerAddress,
): Promise<void> {
  const facts = await readSetUp(deps, agentId);
  if (!(await recordSetUp(deps.db, agentId, facts))) return;
  deps.publisher.publish(owner, { topic: "custody", id: agentId });
  deps.publisher.publish(owner, { topic: "agent", id: agentId });
}

/** Settles a transaction once with all consequences for its agent, then notifies the owner's browsers. */
export async function settleTransaction(
  deps: SettleDeps,
  row: CustodyRow,
  ending: Ending,
): Promise<void> {
  const at = new Date(deps.clock.now());
  const isGrant = row.intent === "set-up" || row.intent === "update-limits";
  let facts = NOTHING;
  let settled = ending;
  try {
    if (isGrant && ending.state === "confirmed") facts = await readSetUp(deps, row.agentId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "multisig_mismatch") throw error;
    if (row.intent === "set-up") settled = { ...ending, state: "failed", reason: error.message };
  }
  let loggedIn: string | null = null;
  const isNews = await settleCustody(deps.db, row, { ...settled, at }, async (tx) => {
    if (settled.state !== "confirmed") return;
    if (settled.landed !== undefined) {
      loggedIn = await logOwnerActivity({ ...deps, db: tx }, row.agentId, settled.landed);
    }
    switch (row.intent) {
      case "set-up":
        await recordSetUp(tx, row.agentId, facts);
        if (facts.marketOfTradingKey !== null) await endDeleting(tx, row.agentId);
        return;
      case "update-limits":
        await recordVaultUse(tx, row.agentId, at);
        await recordSetUp(tx, row.agentId, facts);
        return;
      case "delete":
        await recordVaultUse(tx, row.agentId, at);
        await markDeleting(tx, row.agentId);
        return;
      case "deposit": {
        const agent = await findCustodyAgent(tx, row.agentId);
        await recordDeposit(tx, row, agent?.multisig?.subAccountId ?? 0, at);
        return;
      }
      case "revoke":
        await recordRevocation(tx, row, at);
        await saveKeyState(tx, row.agentId, "none");
        return;
      default:
        await recordVaultUse(tx, row.agentId, at);
    }
  });
  if (!isNews) return;
  if (row.intent === "close-positions" && settled.state === "confirmed") {
    deps.onPositionsClosed?.(row.agentId);
  }
  if (loggedIn !== null) deps.publisher.publish(row.owner, { topic: "trade-log", id: loggedIn });
  for (const topic of ["custody", "agent", "position"] as const) {
    deps.publisher.publish(row.owner, { topic, id: row.agentId });
  }
}
