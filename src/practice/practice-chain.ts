import type { Address, Signature, Blockhash, Instruction } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import type { BuiltInNetwork } from "../domain/network.ts";
import {
  type Chain,
  TransactionRefusedError,
  type TransactionError,
  type Account,
  ChainUnavailableError,
  type Commitment,
  type SignatureStatus,
  type Simulation,
  type TransactionOutcome,
} from "../solana/chain.ts";
import { RENT_SYSVAR, transferLamports } from "../solana/programs/system.ts";
import type { VerifySignature } from "../solana/signing.ts";
import { PRACTICE_QUOTE_MINT, genesisAccounts, FAUCET } from "./genesis.ts";
import type { PracticeLedger } from "./ledger.ts";
import type { PriceSource } from "./price-source.ts";
import {
  SLOT_MS,
  createSlots,
  type Slots,
  BLOCKHASH_LIFETIME_SLOTS,
  FINALITY_SLOTS,
} from "./slots.ts";
import { STAND_INS } from "./stand-ins.ts";
import { PRACTICE_LOOKUP_TABLE, practiceTable } from "./practice-table.ts";
import {
  type AccountState,
  type ReadAccount,
  rentExemptMinimum,
  rentPerByteOf,
} from "./runtime/account-state.ts";
import type { TransactionErrorName } from "../solana/transaction-errors.ts";
import { type CommitState, type CommitQueue, createCommitQueue } from "./commit-queue.ts";
import { outcomeOf, executeTransaction } from "./runtime/execute-transaction.ts";
import { type WireTransaction, parseWireTransaction } from "./runtime/wire-transaction.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../solana/programs/associated-token.ts";
import { setComputeUnitLimit, COMPUTE_BUDGET_PROGRAM } from "../solana/programs/compute-budget.ts";
import { instruction, signer, writable } from "../solana/encoding/instruction.ts";
import { TOKEN_PROGRAM } from "../solana/programs/token.ts";
import { u64Bytes } from "./runtime/bytes.ts";
import { concatBytes } from "../solana/encoding/pda.ts";
import { signTransaction } from "./sign-transaction.ts";
import { sizeLimitOf } from "../solana/transaction.ts";
import type { PracticeTime } from "./venue-stand-in.ts";
import type { Program } from "./runtime/program.ts";
import { addressLookupTableProgram } from "./programs/address-lookup-table.ts";
import { associatedTokenProgram } from "./programs/associated-token.ts";
import { squadsProgram } from "./programs/squads/squads.ts";
import { systemProgram } from "./programs/system.ts";
import { tokenProgram } from "./programs/token.ts";
import { ed25519 } from "@noble/curves/ed25519.js";
import { addressBytes } from "../solana/encoding/address-codec.ts";

/** The Compute Budget program does nothing when executed: the runtime has already read its instructions. */
const computeBudgetProgram: Program = {
  address: COMPUTE_BUDGET_PROGRAM,
  builtIn: true,
  units: () => 150n,
  execute: () => undefined,
};

/** All programs of the practice chain, by address. */
const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  [
    systemProgram,
    tokenProgram,
    associatedTokenProgram,
    computeBudgetProgram,
    addressLookupTableProgram,
    squadsProgram,
    ...STAND_INS.map(({ program }) => program),
  ].map((program) => [program.address, program]),
);

/** Limits of one faucet call: 10 SOL and 10,000 quote tokens. */
const FAUCET_MAX_LAMPORTS = 10_000_000_000n;
const FAUCET_MAX_QUOTE_UNITS = 10_000_000_000n;

const MINT_TO = 7;
const UNITS = 100_000;

export interface PracticeChainOptions {
  /** Network of the chain; `practice` when absent. */
  readonly network?: BuiltInNetwork;
  readonly ledger: PracticeLedger;
  readonly clock: Clock;
  readonly prices: PriceSource;
  /** A faster strict verifier, where the host has one. */
  readonly verifySignature?: VerifySignature;
  /** Lands failing transactions and charges their fee, as without preflight; otherwise the node refuses them. */
  readonly landsFailures?: boolean;
}

/** The built-in chain: the same transaction bytes, programs and rules as a real cluster, stored in a ledger. */
export interface PracticeChain extends Chain {
  /** Gives practice money up to the limits of one call. Throws `RangeError` above them. */
  faucet(owner: Address, grant: Grant): Promise<Signature>;
  /** Gives practice money without a limit, for the platform's own keys and for tests. */
  fund(owner: Address, grant: Grant): Promise<Signature>;
  /** Changes accounts between two transactions, as the operator of a program or of the cluster would. */
  operate(change: (state: CommitState) => void): Promise<void>;
}

