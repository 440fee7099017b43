import { AppError, isAppError, found } from "../../contract/errors.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { LatestBlockhash } from "../../solana/chain.ts";
import type { OwnerVersion } from "../../solana/transaction.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import { countSteps, findOpenCustodyRow } from "../store/custody/custody.ts";
import { insertCustodyFlag } from "../store/custody/custody-notices.ts";
import { findCustodyAgent, planMultisig, moveToAccountNumber } from "../store/custody/multisigs.ts";
import { hasOpenOrders } from "../store/orders/orders.ts";
import { type CompiledPlan, compilePlan } from "./compile-plan.ts";
import {
  type CustodyContext,
  findContext,
  findHome,
  sinceNewestFill,
} from "./account/custody-context.ts";
import type { PublicKeys } from "./account/custody-keys.ts";
import { askChain } from "./explain-chain.ts";
import type { CustodyFollower } from "./follower.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { type CustodyPlan, requireWallet, wrapVaultStep } from "./plans/custody-plan.ts";
import { planDelete } from "./plans/plan-delete.ts";
import { planSetUp } from "./plans/plan-set-up.ts";
import {
  planDeposit,
  planRevoke,
  planWithdraw,
  NO_MONEY_MOVED,
  isEmpty,
  requireNoOrder,
  singleStepPlan,
} from "./plans/plan-transfer.ts";
import { readCustody, readVenueSetUp, type CustodyState } from "./account/read-custody.ts";
import { type SettleDeps, syncSetUp } from "./settle-transaction.ts";
import { type Prepared, storePrepared } from "./store-prepared.ts";
import { parseDecimal } from "../../domain/amount.ts";
import { OWNER_UNIT_PRICE_MICRO_LAMPORTS, WALLET_LAMPORTS } from "./account/custody-limits.ts";
import { NoRouteError } from "../../venues/plan-step.ts";

/**
 * Returns the context with the number at which the agent's exchange account exists or can be opened, recorded where it
 * changed.
 *
 * A venue never reuses a number: after a deletion the agent restarts at the next one, unfunded and turned off. Reason:
 * `docs/decisions/040-account-numbers-only-grow.md`.
 */
async function withAccountNumber(
  deps: SettleDeps,
  context: CustodyContext,
): Promise<CustodyContext> {
  const { account, agent, venue } = context;
  const number = (await venue.accountNumber?.(account)) ?? account.subAccountId;
  if (number === account.subAccountId) return context;
  const at = new Date(deps.clock.now());
  await moveToAccountNumber(deps.db, agent.agentId, { from: account.subAccountId, to: number, at });
  const next = findContext(deps.networks, await findCustodyAgent(deps.db, agent.agentId));
  if (next === null) throw new Error(`Agent ${agent.agentId} lost its custody`);
  deps.publisher.publish(agent.owner, { topic: "agent", id: agent.agentId });
  return next;
}

export interface PrepareDeps extends SettleDeps {
  readonly keys: PublicKeys;
  readonly follower: CustodyFollower;
  readonly random: RandomBytes;
}

export interface PrepareRequest {
  readonly agentId: AgentId;
  readonly intent: CustodyIntent;
  /** Whole quote units as entered. */
  readonly amount?: string | undefined;
  /** The single asset to move; all of them when absent. */
  readonly market?: string | undefined;
  /** Transaction versions the wallet supports; only version 0 when absent. */
  readonly versions?: readonly ("legacy" | OwnerVersion)[] | undefined;
}

const LIMITS_FIRST =
  "The trading key's spending limits do not fit the agent's asset. Please update them first.";

const KEY_WITHDRAWN =
  "The operator withdrew this agent's trading key. It can be approved again once the operator has given the agent another one.";

/** A plan with its compiled bytes. */
interface Ready {
  readonly plan: CustodyPlan;
  readonly compiled: CompiledPlan;
  readonly lifetime: LatestBlockhash;
}

