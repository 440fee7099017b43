import type { Address, Blockhash, Signature } from "@solana/kit";
import type { Network } from "../domain/network.ts";
import type { NodeTrouble } from "../domain/agent-health.ts";
import type { InstructionErrorName, TransactionErrorName } from "./transaction-errors.ts";

/** One account on chain. `lamports` is the whole balance, rent included. */
export interface Account {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** Why one instruction failed. `code` is the program's own error number when it returned one. */
export interface InstructionError {
  readonly kind: "instruction";
  readonly name: InstructionErrorName;
  readonly instructionIndex?: number;
  readonly code?: number;
}

/**
 * Why a transaction was rejected, in the runtime's own terms: an instruction failed, or the transaction as a whole was
 * refused.
 */
export type TransactionError =
  | InstructionError
  | {
      readonly kind: "transaction";
      readonly name: TransactionErrorName;
      readonly instructionIndex?: undefined;
      readonly code?: undefined;
    };

/** Largest number of accounts a node returns per request. */
export const ACCOUNTS_PER_REQUEST = 100;

/** Largest number of signatures whose status a node returns per request. */
export const STATUSES_PER_REQUEST = 256;

export interface Simulation {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
}

export type Commitment = "processed" | "confirmed" | "finalized";

export interface SignatureStatus {
  readonly slot: bigint;
  readonly commitment: Commitment;
  readonly error: TransactionError | null;
}

/** Change of one token account within a transaction, in base units. */
export interface TokenDelta {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly delta: bigint;
}

/** Effects of a landed transaction. */
export interface TransactionOutcome {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds of the block, `null` when the node does not know it. */
  readonly blockTime: bigint | null;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly feeLamports: bigint;
  /** Fee payer; absent where it was not stored. */
  readonly feePayer?: Address;
  readonly lamportDeltas: ReadonlyMap<Address, bigint>;
  readonly tokenDeltas: readonly TokenDelta[];
}

export interface LatestBlockhash {
  readonly blockhash: Blockhash;
  /** Slot at which the node answered: a transaction with this blockhash cannot have landed earlier. */
  readonly slot: bigint;
  /** The last block height at which a transaction with this blockhash can land. */
  readonly lastValidBlockHeight: bigint;
}

/** Progress of a node: slot and height of the same block. */
export interface Progress {
  readonly slot: bigint;
  readonly blockHeight: bigint;
}

export interface SimulateOptions {
  /** Runs with the node's own latest blockhash in place of the transaction's. Default true. */
  readonly replaceBlockhash?: boolean;
}

export interface SearchOptions {
  /** Refuses an answer from a node that has not seen this slot yet. */
  readonly minSlot?: bigint;
}

export interface HistoryOptions extends SearchOptions {
  /** Leaves out transactions from before this slot. */
  readonly sinceSlot?: bigint;
  /** Lists transactions older than this one instead of starting with the newest. */
  readonly before?: Signature;
}

export interface ReadOptions {
  /** Refuses an answer from a node that has not seen this slot yet. */
  readonly minContextSlot?: bigint;
}

/**
 * The port to the chain: reads, simulation, sending, and status of signatures.
 *
 * Every call can throw `ChainUnavailableError`. After `send` throws it, the outcome is unknown: the transaction may
 * still land until its blockhash has expired at finality. `send` of bytes that already landed returns the signature.
 */
export interface Chain {
  readonly network: Network;
  genesisHash(): Promise<string>;
  accounts(
    addresses: readonly Address[],
    options?: ReadOptions,
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly (Account | null)[] }>;
  /**
   * Returns every account of a program with these bytes at the offset, in no order; `null` when the node does not
   * support listing accounts, as is common.
   */
  accountsOf(
    program: Address,
    holds: { readonly offset: number; readonly bytes: Uint8Array },
  ): Promise<readonly Account[] | null>;
  latestBlockhash(): Promise<LatestBlockhash>;
  /** Returns slot and block height in one answer. */
  progress(commitment: Commitment): Promise<Progress>;
  /**
   * Returns the first slot of the node's transaction history; the node cannot tell whether a transaction landed before
   * it.
   */
  historyStart(): Promise<bigint>;
  /** Runs the transaction against the current state without checking its signatures. */
  simulate(transaction: Uint8Array, options?: SimulateOptions): Promise<Simulation>;
  /** Sends signed wire bytes. Throws `TransactionRefusedError` when the node refused it before execution. */
  send(transaction: Uint8Array): Promise<Signature>;
  /** Searches the whole history, not only recent slots. `null`: this node has never seen the signature. */
  signatureStatuses(
    signatures: readonly Signature[],
    options?: SearchOptions,
  ): Promise<{ readonly slot: bigint; readonly statuses: readonly (SignatureStatus | null)[] }>;
  /**
   * `null` while the node does not have it. Throws `UnreadableTransactionError` for a transaction version this product
   * neither writes nor reads.
   */
  transaction(signature: Signature): Promise<TransactionOutcome | null>;
  /**
   * Returns the lowest unit price of each recent block for transactions that write these accounts, in micro-lamports
   * and in no order; empty without competition.
   */
  recentUnitPrices(writable: readonly Address[]): Promise<readonly bigint[]>;
  /** Returns the rent-exempt minimum of an account of that many bytes, in lamports, at the chain's present price. */
  minimumBalance(size: number): Promise<bigint>;
  /** Returns the recently measured slot duration in milliseconds. */
  slotDurationMs(): Promise<number>;
  /** Returns signatures of transactions that touched the address, newest first, at most `limit`. */
  signaturesFor(
    address: Address,
    limit: number,
    options?: HistoryOptions,
  ): Promise<readonly Signature[]>;
  /**
   * Runs the work with all its calls answered by one node, so that the answers are consistent as evidence.
   *
   * When the work throws `ChainUnavailableError`, it restarts with the next node.
   */
  withOneNode<T>(work: (node: Chain) => Promise<T>): Promise<T>;
}

/** The chain gave no usable answer. Retrying later may work; a send may or may not have landed. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
  /** Fault of the node that was asked, if the node is at fault. */
  readonly trouble: NodeTrouble | undefined;
  constructor(
    message: string,
    { trouble, ...options }: ErrorOptions & { readonly trouble?: NodeTrouble } = {},
  ) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** There is no price that anything could be traded at; the message says why. Asking later may work. */
export class PriceUnavailableError extends ChainUnavailableError {}

/**
 * The transaction has a version this product does not use: it was made by another party, and says nothing about our
 * transactions.
 */
export class UnreadableTransactionError extends Error {
  override readonly name = "UnreadableTransactionError";
}

/** The node refused the transaction before executing it: preflight, blockhash, signature or size. Nothing landed. */
export class TransactionRefusedError extends Error {
  override readonly name = "TransactionRefusedError";
  readonly error: TransactionError;
  readonly logs: readonly string[];
  constructor(error: TransactionError, logs: readonly string[]) {
    super(
      `The node refused the transaction: ${error.name}${error.code === undefined ? "" : ` ${error.code}`}`,
    );
    this.error = error;
    this.logs = logs;
  }
}

/**
 * Returns a transaction, null where the node does not hold it, and `unreadable` for one of a version that is not decoded
 * here: such a one is a stranger's, and must not keep others from being read. Throws `ChainUnavailableError`.
 */
export async function readOutcome(
  node: Pick<Chain, "transaction">,
  signature: Signature,
): Promise<TransactionOutcome | "unreadable" | null> {
  try {
    return await node.transaction(signature);
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return "unreadable";
    throw error;
  }
}

/** Returns the total rent-exempt minimum of accounts of these sizes in bytes, in lamports. */
export async function rentOf(
  chain: Pick<Chain, "minimumBalance">,
  sizes: readonly number[],
): Promise<bigint> {
  const each = await Promise.all(sizes.map((size) => chain.minimumBalance(size)));
  return each.reduce((sum, lamports) => sum + lamports, 0n);
}

/** Returns a chain whose accounts are of no earlier slot than this: a node that has not seen it yet answers nothing. */
export const sinceSlot = (chain: Chain, slot: bigint): Chain => ({
  ...chain,
  accounts: (addresses, options) =>
    chain.accounts(addresses, {
      ...options,
      minContextSlot:
        (options?.minContextSlot ?? 0n) > slot ? (options?.minContextSlot ?? 0n) : slot,
    }),
});
