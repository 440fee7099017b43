import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import {
  endOrders,
  type EndedSignature,
  isBookOf,
  openOf,
  type SignedBook,
  type SignedEnd,
  type SignedRow,
  sumsOf,
  withEnded,
  withSigned,
} from "../../../domain/order/signed-book.ts";
import {
  type BudgetRefusal,
  type OrderToSign,
  refuseDeployment,
  refuseNumber,
  refuseOrder,
  REFUSED_EXIT_MS,
  type SignatureKind,
  worstEntryCost,
} from "../../../domain/order/signing-budget.ts";
import { utcDay } from "../../../domain/risk-ledger.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { countForgotten, readSignedBook, recordSignature } from "../../store/signer/signatures.ts";
import { createRecent } from "../account/recent.ts";
import type { SignedTransaction } from "../account/trading-key-signer.ts";

/** Signatures of a key that are looked for on the chain after a restore; more than these use up the day. */
const MAX_FORGOTTEN = 1_000;

/** Agents whose books are kept in memory. */
const MAX_BOOKS = 10_000;

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
  /** The request is written down only where this is still the digest of the agent's rows. */
  readonly agentDigest: string | null;
  /** Whether the agent was not read for this request: nothing is answered then but what is written down. */
  readonly isRemembered: boolean;
  readonly network: Network;
  readonly chain: Chain;
  readonly account: VenueAccount;
  readonly slippageBps: number;
  readonly leverage: number;
  /** Null for what is no order. */
  readonly order: OrderToSign | null;
  readonly lamports: bigint;
  /** The signature that it will have, and until when it can land. */
  readonly draft: Omit<SignedTransaction, "transaction">;
}

/** Where signatures are counted before they leave the signer. */
export interface SigningLedger {
  /** Reads what is written down of an agent, which is otherwise remembered. */
  read(agentId: AgentId): Promise<void>;
  /**
   * Completes the transaction once it is admitted and returns it once it is written down, or says why it is beyond the
   * agent's budgets; null where agent or ledger have changed meanwhile. The caller asks for one agent at a time.
   */
  sign(
    request: LedgerRequest,
    complete: () => Uint8Array,
  ): Promise<SignedTransaction | BudgetRefusal | null>;
}

/** Returns how an order ended; an exit that was refused as too wide fails after a while. */
async function endOf(row: SignedRow, chain: Chain, nowMs: number): Promise<SignedEnd> {
  if (row.lifetime === null) {
    return { kind: nowMs - row.signedAtMs >= REFUSED_EXIT_MS ? "failed" : "pending" };
  }
  const signature = row.id as SignedTransaction["signature"];
  const answer = await askSignature(chain, { signature, ...row.lifetime });
  if (answer.kind !== "landed") return { kind: answer.kind === "expired" ? "failed" : "pending" };
  const { error, slot } = answer.status;
  return error === null ? { kind: "landed", slot } : { kind: "failed" };
}

/** Returns which open orders ended; only an order brings a reading of the account to tell by. */
async function findEnded(
  open: readonly SignedRow[],
  { order, chain }: LedgerRequest,
  nowMs: number,
): Promise<readonly EndedSignature[]> {
  if (order === null) return [];
  const ends = open.map(async (row) => [row.seq, await endOf(row, chain, nowMs)] as const);
  return endOrders(open, new Map(await Promise.all(ends)), order.account);
}

/** Creates what is known of the deployment's fees of a day, by network and kind. */
function createKnownFees() {
  const known = new Map<string, { readonly day: string; readonly lamports: bigint }>();
  return {
    of(network: Network, kind: SignatureKind, day: string): bigint {
      const found = known.get(`${network} ${kind}`);
      return found?.day === day ? found.lamports : 0n;
    },
    keep(network: Network, kind: SignatureKind, day: string, lamports: bigint): void {
      // Answers may come in another order than the sums they hold
      if (lamports > this.of(network, kind, day))
        known.set(`${network} ${kind}`, { day, lamports });
    },
  };
}

