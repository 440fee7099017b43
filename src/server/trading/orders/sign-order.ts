import type { Address, Instruction } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import {
  type Chain,
  ChainUnavailableError,
  type Simulation,
  TransactionRefusedError,
} from "../../../solana/chain.ts";
import {
  measureCompute,
  withComputeLimit,
  MAX_UNIT_PRICE_MICRO_LAMPORTS,
  DEFAULT_PRIORITY_FEE,
  type PriorityFeePolicy,
  unitPriceOf,
  writableAccounts,
} from "../../../solana/compute-limit.ts";
import {
  readComputeUnitLimit,
  readComputeUnitPrice,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { OrderTransaction } from "../../../venues/placed-order.ts";
import type { SigningPurpose } from "../../../venues/order-signing.ts";
import {
  orderFeeLamports,
  type SignedTransaction,
} from "../../custody/account/trading-key-signer.ts";
import type { TradingAgent, TradingDeps } from "./order-context.ts";

/** Compute units up to which the fee for what is not used is worth less than the request that would tell. */
const CHEAP_UNITS = 300_000;

/** Signing context of an order: agent, network, venue and fee. */
export interface SigningFor {
  readonly agentId: AgentId;
  readonly purpose: SigningPurpose;
  readonly account: VenueAccount;
  /** False for an entry, which lets exits pass. */
  readonly isUrgent: boolean;
  readonly runtime: NonNullable<TradingAgent["runtime"]>;
  /** Multiplier of the usual priority fee. */
  readonly feeFactor: bigint;
  /** Whether it must be known before it is signed what it would do; the node it is sent to tries it anyway. */
  readonly isTried: boolean;
}

/** Signed bytes and the result of their simulation; null when it was not tried or no node answered. */
export interface SignedOrder {
  readonly signed: SignedTransaction;
  readonly simulation: Simulation | null;
  /** Fee the fee payer offers for it, in lamports. */
  readonly feeLamports: bigint;
}

/** Signs the instructions a venue built, with the compute limit and unit price they need now. */
export async function signOrder(
  deps: Pick<TradingDeps, "signer">,
  { agentId, purpose, account, isUrgent, runtime, feeFactor: factor, isTried }: SigningFor,
  { instructions, tables }: OrderTransaction,
): Promise<SignedOrder> {
  const { chain, priorityFee: policy, venue } = runtime;
  const own = venue.ownAddresses(account);
  const { feePayer } = deps.signer;
  const isCheap = instructions.some(
    (each) => (readComputeUnitLimit(each) ?? Infinity) <= CHEAP_UNITS,
  );
  const [lifetime, compute, bidding] = await Promise.all([
    chain.latestBlockhash(),
    isCheap && !isTried
      ? { units: null, simulation: null }
      : measureCompute(chain, { feePayer, instructions, tables }),
    bidPriorityFee(chain, instructions, { policy, factor, own }),
  ]);
  const wanted = withComputeLimit(bidding, compute);
  const signed = await deps.signer.sign({
    agentId,
    purpose,
    isUrgent,
    instructions: wanted,
    lifetime,
    ...(tables === undefined ? {} : { tables: Object.keys(tables) as Address[] }),
  });
  return { signed, simulation: compute.simulation, feeLamports: orderFeeLamports(wanted) };
}

/** Returns a node's refusal; null where none is known. The outcome is queried before anything else is sent. */
export async function sendQuietly(
  chain: Chain,
  { transaction }: { readonly transaction: Uint8Array },
): Promise<TransactionRefusedError | null> {
  try {
    await chain.send(transaction);
  } catch (error) {
    if (error instanceof TransactionRefusedError) return error;
    if (!(error instanceof ChainUnavailableError)) throw error;
  }
  return null;
}

interface Bid {
  readonly policy?: PriorityFeePolicy | undefined;
  /** Raises the price up to the policy's cap, for a retried exit. */
  readonly factor?: bigint;
  /** The agent's own accounts: nobody else writes them, and without them all orders of a market ask the same. */
  readonly own?: readonly Address[];
}

/**
 * Returns an order's instructions with the compute unit price that recent blocks charged for the accounts it writes.
 *
 * The venue's own price is the minimum, and is used when no estimate is available, so an order is never delayed.
 */
export async function bidPriorityFee(
  chain: Pick<Chain, "recentUnitPrices">,
  instructions: readonly Instruction[],
  { policy = DEFAULT_PRIORITY_FEE, factor = 1n, own = [] }: Bid = {},
): Promise<readonly Instruction[]> {
  const floor = instructions.map(readComputeUnitPrice).find((price) => price !== null);
  if (floor === undefined || floor === null) return instructions;
  const recent = await chain
    .recentUnitPrices(writableAccounts(instructions).filter((each) => !own.includes(each)))
    .catch((error: unknown): readonly bigint[] => {
      if (error instanceof ChainUnavailableError) return [];
      throw error;
    });
  const usual = unitPriceOf(recent, floor, policy);
  const wanted = raised(usual, factor, policy.capMicroLamports);
  // The signer's own maximum applies even where an operator set a higher cap
  const bid = setComputeUnitPrice(
    wanted < MAX_UNIT_PRICE_MICRO_LAMPORTS ? wanted : MAX_UNIT_PRICE_MICRO_LAMPORTS,
  );
  return instructions.map((each) => (readComputeUnitPrice(each) === null ? each : bid));
}

/** Returns the raised price; a venue price already above the cap is kept unchanged. */
function raised(usual: bigint, factor: bigint, cap: bigint): bigint {
  const wanted = usual * factor;
  if (wanted <= cap) return wanted;
  return usual > cap ? usual : cap;
}
