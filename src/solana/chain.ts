import type { Address, Blockhash, Signature } from "@solana/kit";
import type { Network } from "../domain/network.ts";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import type { InstructionErrorName, TransactionErrorName } from "./transaction-errors.ts";

/** One account as the chain holds it. `lamports` is the whole balance, rent included. */
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

/** Why a transaction was not taken, in the runtime's own terms: an instruction failed, or it was refused as a whole. */
export type TransactionError =
  | InstructionError
  | {
      readonly kind: "transaction";
      readonly name: TransactionErrorName;
      readonly instructionIndex?: undefined;
      readonly code?: undefined;
    };

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

/** What a landed transaction did. */
export interface TransactionOutcome {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds of the block, `null` when the node does not know it. */
  readonly blockTime: bigint | null;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly feeLamports: bigint;
  /** Who paid the fee; absent where that was not kept. */
  readonly feePayer?: Address;
  readonly lamportDeltas: ReadonlyMap<Address, bigint>;
  readonly tokenDeltas: readonly TokenDelta[];
}

export interface LatestBlockhash {
  readonly blockhash: Blockhash;
  /** The slot the node answered at: a transaction with this blockhash cannot have landed before it. */
  readonly slot: bigint;
  /** The last block height at which a transaction with this blockhash can land. */
  readonly lastValidBlockHeight: bigint;
}

/** How far a node is: slot and height of the same block. */
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
  /** Begins behind this transaction instead of with the newest. */
  readonly before?: Signature;
}

export interface ReadOptions {
  /** Refuses an answer from a node that has not seen this slot yet. */
  readonly minContextSlot?: bigint;
}

/**
 * The chain as this product needs it: plain reads, simulation, sending and asking what became of a signature.
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
   * Every account of a program that holds these bytes from there on, in no order. `null`: the node lists no accounts, as
   * many do not.
   */
  accountsOf(
    program: Address,
    holds: { readonly offset: number; readonly bytes: Uint8Array },
  ): Promise<readonly Account[] | null>;
  latestBlockhash(): Promise<LatestBlockhash>;
  /** Slot and block height in one answer. */
  progress(commitment: Commitment): Promise<Progress>;
  /** The first slot the node still knows transactions of: it cannot say that one never landed before that. */
  historyStart(): Promise<bigint>;
  /** Runs the transaction against the current state without its signatures being checked. */
  simulate(transaction: Uint8Array, options?: SimulateOptions): Promise<Simulation>;
  /** Sends signed wire bytes. Throws `TransactionRefusedError` when the node refused it before execution. */
  send(transaction: Uint8Array): Promise<Signature>;
  /** Searches the whole history, not only recent slots. `null` means never seen by this node. */
  signatureStatuses(
    signatures: readonly Signature[],
    options?: SearchOptions,
  ): Promise<{ readonly slot: bigint; readonly statuses: readonly (SignatureStatus | null)[] }>;
  /**
   * `null` while the node does not hold it. Throws `UnreadableTransactionError` for one of a version this product neither
   * writes nor reads.
   */
  transaction(signature: Signature): Promise<TransactionOutcome | null>;
  /**
   * Micro-lamports per compute unit that each of the latest blocks asked at least of a transaction that changes these
   * accounts, in no order; empty where nothing competes.
   */
  recentUnitPrices(writable: readonly Address[]): Promise<readonly bigint[]>;
  /** The least lamports an account of that many bytes has to hold, as the chain asks now. */
  minimumBalance(size: number): Promise<bigint>;
  /** Milliseconds a slot takes, as measured of late. */
  slotDurationMs(): Promise<number>;
  /** Newest first, at most `limit` signatures of transactions that touched the address. */
  signaturesFor(
    address: Address,
    limit: number,
    options?: HistoryOptions,
  ): Promise<readonly Signature[]>;
  /**
   * Lets one node answer every call of the work, so that its answers prove something together.
   *
   * When the work throws `ChainUnavailableError`, it is begun again with the next node.
   */
  withOneNode<T>(work: (node: Chain) => Promise<T>): Promise<T>;
}

/** The chain did not answer, or not usably. Retrying later may work; a send may or may not have landed. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
  /** What is wrong with the node that was asked, when it is the node. */
  readonly trouble: NodeTrouble | undefined;
  constructor(
    message: string,
    { trouble, ...options }: ErrorOptions & { readonly trouble?: NodeTrouble } = {},
  ) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** The transaction is of a version nobody here writes or reads: somebody else's, and no answer about ours. */
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
