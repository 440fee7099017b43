import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import {
  type BudgetRefusal,
  endOrders,
  type EndedSignature,
  type OrderToSign,
  refuseNumber,
  refuseOrder,
  REFUSED_EXIT_MS,
  type SignatureKind,
  type SignedEnd,
  withEnded,
  worstEntryCost,
} from "../../../domain/order/signing-budget.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import {
  countForgotten,
  type OpenRow,
  readSignedSums,
  recordSignature,
} from "../../store/signer/signatures.ts";
import type { SignedTransaction } from "../account/trading-key-signer.ts";

/** Signatures of a key that are looked for on the chain after a restore; more than these use up the day. */
const MAX_FORGOTTEN = 1_000;

const DAY_MS = 86_400_000;

/** Slots may have been this many times as fast over the day as the chain measured them over the last minutes. */
const FASTER = 2;

/** Returns the slot to look back to: of the last signature the ledger has, at most a day before the present one. */
function lastDay(present: bigint, known: bigint, slotMs: number): bigint {
  const begun = present - BigInt(Math.ceil((FASTER * DAY_MS) / slotMs));
  return known > begun ? known : begun > 0n ? begun : 0n;
}

/** One signature that the limits admit. */
export interface LedgerRequest {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly chain: Chain;
  readonly account: VenueAccount;
  readonly slippageBps: number;
  /** Null for what is no order. */
  readonly order: OrderToSign | null;
  readonly lamports: bigint;
}

/** Where signatures are counted before they leave the signer. */
export interface SigningLedger {
  /**
   * Signs and writes the signature down before it returns it, or says why it is beyond the agent's budgets. The caller
   * asks for one agent at a time.
   */
  sign(
    request: LedgerRequest,
    make: () => SignedTransaction,
  ): Promise<SignedTransaction | BudgetRefusal>;
}

/** Returns how an order ended; an exit that was refused as too wide fails after a while. */
async function endOf(row: OpenRow, chain: Chain, nowMs: number): Promise<SignedEnd> {
  if (row.lifetime === null) {
    return { kind: nowMs - row.signedAtMs >= REFUSED_EXIT_MS ? "failed" : "pending" };
  }
  const signature = row.id as SignedTransaction["signature"];
  const answer = await askSignature(chain, { signature, ...row.lifetime });
  if (answer.kind !== "landed") return { kind: answer.kind === "expired" ? "failed" : "pending" };
  const { error, slot } = answer.status;
  return error === null ? { kind: "landed", slot } : { kind: "failed" };
}

/** Reads the sums, after counting what a restored backup forgot: each signature as the agent's worst entry. */
async function readSums(pool: Pool, request: LedgerRequest, nowMs: number) {
  const { agentId, network, chain, account, slippageBps, order } = request;
  const read = () => readSignedSums(pool, agentId, network, nowMs);
  const sums = await read();
  if (order === null || sums.forgotSince === null) return sums;
  try {
    const sinceSlot = lastDay(order.account.slot, sums.forgotSince, await chain.slotDurationMs());
    const signed = await chain.signaturesFor(account.tradingKey, MAX_FORGOTTEN, { sinceSlot });
    const cost = worstEntryCost(order.account.worth, slippageBps);
    await countForgotten(pool, { agentId, signed, cost, nowMs });
    return await read();
  } catch (error) {
    if (order.kind === "exit" && error instanceof ChainUnavailableError) return sums;
    throw error;
  }
}

/** Returns which open orders ended; only an order brings a reading of the account to tell by. */
async function findEnded(
  open: readonly OpenRow[],
  { order, chain }: LedgerRequest,
  nowMs: number,
): Promise<readonly EndedSignature[]> {
  if (order === null) return [];
  const ends = open.map(async (row) => [row.id, await endOf(row, chain, nowMs)] as const);
  return endOrders(open, new Map(await Promise.all(ends)), order.account);
}

/** Ledger of a signer in PostgreSQL: what one process of it wrote down, every later one counts. */
export function createSigningLedger({
  pool,
  clock,
}: {
  readonly pool: Pool;
  readonly clock: Clock;
}): SigningLedger {
  return {
    async sign(request, make) {
      const { agentId, network, slippageBps, order, lamports } = request;
      const nowMs = clock.now();
      const kind: SignatureKind = order?.kind ?? "upkeep";
      const read = await readSums(pool, request, nowMs);
      const beyond = refuseNumber(kind, lamports, read);
      if (beyond !== null) return beyond;
      const ended = await findEnded(read.open, request, nowMs);
      const sums = withEnded(read, ended);
      const refusal = order === null ? null : refuseOrder(order, sums, { slippageBps, nowMs });
      const row = { agentId, network, kind, ...figuresOf(order), signedAtMs: nowMs };
      if (refusal?.exitLimitBps !== undefined && sums.open.every(({ isSigned }) => isSigned)) {
        const id = `wider:${agentId}:${nowMs}`;
        const asked = { ...row, id, cost: 0n, baseSize: 0n, lamports: 0n, lifetime: null };
        await recordSignature(pool, asked, ended);
      }
      if (refusal !== null) return refusal;
      const signed = make();
      const { signature: id, lastValidBlockHeight, blockhashSlot } = signed;
      const lifetime = { lastValidBlockHeight, blockhashSlot };
      await recordSignature(pool, { ...row, id, lamports, lifetime }, ended);
      return signed;
    },
  };
}

const figuresOf = (order: OrderToSign | null) => ({
  marketId: order?.marketId ?? "",
  baseSize: order?.baseSize ?? 0n,
  notional: order?.notional ?? 0n,
  cost: order?.cost ?? 0n,
  before: { cash: order?.account.cash ?? 0n, positions: order?.account.positions ?? {} },
});
