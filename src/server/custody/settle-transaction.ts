import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import type { Networks } from "../networks.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import {
  commitChange,
  type CustodyChange,
  type Ending,
  type SetUpFacts,
} from "../store/custody/commit-change.ts";
import type { CustodyRow } from "../store/custody/custody.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import type { Db } from "../store/postgres/db.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";
import { readCustody, readVenueSetUp } from "./account/read-custody.ts";
import { ownerEntriesOf } from "./owner-entries.ts";

export interface SettleDeps {
  readonly db: Db;
  readonly networks: Networks;
  readonly clock: Clock;
  readonly publisher: StalePublisher;
  /** Called when the owner closed the agent's positions, which may complete a stop. */
  readonly onPositionsClosed?: (agentId: AgentId) => void;
}

const NOTHING: SetUpFacts = { isAttached: false, marketOfTradingKey: null };

/**
 * Stores a change of an agent's custody, then tells its owner's pages what to read again. Returns whether it was news.
 */
export async function commit(
  deps: SettleDeps,
  { agentId, owner }: Pick<CustodyRow, "agentId" | "owner">,
  change: CustodyChange,
): Promise<boolean> {
  if (!(await commitChange(deps.db, { agentId, owner }, change))) return false;
  const { transaction, ownerEntries: [entry] = [] } = change;
  if (transaction?.row.intent === "close-positions" && transaction.ending?.state === "confirmed") {
    deps.onPositionsClosed?.(agentId);
  }
  if (entry !== undefined) deps.publisher.publish(owner, { topic: "trade-log", id: entry.chatId });
  for (const topic of change.stale) deps.publisher.publish(owner, { topic, id: agentId });
  return true;
}

/** Records the state of a set-up on chain, whoever caused it. */
export async function syncSetUp(
  deps: SettleDeps,
  agentId: AgentId,
  owner: OwnerAddress,
): Promise<void> {
  const setUp = await readSetUp(
    findContext(deps.networks, await findCustodyAgent(deps.db, agentId)),
  );
  const atMs = deps.clock.now();
  await commit(deps, { agentId, owner }, { atMs, setUp, stale: ["custody", "agent"] });
}

/**
 * Returns what the end of a transaction changes, with all consequences for its agent. `landed`: its effects on chain
 * when it landed successfully.
 */
export async function settle(
  deps: SettleDeps,
  row: CustodyRow,
  ending: Ending,
  landed?: TransactionOutcome,
): Promise<CustodyChange> {
  const atMs = deps.clock.now();
  const ended = (as: Ending): CustodyChange => ({
    atMs,
    transaction: { row, ending: as },
    stale: ["custody", "agent", "position"],
  });
  if (ending.state !== "confirmed") return ended(ending);
  const context = findContext(deps.networks, await findCustodyAgent(deps.db, row.agentId));
  let setUp = NOTHING;
  try {
    if (row.intent === "set-up" || row.intent === "update-limits") setUp = await readSetUp(context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "multisig_mismatch") throw error;
    if (row.intent === "set-up") {
      return ended({ ...ending, state: "failed", reason: error.message });
    }
  }
  return {
    ...ended(ending),
    ...consequences(row, setUp),
    ...(context !== null && landed !== undefined && ownerEntriesOf(context, landed, atMs)),
  };
}

function consequences({ intent }: CustodyRow, setUp: SetUpFacts): Partial<CustodyChange> {
  switch (intent) {
    case "set-up":
      return {
        setUp,
        ...(setUp.marketOfTradingKey !== null && { deletion: "taken_back" }),
      };
    case "update-limits":
      return { setUp, usesVault: true };
    case "delete":
      return { deletion: "begun", usesVault: true };
    case "deposit":
      return { isDeposit: true, usesVault: true };
    case "revoke":
      return { isRevocation: true, usesVault: true };
    default:
      return { usesVault: true };
  }
}

/**
 * Reads the state of an agent's set-up on chain. Throws `multisig_mismatch` for a multisig of another configuration.
 */
async function readSetUp(context: CustodyContext | null): Promise<SetUpFacts> {
  if (context === null) return NOTHING;
  const state = await readCustody(context);
  if (state.multisig === null) return NOTHING;
  const remaining = await readVenueSetUp(context);
  return {
    isAttached: true,
    marketOfTradingKey: remaining.length === 0 ? context.agent.marketId : null,
  };
}