/** Opens the practice chain on its ledger and adds missing genesis accounts. */
export async function createPracticeChain(options: PracticeChainOptions): Promise<PracticeChain> {
  const {
    network = "practice",
    ledger,
    clock,
    prices,
    verifySignature = verifyStrictly,
    landsFailures = false,
  } = options;
  const slots = createSlots(await ledger.open(clock.now()), clock, network);
  await addGenesis(ledger, slots);
  const machine = createPracticeMachine(ledger, slots, prices);
  const { queue } = machine;
  const { admit, give } = createLandings(machine, landsFailures);

  const chain: PracticeChain = {
    network,
    genesisHash: async () => slots.genesisHash,
    ...practiceReads(machine),
    // The ledger never deletes transactions
    historyStart: async () => 0n,
    async send(transaction) {
      const wire = parse(transaction);
      if (!hasValidSignatures(wire, verifySignature)) {
        const error = { kind: "transaction", name: "SignatureFailure" } as const;
        throw new TransactionRefusedError(error, []);
      }
      return admit(wire);
    },
    // Blocks of the practice chain are never full
    recentUnitPrices: async () => [],
    withOneNode: (work) => work(chain),
    async faucet(owner, grant) {
      if (grant.lamports > FAUCET_MAX_LAMPORTS || grant.quoteUnits > FAUCET_MAX_QUOTE_UNITS) {
        throw new RangeError("The faucet gives at most 10 SOL and 10,000 quote tokens a call");
      }
      return give(owner, grant);
    },
    fund: give,
    slotDurationMs: async () => SLOT_MS,
    operate: (change) => answered(queue.submit(change)),
  };
  return chain;
}

function allGenesisAccounts(unixTime: bigint): ReadonlyMap<Address, AccountState> {
  const quoteSupply = STAND_INS.reduce((sum, { quotePool }) => sum + quotePool, 0n);
  return new Map([
    ...genesisAccounts(PROGRAMS.values(), quoteSupply),
    ...STAND_INS.flatMap((venue) => [...venue.accounts(unixTime)]),
    [PRACTICE_LOOKUP_TABLE, practiceTable()] as const,
  ]);
}

/** Adds missing genesis accounts to the ledger and upgrades the venues' accounts to this version. */
async function addGenesis(ledger: PracticeLedger, slots: Slots): Promise<void> {
  const genesis = allGenesisAccounts(slots.now().unixTime);
  await ledger.transact((view) => {
    const missing = [...genesis].filter(([address]) => view.account(address) === undefined);
    const { unixTime } = slots.now();
    const stored: ReadAccount = (address) => view.account(address);
    const upgraded = STAND_INS.flatMap((venue) => [
      ...(venue.upgraded?.(venue.accounts(unixTime), stored) ?? []),
    ]);
    return {
      value: undefined,
      change: { accounts: new Map([...upgraded, ...missing]), records: [] },
    };
  });
}

type Landing =
  | { readonly kind: "landed"; readonly signature: Signature }
  | {
      readonly kind: "refused";
      readonly error: TransactionError;
      readonly logs: readonly string[];
    };

function refuse(name: TransactionErrorName): Landing {
  return { kind: "refused", error: { kind: "transaction", name }, logs: [] };
}

/** Lands transactions sequentially; every refusal throws `TransactionRefusedError`. */
interface Landings {
  admit(wire: WireTransaction): Promise<Signature>;
  /** Gives practice money in a transaction signed by the faucet. */
  give(owner: Address, grant: Grant): Promise<Signature>;
}