/** Creates the books of agents in memory, each as it is committed, with what is known of the deployment's fees. */
function createBooks(pool: Pool) {
  const books = createRecent<AgentId, SignedBook>(MAX_BOOKS);
  const fees = createKnownFees();

  const read = async (agentId: AgentId, nowMs: number): Promise<SignedBook> => {
    const found = await readSignedBook(pool, agentId, nowMs);
    for (const { network, kind, lamports } of found.fees) {
      fees.keep(network, kind, utcDay(nowMs), lamports);
    }
    return books.set(agentId, found.book);
  };

  return {
    read,
    fees,
    /** Returns the agent's book, after counting what a restored backup forgot: each signature as its worst entry. */
    async of(request: LedgerRequest, nowMs: number): Promise<SignedBook> {
      const { agentId, chain, account, order } = request;
      const known = books.get(agentId);
      const book =
        known !== undefined && isBookOf(known, nowMs) ? known : await read(agentId, nowMs);
      if (order === null || book.forgotSince === null) return book;
      try {
        const sinceSlot = lastDay(
          order.account.slot,
          book.forgotSince,
          await chain.slotDurationMs(),
        );
        const signed = await chain.signaturesFor(account.tradingKey, MAX_FORGOTTEN, { sinceSlot });
        const cost = worstEntryCost(order.account.worth, request);
        await countForgotten(pool, { agentId, signed, cost, nowMs });
        return await read(agentId, nowMs);
      } catch (error) {
        if (order.kind === "exit" && error instanceof ChainUnavailableError) return book;
        throw error;
      }
    },
    /** Writes a row down behind a book; false where agent or book were no longer the newest. */
    async write(
      { agentId, agentDigest, network }: LedgerRequest,
      book: SignedBook,
      row: SignedRow,
      ended: readonly EndedSignature[],
    ): Promise<boolean> {
      // Whatever happens to the row, the book is read again unless it is known to be written
      books.delete(agentId);
      const written = { ...row, agentId, agentDigest, network };
      const lamports = await recordSignature(pool, book, written, ended);
      if (lamports === null) return false;
      fees.keep(network, row.kind, utcDay(row.signedAtMs), lamports);
      books.set(agentId, withSigned(book, row));
      return true;
    },
  };
}

/**
 * Ledger of a signer in PostgreSQL. What is committed of an agent that signs is also in memory, and a row is written only
 * where it follows the agent's newest one, so that several processes may sign.
 */
export function createSigningLedger(options: {
  readonly pool: Pool;
  readonly clock: Clock;
}): SigningLedger {
  const { clock } = options;
  const books = createBooks(options.pool);
  return {
    async read(agentId) {
      await books.read(agentId, clock.now());
    },

    async sign(request, complete) {
      const { network, order, lamports, draft, isRemembered } = request;
      const nowMs = clock.now();
      const kind: SignatureKind = order?.kind ?? "upkeep";
      const feesToday = () => books.fees.of(network, kind, utcDay(nowMs));
      const found = await books.of(request, nowMs);
      const beyond =
        refuseNumber(kind, lamports, sumsOf(found, nowMs)) ??
        refuseDeployment(kind, feesToday() + lamports);
      if (beyond !== null) return beyond;
      const ended = await findEnded(openOf(found, nowMs), request, nowMs);
      const book = withEnded(found, ended);
      const sums = sumsOf(book, nowMs);
      const refusal = order === null ? null : refuseOrder(order, sums, { ...request, nowMs });
      const row = { kind, ...figuresOf(order), seq: book.newest.seq + 1, signedAtMs: nowMs };
      if (refusal !== null) {
        const isWide = order?.kind === "exit" && refusal.limitBps !== undefined;
        if (!isWide || openOf(book, nowMs).some((each) => each.lifetime === null)) return refusal;
        const id = `wider:${request.agentId}:${nowMs}`;
        const asked = { ...row, id, cost: 0n, baseSize: 0n, lamports: 0n, lifetime: null };
        return (await books.write(request, book, asked, ended)) ? refusal : null;
      }
      const { signature: id, ...lifetime } = draft;
      const signed = { ...draft, transaction: complete() };
      // The same bytes again are written down already
      if (book.rows.some((each) => each.id === id)) return isRemembered ? null : signed;
      const signedRow = { ...row, id, lamports, lifetime };
      if (!(await books.write(request, book, signedRow, ended))) return null;
      // Other signers spend too: what went beyond is counted, and never leaves
      return refuseDeployment(kind, feesToday()) ?? signed;
    },
  };
}

const figuresOf = (order: OrderToSign | null) => ({
  marketId: order?.marketId ?? "",
  baseSize: order?.baseSize ?? 0n,
  notional: order?.notional ?? 0n,
  cost: order?.cost ?? 0n,
  outcome: null,
  before: { cash: order?.account.cash ?? 0n, positions: order?.account.positions ?? {} },
});
