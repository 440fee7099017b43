import type { CustodyAccess } from "../../contract/custody.ts";
import { AppError, found } from "../../contract/errors.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { VenueCustody, VenueLimit } from "../../venues/ports.ts";
import {
  clearCustodyFlag,
  type CustodyNotice,
  listCustodyNotices,
} from "../store/custody/custody-notices.ts";
import { findCustodyAgent, saveKeyState } from "../store/custody/multisigs.ts";
import { type CustodyContext, findContext, sinceNewestFill } from "./account/custody-context.ts";
import { type CustodyState, readCustody } from "./account/read-custody.ts";
import type { Db } from "../store/postgres/db.ts";
import type { SettleDeps } from "./settle-transaction.ts";
import type { KeyState } from "../../domain/agent-health.ts";

/** Maximum number of notices shown to an owner. */
const NOTICE_LIMIT = 20;

interface Seen {
  readonly state: CustodyState;
  readonly custody: VenueCustody;
  readonly venueQuote: bigint;
}

/** Returns who can move an agent's funds, read from the chain where possible; null before a custody exists. */
export async function summariseAccess(
  deps: SettleDeps,
  agentId: AgentId,
): Promise<CustodyAccess | null> {
  const agent = found(await findCustodyAgent(deps.db, agentId));
  const context = findContext(deps.networks, agent);
  if (context === null || context.record.status === "planned") return null;
  const seen = await see(deps.db, context);
  const keyState = seen === null ? "unknown" : keyStateOf(context, seen.custody);
  // The line of the agent's health shows the same key, from the last reading
  if (keyState !== "unknown" && (await saveKeyState(deps.db, agentId, keyState))) {
    deps.publisher.publish(agent.owner, { topic: "custody", id: agentId });
  }
  const { account, venue } = context;
  const { symbol, decimals } = venue.instance.quote;
  const listed = await listCustodyNotices(deps.db, agentId, NOTICE_LIMIT);
  const notices =
    seen === null ? listed : await dropOverdueFlags(deps, context, seen.custody, listed);
  const quote = (units: bigint | undefined): string | null =>
    units === undefined ? null : formatDecimal(units, decimals);
  const { unrecoverableWhat } = venue.instance;
  const unrecoverableLamports =
    seen === null
      ? 0n
      : (seen.custody.unrecoverableLamports ?? seen.state.rents.venueUnrecoverable);
  return {
    owner: agent.owner,
    multisig: account.multisig,
    vault: account.vault,
    tradingKey: account.tradingKey,
    tradingKeyOnChain: seen?.custody.tradingKey ?? null,
    tradingKeyState: keyState,
    vaultLamports: seen?.state.vaultLamports.toString() ?? null,
    vaultQuote: quote(seen?.state.vaultQuote),
    venueQuote: quote(seen?.venueQuote),
    quoteSymbol: symbol,
    assets:
      seen === null
        ? null
        : (seen.custody.assets ?? []).map(({ marketId, decimals, held }) => ({
            symbol: marketId,
            amount: formatDecimal(held, decimals),
          })),
    limits: seen === null ? null : (seen.custody.limits ?? []).map(presentLimit),
    ...(seen?.custody.leverage !== undefined && { leverageAllowed: seen.custody.leverage }),
    unrecoverable: [
      ...(seen === null
        ? []
        : [{ what: "Multisig account", lamports: seen.state.multisigLamports.toString() }]),
      ...(unrecoverableLamports > 0n
        ? [{ what: unrecoverableWhat, lamports: unrecoverableLamports.toString() }]
        : []),
    ],
    notices: notices.map(({ at, text }) => ({ at: at.toISOString(), text })),
  };
}

/** Clears flags that the state just read disproves, ahead of the next reconciliation. Returns the remaining ones. */
async function dropOverdueFlags(
  { db, clock }: SettleDeps,
  { agent, account, record }: CustodyContext,
  { tradingKey, excessPermissions = [] }: VenueCustody,
  notices: readonly CustodyNotice[],
): Promise<readonly CustodyNotice[]> {
  const over = [
    ...(tradingKey === account.tradingKey && record.keyRevokedAt === null
      ? ["custody", "key"]
      : []),
    ...(excessPermissions.length === 0 ? ["limits"] : []),
  ];
  const { agentId, owner } = agent;
  for (const kind of over.filter((each) => notices.some((notice) => notice.kind === each))) {
    await clearCustodyFlag(db, kind, { agentId, owner, atMs: clock.now() });
  }
  return notices.filter(({ kind }) => !over.includes(kind));
}

async function see(db: Db, known: CustodyContext): Promise<Seen | null> {
  try {
    const context = await sinceNewestFill(db, known);
    const { venue, account } = context;
    const [state, custody, figures] = await Promise.all([
      readCustody(context),
      venue.readCustody(account),
      venue.accountState(account),
    ]);
    return { state, custody, venueQuote: figures.portfolioValue };
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof AppError) return null;
    throw error;
  }
}

function presentLimit(limit: VenueLimit): NonNullable<CustodyAccess["limits"]>[number] {
  const { symbol, amount, remaining, decimals, period, destinations, account } = limit;
  return {
    symbol,
    amount: formatDecimal(amount, decimals),
    remaining: formatDecimal(remaining, decimals),
    period,
    destinations: [...destinations],
    account,
  };
}

/** Returns which key the venue currently authorises to trade for an agent. */
export function keyStateOf(context: CustodyContext, custody: VenueCustody): KeyState {
  if (isSetUpOpen(context, custody)) return "pending";
  if (custody.tradingKey === null) return "none";
  return custody.tradingKey === context.account.tradingKey ? "ours" : "foreign";
}

/** Returns whether the multisig exists but the venue's part of the set-up was never signed. */
export function isSetUpOpen({ agent, record }: CustodyContext, custody: VenueCustody): boolean {
  return custody.account === null && !record.hasTradingKey && agent.subAccountId === null;
}