/**
 * Prepares the next transaction of an intent from the chain's present state; null when nothing is left to sign.
 *
 * The transaction is stored before it is returned, one at a time per agent. Throws `AppError` for every refusal.
 */
export async function prepareTransaction(
  deps: PrepareDeps,
  request: PrepareRequest,
): Promise<Prepared | null> {
  const agent = found(await findCustodyAgent(deps.db, request.agentId));
  // Transactions that landed unnoticed must be recorded before planning
  await deps.follower.follow(agent.agentId);
  const open = await findOpenCustodyRow(deps.db, agent.agentId);
  if (open?.state === "sent") throw new AppError("transaction_open");
  const context = await requireContext(deps, request);
  const ready = await compileFor(deps, context, request);
  if (ready === null) {
    if (request.intent === "set-up")
      await askChain(() => syncSetUp(deps, agent.agentId, agent.owner));
    return null;
  }
  return handOut(deps, context, request.intent, ready);
}

/**
 * Compiles in version 1 where the wallet supports it; falls back to version 0 when a node cannot read version 1 or the
 * plan does not fit.
 */
async function compileFor(
  deps: PrepareDeps,
  context: CustodyContext,
  request: PrepareRequest,
): Promise<Ready | null> {
  if (request.versions?.includes(1) !== true) return compileIn(deps, context, request, 0);
  try {
    return await compileIn(deps, context, request, 1);
  } catch (error) {
    const isWorthRetrying =
      isAppError(error, "unavailable") || isAppError(error, "transaction_too_large");
    if (!isWorthRetrying) throw error;
    return compileIn(deps, context, request, 0);
  }
}

async function compileIn(
  deps: PrepareDeps,
  context: CustodyContext,
  request: PrepareRequest,
  version: OwnerVersion,
): Promise<Ready | null> {
  const plan = await askChain(async () =>
    makePlan(deps, await sinceNewestFill(deps.db, context), request, version),
  );
  if (plan === null) return null;
  const lifetime = await askChain(() => context.runtime.chain.latestBlockhash());
  return { lifetime, ...(await compileBest(deps, context, plan, lifetime, version)) };
}

// Read again after tracking: a landed transaction may have changed the agent
async function requireContext(
  deps: PrepareDeps,
  { agentId, intent }: PrepareRequest,
): Promise<CustodyContext> {
  let agent = found(await findCustodyAgent(deps.db, agentId));
  if (agent.multisig === null && intent === "set-up") {
    findHome(deps.networks, agent);
    const { multisig, vault, createKey, tradingKey } = await askChain(async () =>
      deps.keys.of(agentId),
    );
    await planMultisig(deps.db, {
      agentId: agent.agentId,
      multisig,
      vault,
      vaultIndex: 0,
      createKey: createKey.address,
      tradingKey: tradingKey.address,
      members: [agent.owner],
      threshold: 1,
      createdAt: new Date(deps.clock.now()),
    });
    agent = found(await findCustodyAgent(deps.db, agentId));
  }
  const context = findContext(deps.networks, agent);
  if (context === null) throw new AppError("multisig_missing");
  return context;
}

