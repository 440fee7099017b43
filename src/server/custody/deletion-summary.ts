import type * as z from "zod/mini";
import type { deletion } from "../../contract/custody.ts";
import { AppError, isAppError } from "../../contract/errors.ts";
import { formatDecimal, formatFixed } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { finalExpirySeconds } from "../../solana/blockhash-life.ts";
import { listUnsettled, sumRecoveredLamports } from "../store/custody/custody.ts";
import { findCustodyAgent, markClosed } from "../store/custody/multisigs.ts";
import { hasOpenOrders } from "../store/orders/orders.ts";
import { type CustodyContext, findContext } from "./account/custody-context.ts";
import { LAMPORT_DECIMALS, vaultReserve } from "./account/custody-limits.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { askChain } from "./explain-chain.ts";
import { listDeletionSteps, requireDeletable } from "./plans/plan-delete.ts";
import { type CustodyState, readCustody } from "./account/read-custody.ts";
import {
  type DeletionFacts,
  isCleared,
  readDeletion,
  keptSentence,
} from "./plans/read-deletion.ts";
import type { SettleDeps } from "./settle-transaction.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";

type Deletion = z.infer<typeof deletion>;

const NOTHING: Deletion = {
  state: "cleared",
  refusal: null,
  steps: [],
  recoverableLamports: "0",
  recoveredLamports: "0",
  keptLamports: "0",
  unrecoverableLamports: "0",
  warnings: [],
};

/** Decimals of SOL in texts about a recovery. */
const RECOVERED_PLACES = 6;

/**
 * Returns the state of an agent's deletion on chain: the reason it is refused, the steps left to sign, and the amounts
 * recovered.
 */
export async function summariseDeletion(deps: SettleDeps, agentId: AgentId): Promise<Deletion> {
  const agent = await findCustodyAgent(deps.db, agentId);
  if (agent === null) throw new AppError("not_found");
  const context = findContext(deps.networks, agent);
  if (context === null) return NOTHING;
  const state = await askChain(() => readCustody(context));
  if (state.multisig === null) return NOTHING;
  const facts = await askChain(() => readDeletion(context, state));
  const { venue } = context;
  const recovered = await sumRecoveredLamports(deps.db, agentId);
  const isDone = isCleared(facts, state, venue.instance.quote.decimals);
  const refusal = await findRefusal(deps, context, facts);
  const steps = await askChain(() => listDeletionSteps(context, facts));
  const rent = facts.isKept ? 0n : facts.custody.heldLamports;
  const reserve = vaultReserve(state.rents.floor);
  const inVault = state.vaultLamports + state.vaultQuoteLamports + rent;
  const recoverable = inVault > reserve ? inVault - reserve : 0n;
  return {
    state: refusal !== null ? "refused" : isDone ? "cleared" : "open",
    refusal,
    steps: [
      ...steps.map(({ label }) => label),
      ...(facts.recovery === null && rent > 0n ? ["Recover the vault's SOL"] : []),
    ],
    recoverableLamports: recoverable.toString(),
    recoveredLamports: recovered.toString(),
    keptLamports: reserve.toString(),
    unrecoverableLamports: (
      state.multisigLamports +
      (facts.custody.unrecoverableLamports ?? state.rents.venueUnrecoverable) +
      (facts.custody.deletableAtMs === "never" ? facts.custody.heldLamports : 0n)
    ).toString(),
    warnings: warningsOf(context, state, facts, recovered),
  };
}

async function findRefusal(
  deps: SettleDeps,
  context: CustodyContext,
  facts: DeletionFacts,
): Promise<string | null> {
  try {
    requireDeletable(context, facts, await hasOpenOrders(deps.db, context.agent.agentId));
    return null;
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}

function warningsOf(
  { venue }: CustodyContext,
  state: CustodyState,
  facts: DeletionFacts,
  recovered: bigint,
): string[] {
  const { symbol, decimals } = venue.instance.quote;
  return [
    ...(recovered > 0n
      ? [
          `Recovered ${formatFixed(recovered, LAMPORT_DECIMALS, RECOVERED_PLACES, "floor")} SOL from multisig vault`,
        ]
      : []),
    ...(facts.isKept ? [keptSentence(VENUE_PROFILES[venue.id], facts.custody)] : []),
    ...(state.vaultQuote > 0n
      ? [`Small dust in the vault: ${formatDecimal(state.vaultQuote, decimals)} ${symbol}`]
      : []),
  ];
}

/**
 * Throws while a wallet may still send a transaction that grants the trading key new rights. Every other prepared
 * transaction either used the multisig's next index, which emptying the vault has consumed, or needs our own signature.
 */
async function requireNothingToCome(
  { db }: SettleDeps,
  { agent: { agentId }, runtime }: CustodyContext,
): Promise<void> {
  const mayGrant = (await listUnsettled(db, agentId)).some(({ intent, expects }) => {
    const { vaultTransaction, needsCoSigner } = decodeExpectation(expects);
    const isGrant = intent === "set-up" || intent === "update-limits";
    return isGrant && vaultTransaction === null && !needsCoSigner;
  });
  if (!mayGrant) return;
  const seconds = finalExpirySeconds(await askChain(() => runtime.chain.slotDurationMs()));
  throw new AppError("transaction_open", {
    message: `A transaction prepared for this agent could still be signed. Please try again in ${seconds} seconds.`,
  });
}

/**
 * Closes an agent's custody in the records once the chain shows that nothing is reachable only through them.
 *
 * Throws an error that names the remaining step; an agent without custody on chain passes.
 */
export async function closeCustody(deps: SettleDeps, agentId: AgentId): Promise<void> {
  const agent = await findCustodyAgent(deps.db, agentId);
  const context = agent === null ? null : findContext(deps.networks, agent);
  if (context === null) return;
  const state = await askChain(() => readCustody(context));
  if (state.multisig === null) return;
  await requireNothingToCome(deps, context);
  const facts = await askChain(() => readDeletion(context, state));
  requireDeletable(context, facts, await hasOpenOrders(deps.db, agentId));
  if (!isCleared(facts, state, context.venue.instance.quote.decimals)) {
    throw new AppError("funds_remaining", {
      message:
        "The agent still has custody on chain. Please finish recovering its SOL first; nothing is lost.",
    });
  }
  await markClosed(deps.db, agentId);
}