/** `landsFailures`: failing transactions land and pay their fee instead of being refused. */
function createLandings(machine: PracticeMachine, landsFailures: boolean): Landings {
  const { ledger, slots, queue, execute } = machine;
  const land = (state: CommitState, wire: WireTransaction): Landing => {
    const { signature } = wire;
    if (state.hasLanded(signature)) return { kind: "landed", signature };
    if (!slots.isRecent(wire.blockhash, slots.now().slot)) return refuse("BlockhashNotFound");
    const { time, execution } = execute(wire, state.account);
    const { error, logs, touched } = execution;
    if (error !== null && (!execution.charged || !landsFailures)) {
      return { kind: "refused", error, logs };
    }
    state.land(execution.changes, { outcome: outcomeOf(wire, execution, time), touched });
    return { kind: "landed", signature };
  };

  const admit = async (wire: WireTransaction): Promise<Signature> => {
    const landing = await answered(queue.submit((state) => land(state, wire)));
    if (landing.kind === "landed") return landing.signature;
    if (landing.error.name === "BlockhashNotFound") {
      const [known] = await answered(ledger.outcomes([wire.signature]));
      if (known !== undefined) return wire.signature;
    }
    throw new TransactionRefusedError(landing.error, landing.logs);
  };

  const give = async (owner: Address, grant: Grant): Promise<Signature> => {
    const landing = await answered(
      queue.submit((state) => {
        const blockhash = slots.blockhash(slots.now().slot);
        for (let attempt = 0; ; attempt += 1) {
          const wire = parse(faucetTransaction(owner, grant, blockhash, attempt));
          if (!state.hasLanded(wire.signature)) return land(state, wire);
        }
      }),
    );
    if (landing.kind === "landed") return landing.signature;
    throw new TransactionRefusedError(landing.error, landing.logs);
  };

  return { admit, give };
}

/** Amounts to give, in lamports and quote base units. */
interface Grant {
  readonly lamports: bigint;
  readonly quoteUnits: bigint;
}

function mintQuote(account: Address, amount: bigint): Instruction {
  return instruction(
    TOKEN_PROGRAM,
    [writable(PRACTICE_QUOTE_MINT), writable(account), signer(FAUCET.address)],
    concatBytes([Uint8Array.of(MINT_TO), u64Bytes(amount)]),
  );
}

/** Returns the faucet's signed transaction. `attempt` distinguishes equal grants under one blockhash. */
function faucetTransaction(
  owner: Address,
  { lamports, quoteUnits }: Grant,
  blockhash: Blockhash,
  attempt: number,
): Uint8Array {
  const instructions: Instruction[] = [setComputeUnitLimit(UNITS + attempt)];
  if (lamports > 0n) {
    instructions.push(transferLamports({ from: FAUCET.address, to: owner }, lamports));
  }
  if (quoteUnits > 0n) {
    const accounts = { payer: FAUCET.address, owner, mint: PRACTICE_QUOTE_MINT };
    const account = associatedTokenAddress(owner, PRACTICE_QUOTE_MINT);
    instructions.push(createAssociatedTokenIdempotent(accounts), mintQuote(account, quoteUnits));
  }
  return signTransaction([FAUCET], instructions, blockhash);
}

const statusOf = (
  outcome: TransactionOutcome | undefined,
  slot: bigint,
): SignatureStatus | null => {
  if (outcome === undefined) return null;
  const isFinal = slot - outcome.slot >= FINALITY_SLOTS;
  const commitment: Commitment = isFinal ? "finalized" : "confirmed";
  return { slot: outcome.slot, commitment, error: outcome.error };
};

/** Returns the read-only calls of the chain. */
function practiceReads(
  machine: PracticeMachine,
): Pick<
  Chain,
  | "accounts"
  | "accountsOf"
  | "latestBlockhash"
  | "progress"
  | "signatureStatuses"
  | "transaction"
  | "signaturesFor"
  | "minimumBalance"
  | "simulate"