async function makePlan(
  deps: PrepareDeps,
  context: CustodyContext,
  { intent, amount, agentId, market }: PrepareRequest,
  version: OwnerVersion,
): Promise<CustodyPlan | null> {
  const state = await readCustody(context);
  const mayBeMissing = intent === "set-up" || intent === "delete";
  if (!mayBeMissing && state.multisig === null) throw new AppError("multisig_missing");
  if (context.record.status === "closed" && intent !== "delete" && intent !== "withdraw") {
    throw new AppError("conflict", {
      message: "This agent's custody was closed. Finish deleting it and create a new agent.",
    });
  }
  const isGrant = intent === "set-up" || intent === "update-limits";
  if (isGrant && context.record.keyRevokedAt !== null) {
    throw new AppError("conflict", { message: KEY_WITHDRAWN });
  }
  const hasOrders = () => hasOpenOrders(deps.db, agentId);
  /** Adds the signed steps to the step number shown to the owner: these plans count only the remaining ones. */
  const numbered = async (plan: CustodyPlan | null): Promise<CustodyPlan | null> => {
    if (plan === null) return null;
    const before = await countSteps(deps.db, agentId, intent);
    return { ...plan, step: before + plan.step, stepCount: before + plan.stepCount };
  };
  switch (intent) {
    case "set-up": {
      // The creation landed unnoticed, through another process or with its report lost
      if (state.multisig !== null && context.record.status === "planned") {
        await syncSetUp(deps, agentId, context.agent.owner);
      }
      const own = await withAccountNumber(deps, context);
      return planSetUp(own, state, await readVenueSetUp(own), version);
    }
    case "deposit": {
      if (context.record.status === "deleting") throw new AppError("being_deleted");
      const remaining = await readVenueSetUp(context);
      if (remaining.length > 0) {
        throw context.record.hasTradingKey && context.venue.planLimits !== undefined
          ? new AppError("conflict", { message: LIMITS_FIRST })
          : new AppError("multisig_missing");
      }
      return planDeposit(context, state, amount);
    }
    case "withdraw":
      return planWithdraw(context, state, amount, await hasOrders());
    case "close-positions":
      return numbered(await planClosePositions(context, state));
    case "move-assets":
      return numbered(await planMoveAssets(context, state, market, await hasOrders()));
    case "revoke":
      return planRevoke(context, state);
    case "delete":
      return numbered(await planDelete(context, state, await hasOrders()));
    case "update-limits":
      return planUpdateLimits(context, state, amount);
  }
}

/** Compiles the plan, what has to be signed before it, or its alternative together with the warning to the owner. */
async function compileBest(
  deps: PrepareDeps,
  context: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
  version: OwnerVersion,
): Promise<Pick<Ready, "plan" | "compiled">> {
  const compile = (each: CustodyPlan) => compileBest(deps, context, each, lifetime, version);
  try {
    return { plan, compiled: await askChain(() => compilePlan(context, plan, lifetime, version)) };
  } catch (error) {
    if (plan.whenTooLarge !== undefined && isAppError(error, "transaction_too_large"))
      return compile(plan.whenTooLarge);
    if (plan.orElse === undefined || !isAppError(error) || error.code === "unavailable")
      throw error;
    const { agentId, owner } = context.agent;
    const { plan: next, warning } = plan.orElse;
    const best = await compile(next);
    const flag = { agentId, owner, key: warning, text: warning, atMs: deps.clock.now() };
    await insertCustodyFlag(deps.db, "plan", flag);
    return best;
  }
}

function handOut(
  deps: PrepareDeps,
  context: CustodyContext,
  intent: CustodyIntent,
  { plan, compiled, lifetime }: Ready,
): Promise<Prepared> {
  const { symbol, decimals } = context.venue.instance.quote;
  return storePrepared(deps, context, {
    intent,
    step: plan.step,
    stepCount: plan.stepCount,
    label: plan.label,
    amount: plan.amount,
    message: compiled.message,
    tables: compiled.tables,
    expects: plan.expects,
    costs: {
      networkFeeLamports: compiled.networkFeeLamports.toString(),
      rentLamports: plan.costs.rentLamports.toString(),
      transferLamports: plan.costs.transferLamports.toString(),
      quoteAmount: plan.costs.quoteAmount.toString(),
      quoteSymbol: symbol,
      quoteDecimals: decimals,
      unrecoverable: (plan.costs.unrecoverable ?? []).map(({ what, lamports }) => ({
        what,
        lamports: lamports.toString(),
      })),
    },
    recoveredLamports: (plan.recoveredLamports ?? 0n).toString(),
    lifetime,
  });
}

/**
 * Plans replacing the trading key's spending limits in one transaction, or letting the venue's account take orders of the
 * agent's leverage, where that is what it bounds. `amountText` is in whole quote units a day;
 * when absent the amount is kept and only a changed asset is followed. Returns null when the limits are already
 * correct.
 */
