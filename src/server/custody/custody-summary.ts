import type * as z from "zod/mini";
import type { getCustody } from "../../contract/custody.ts";
import { AppError, isAppError } from "../../contract/errors.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { VenueInstance } from "../../venues/venue.ts";
import { type CustodyRow, findOpenCustodyRow } from "../store/custody/custody.ts";
import type { MultisigRecord } from "../store/agents/agents.ts";
import { type CustodyAgent, findCustodyAgent } from "../store/custody/multisigs.ts";
import { findContext, findHome } from "./account/custody-context.ts";
import { formatSol, VAULT_FUNDING_LAMPORTS, VAULT_MIN_LAMPORTS } from "./account/custody-limits.ts";
import { type CustodyState, readCustody, readVenueSetUp } from "./account/read-custody.ts";
import { showCustody } from "./show-custody.ts";
import { readOwner } from "./account/read-owner.ts";
import { readRents, type Rents } from "./account/read-rents.ts";
import { type SettleDeps, syncSetUp } from "./settle-transaction.ts";

type Summary = z.infer<typeof getCustody.response>;
type Step = Summary["steps"][number];

/** State read from the chain, or null where it could not be read. */
interface Seen {
  readonly state: CustodyState | null;
  readonly hasTradingKey: boolean;
}

/**
 * Summarises an agent's custody: recorded state, set-up steps checked against the chain, and balances where readable.
 */
export async function summariseCustody(deps: SettleDeps, agentId: AgentId): Promise<Summary> {
  const agent = await findCustodyAgent(deps.db, agentId);
  if (agent === null) throw new AppError("not_found");
  const { runtime, venue } = findHome(deps.networks, agent);
  const open = await findOpenCustodyRow(deps.db, agentId);
  const seen = await see(deps, agent);
  const rents = seen.state?.rents ?? (await findRents(runtime.chain, venue.instance));
  const owner =
    seen.state === null && agent.multisig === null
      ? await readOwner(runtime.chain, agent.owner, venue.instance.quote.mint)
      : seen.state;
  const { decimals, symbol } = venue.instance.quote;
  // The read above may have attached the custody
  const record = (await findCustodyAgent(deps.db, agentId))?.multisig ?? null;
  const isSigned = record !== null && (record.status !== "planned" || open?.state === "sent");
  return {
    multisig: isSigned ? showCustody(deps.networks, { ...agent, multisig: record }, record) : null,
    steps: steps(record, seen, open),
    vaultLamports: seen.state?.vaultLamports.toString() ?? null,
    ownerLamports: owner?.ownerLamports.toString() ?? null,
    ownerQuote: owner === null ? null : formatDecimal(owner.ownerQuote, decimals),
    quoteSymbol: symbol,
    unrecoverableLamports: unrecoverable(rents, seen.state),
    openTransactionId: open?.id ?? null,
  };
}

async function findRents(chain: Chain, instance: VenueInstance): Promise<Rents | null> {
  try {
    return await readRents(chain, instance);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

/** Returns the unrecoverable rent: the balance of an existing multisig, or the current rent of one not yet created. */
function unrecoverable(rents: Rents | null, state: CustodyState | null): string | null {
  if (rents === null) return null;
  const held = state?.multisigLamports ?? 0n;
  return ((held === 0n ? rents.multisig : held) + rents.venueUnrecoverable).toString();
}

async function see(deps: SettleDeps, agent: CustodyAgent): Promise<Seen> {
  const context = findContext(deps.networks, agent);
  const recorded = agent.multisig?.hasTradingKey ?? false;
  if (context === null) return { state: null, hasTradingKey: false };
  try {
    const state = await readCustody(context);
    if (state.multisig === null) return { state, hasTradingKey: false };
    const hasTradingKey = recorded || (await readVenueSetUp(context)).length === 0;
    const isNews = context.record.status === "planned" || hasTradingKey !== recorded;
    if (isNews) await syncSetUp(deps, agent.agentId, agent.owner);
    return { state, hasTradingKey };
  } catch (error) {
    const isUnreadable = error instanceof ChainUnavailableError;
    if (!isUnreadable && !isAppError(error, "multisig_mismatch")) throw error;
    return { state: null, hasTradingKey: recorded };
  }
}

function steps(record: MultisigRecord | null, seen: Seen, open: CustodyRow | null): Step[] {
  const isCreated =
    seen.state === null
      ? record !== null && record.status !== "planned"
      : seen.state.multisig !== null;
  const isFunded =
    seen.hasTradingKey ||
    (isCreated && (seen.state === null || seen.state.vaultLamports >= VAULT_MIN_LAMPORTS));
  const openStep = open?.intent === "set-up" ? open.step : 0;
  const isWhole = openStep === 1 && open?.stepCount === 1;
  const step = (label: string, isDone: boolean, isOpen: boolean): Step => ({
    label,
    state: isDone ? "done" : isOpen ? "open" : "todo",
  });
  return [
    step("Create the custody wallet", isCreated, openStep === 1),
    step(`Fund the vault (${formatSol(VAULT_FUNDING_LAMPORTS)})`, isFunded, openStep === 1),
    step("Delegate trading control", seen.hasTradingKey, isWhole || openStep > 1),
  ];
}