> {
  const { ledger, slots, asKept, execute } = machine;
  const reachedSlot = (least: bigint): bigint => {
    const { slot } = slots.now();
    if (slot < least) throw new ChainUnavailableError(`Slot ${least} has not been reached`);
    return slot;
  };

  return {
    async accounts(addresses, { minContextSlot = 0n } = {}) {
      const view = await answered(ledger.view());
      const slot = reachedSlot(minContextSlot);
      const time = slots.now();
      const read = asKept((address) => view.account(address), time);
      const accounts = addresses.map((address): Account | null => {
        const state = read(address);
        return state === undefined ? null : { address, ...state };
      });
      return { slot, accounts };
    },
    async accountsOf(program, { offset, bytes }) {
      const view = await answered(ledger.view());
      const holds = (data: Uint8Array) => bytes.every((byte, at) => data[offset + at] === byte);
      return [...view.accounts()].flatMap(([address, state]) =>
        state.owner === program && holds(state.data) ? [{ address, ...state }] : [],
      );
    },
    async latestBlockhash() {
      const { slot } = slots.now();
      return {
        blockhash: slots.blockhash(slot),
        slot,
        lastValidBlockHeight: slot + BLOCKHASH_LIFETIME_SLOTS,
      };
    },
    async progress(commitment) {
      const { slot } = slots.now();
      const behind = commitment === "finalized" ? FINALITY_SLOTS : 0n;
      const reached = slot > behind ? slot - behind : 0n;
      // Every slot has a block on the practice chain
      return { slot: reached, blockHeight: reached };
    },
    async signatureStatuses(signatures, { minSlot = 0n } = {}) {
      const outcomes = await answered(ledger.outcomes(signatures));
      const slot = reachedSlot(minSlot);
      return { slot, statuses: outcomes.map((outcome) => statusOf(outcome, slot)) };
    },
    async transaction(signature) {
      const [outcome] = await answered(ledger.outcomes([signature]));
      return outcome ?? null;
    },
    async signaturesFor(address, limit, { minSlot = 0n, sinceSlot = 0n, before } = {}) {
      reachedSlot(minSlot);
      const signatures = await answered(ledger.signaturesFor(address, limit, before));
      if (sinceSlot === 0n) return signatures;
      const outcomes = await answered(ledger.outcomes(signatures));
      return signatures.filter((_, at) => (outcomes[at]?.slot ?? 0n) >= sinceSlot);
    },
    async minimumBalance(size) {
      const sysvar = (await answered(ledger.view())).account(RENT_SYSVAR);
      return rentExemptMinimum(size, rentPerByteOf(sysvar?.data ?? new Uint8Array()));
    },
    async simulate(transaction, { replaceBlockhash = true } = {}): Promise<Simulation> {
      const wire = parse(transaction);
      if (!replaceBlockhash && !slots.isRecent(wire.blockhash, slots.now().slot)) {
        const error = { kind: "transaction", name: "BlockhashNotFound" } as const;
        return { error, logs: [], unitsConsumed: 0n };
      }
      const view = await answered(ledger.view());
      const { execution } = execute(wire, (address) => view.account(address));
      const { error, logs, unitsConsumed } = execution;
      return { error, logs, unitsConsumed };
    },
  };
}

/** Shared parts of the practice chain's calls: its ledger, its time and transaction execution. */
interface PracticeMachine {
  readonly ledger: PracticeLedger;
  readonly slots: Slots;
  readonly queue: CommitQueue;
  /** Returns accounts as of a time: prices move and markets settle between transactions. */
  asKept(account: ReadAccount, time: PracticeTime): ReadAccount;
  execute(wire: WireTransaction, account: ReadAccount): ExecutedAt;
}

/** The result of an execution and its time. */
interface ExecutedAt {
  readonly time: PracticeTime;
  readonly execution: ReturnType<typeof executeTransaction>;
}

/** Creates the shared parts on an open ledger. */
function createPracticeMachine(
  ledger: PracticeLedger,
  slots: Slots,
  prices: PriceSource,
): PracticeMachine {
  const queue = createCommitQueue(ledger);
  const asKept = (account: ReadAccount, time: PracticeTime): ReadAccount =>
    STAND_INS.reduce((read, venue) => venue.live(read, prices, time), account);

  const execute = (wire: WireTransaction, account: ReadAccount) => {
    const time = slots.now();
    const read = asKept(account, time);
    return { time, execution: executeTransaction({ wire, read, programs: PROGRAMS, time }) };
  };

  return { ledger, slots, queue, asKept, execute };
}

/** Waits for the ledger. Throws `ChainUnavailableError` when it is unavailable. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ChainUnavailableError("The practice ledger did not answer", { cause });
  }
}

/** Parses a transaction as a node does before further checks. Throws `TransactionRefusedError`. */
const parse = (transaction: Uint8Array): WireTransaction => {
  const tooLarge = transaction.length > sizeLimitOf(transaction);
  const wire = tooLarge ? undefined : parseWireTransaction(transaction);
  if (wire !== undefined) return wire;
  const name = tooLarge ? "TransactionTooLarge" : "SanitizeFailure";
  throw new TransactionRefusedError({ kind: "transaction", name }, []);
};

/** Verifies strictly in plain JavaScript: no malleable signatures, no keys of small order. */
export const verifyStrictly: VerifySignature = (signature, message, publicKey) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

/** Returns whether every required signer signed exactly these bytes. */
function hasValidSignatures(wire: WireTransaction, verify: VerifySignature): boolean {
  return wire.signatures.every((signature, index) => {
    const signer = wire.staticAccounts[index];
    return signer !== undefined && verify(signature, wire.messageBytes, addressBytes(signer));
  });
}