async function planUpdateLimits(
  context: CustodyContext,
  state: CustodyState,
  amountText: string | undefined,
): Promise<CustodyPlan | null> {
  const { venue, account, agent } = context;
  if (state.multisig === null) throw new AppError("multisig_missing");
  const { decimals } = venue.instance.quote;
  const amount = amountText === undefined ? null : parseDecimal(amountText, decimals);
  if (amountText !== undefined && amount === null) throw new AppError("amount_invalid");
  const steps =
    amount === null
      ? (venue.planLeverage?.(account) ?? venue.planSetUp(account, agent.name))
      : venue.planLimits?.(account, amount).catch((error: unknown) => {
          if (error instanceof RangeError) {
            throw new AppError("amount_invalid", { message: `${error.message}.` });
          }
          throw error;
        });
  if (steps === undefined) {
    throw new AppError("conflict", { message: "Not available on this venue." });
  }
  const [step] = await steps;
  if (step === undefined) return null;
  const rentLamports = step.ownerRentLamports ?? 0n;
  requireWallet(state, WALLET_LAMPORTS + rentLamports);
  return {
    step: 1,
    stepCount: 1,
    label: step.label,
    amount: null,
    ...wrapVaultStep(step, account, state.multisig.transactionIndex),
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    isEntry: true,
    costs: {
      rentLamports,
      transferLamports: 0n,
      quoteAmount: 0n,
    },
  };
}

const MOVE_INSTEAD = "You can move it to your wallet instead.";

/**
 * Plans closing every position with the owner's own authority, then settling the PnL. Returns null when there is
 * nothing to do. Throws `no_route` when no route trades an open asset.
 */
export async function planClosePositions(
  context: CustodyContext,
  state: CustodyState,
): Promise<CustodyPlan | null> {
  requireWallet(state, WALLET_LAMPORTS);
  const { venue, account } = context;
  const closing = await venue.planClose(account).catch((error: unknown): never => {
    if (!(error instanceof NoRouteError)) throw error;
    throw new AppError("no_route", { message: `${error.message} ${MOVE_INSTEAD}` });
  });
  if (!isEmpty(closing)) {
    const rentLamports = closing.ownerRentLamports ?? 0n;
    requireWallet(state, WALLET_LAMPORTS + rentLamports);
    const plan = singleStepPlan(context, state, closing, { ...NO_MONEY_MOVED, rentLamports });
    if (venue.planMoveOut === undefined)
      return { ...plan, stepCount: 2 + (closing.followedBy ?? 0) };
    // Tokens are sold one by one, without a settlement
    const stepCount = (await venue.accountState(account)).positions.length;
    return { ...plan, stepCount, wayOut: MOVE_INSTEAD };
  }
  const settling = await venue.planSettle(account);
  if (isEmpty(settling)) return null;
  return singleStepPlan(context, state, settling, NO_MONEY_MOVED);
}

/**
 * Plans moving assets unsold from the vault to the owner's wallet, one per transaction; `marketId` selects a single
 * one. Returns null when the vault holds none. Refused while trading is on or an order is open.
 */
async function planMoveAssets(
  context: CustodyContext,
  state: CustodyState,
  marketId: string | undefined,
  isOrderOpen: boolean,
): Promise<CustodyPlan | null> {
  const { agent, venue, account } = context;
  if (venue.planMoveOut === undefined) {
    throw new AppError("conflict", { message: "Not available on this venue." });
  }
  if (agent.autoTrade !== "off") throw new AppError("withdraw_while_on");
  requireNoOrder(isOrderOpen);
  const step = await venue.planMoveOut(account, marketId);
  if (isEmpty(step)) return null;
  const rentLamports = step.ownerRentLamports ?? 0n;
  requireWallet(state, WALLET_LAMPORTS + rentLamports);
  const plan = singleStepPlan(context, state, step, { ...NO_MONEY_MOVED, rentLamports });
  if (marketId !== undefined) return plan;
  const { assets = [] } = await venue.readCustody(account);
  return { ...plan, stepCount: assets.length };
}
