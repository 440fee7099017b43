import type { Address } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import type { Simulation } from "../../../solana/chain.ts";
import { measureCompute, withComputeLimit } from "../../../solana/compute-limit.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { OrderTransaction } from "../../../venues/placed-order.ts";
import type { SigningPurpose } from "../../../venues/order-signing.ts";
import {
  orderFeeLamports,
  type SignedTransaction,
} from "../../custody/account/trading-key-signer.ts";
import { bidPriorityFee } from "./bid-priority-fee.ts";
import type { TradingAgent, TradingDeps } from "./order-context.ts";

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
}

/** Signed bytes and the result of their simulation; null when no node answered. */
export interface SignedOrder {
  readonly signed: SignedTransaction;
  readonly simulation: Simulation | null;
  /** Fee the fee payer offers for it, in lamports. */
  readonly feeLamports: bigint;
}

/** Signs the instructions a venue built, with the compute limit and unit price they need now. */
export async function signOrder(
  deps: Pick<TradingDeps, "signer">,
  { agentId, purpose, account, isUrgent, runtime, feeFactor: factor }: SigningFor,
  { instructions, tables }: OrderTransaction,
): Promise<SignedOrder> {
  const { chain, priorityFee: policy, venue } = runtime;
  const own = venue.ownAddresses(account);
  const { feePayer } = deps.signer;
  const [lifetime, compute, bidding] = await Promise.all([
    chain.latestBlockhash(),
    measureCompute(chain, { feePayer, instructions, tables }),
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
