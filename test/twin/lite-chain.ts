import {
  type Address,
  address,
  type Blockhash,
  getTransactionDecoder,
  type Signature,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import type { Clock } from "../../src/domain/clock.ts";
import type { Network } from "../../src/domain/network.ts";
import { hasValidSignatures, verifyStrictly } from "../../src/practice/verify-signatures.ts";
import { createOverlay, type AccountState } from "../../src/practice/runtime/account-state.ts";
import { tokenDeltasOf } from "../../src/practice/runtime/token-deltas.ts";
import {
  parseWireTransaction,
  type WireTransaction,
} from "../../src/practice/runtime/wire-transaction.ts";
import {
  BLOCKHASH_LIFETIME_SLOTS,
  createSlots,
  FINALITY_SLOTS,
  SLOT_MS,
} from "../../src/practice/slots.ts";
import {
  type Chain,
  ChainUnavailableError,
  type TransactionError,
  type TransactionOutcome,
  TransactionRefusedError,
} from "../../src/solana/chain.ts";
import { decodeLookupTable } from "../../src/solana/programs/address-lookup-table.ts";
import { readInstructionError, readTransactionError } from "../../src/solana/transaction-errors.ts";
import { liteAccount, putLiteAccount, setRecentSlots } from "../chain-bench.ts";

/** Blocks that were never made: height and slot of a real network are far apart. */
const SKIPPED_BLOCKS = 20_000_000n;
const START_SLOT = 447_552_000;

/** A network of the real programs in this process, behind the port the product reads chains by. */
export interface LiteChain {
  readonly chain: Chain;
  /** Accounts as the product's bench writes them. */
  account(at: Address): AccountState | null;
  put(at: Address, state: AccountState): void;
  time(): { readonly slot: bigint; readonly unixTime: bigint };
}

interface Options {
  readonly network: Network;
  readonly genesisHash: string;
  readonly programs: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** What the network's keepers do before anything else happens in a new slot. */
  readonly everySlot?: () => void;
}

function errorOf(text: string): TransactionError {
  const failed = /InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))/.exec(text);
  if (failed === null) {
    const name = readTransactionError(/err: (\w+)/.exec(text)?.[1] ?? text);
    return { kind: "transaction", name };
  }
  const [, index, code, name] = failed;
  const at = { kind: "instruction" as const, instructionIndex: Number(index) };
  return code === undefined
    ? { ...at, name: readInstructionError(name ?? "") }
    : { ...at, name: "Custom", code: Number(code) };
}

/** Opens litesvm with the real programs as a network that lives by a clock: slots, blockhashes, history, preflight. */
export function openLiteChain(options: Options): LiteChain {
  const { network, genesisHash, programs, clock, everySlot = () => undefined } = options;
  const slots = createSlots(clock.now() - START_SLOT * SLOT_MS, clock);
  const svm = new LiteSVM().withBlockhashCheck(false).withSigverify(false);
  for (const [id, path] of Object.entries(programs)) svm.addProgramFromFile(address(id), path);
  const outcomes = new Map<Signature, TransactionOutcome>();
  const touched = new Map<Address, Signature[]>();
  let seen = -1n;

  /** Brings the runtime's clock to now, and lets the keepers work once a slot. */
  const tick = () => {
    const time = slots.now();
    if (time.slot === seen) return time;
    seen = time.slot;
    const now = svm.getClock();
    now.slot = time.slot;
    now.unixTimestamp = time.unixTime;
    svm.setClock(now);
    setRecentSlots(svm, time.slot);
    everySlot();
    return time;
  };
  const read = (at: Address) => liteAccount(svm, at) ?? undefined;
  const refuse = (error: TransactionError, logs: readonly string[] = []): never => {
    throw new TransactionRefusedError(error, logs);
  };
  const parse = (bytes: Uint8Array): WireTransaction =>
    parseWireTransaction(bytes) ?? refuse({ kind: "transaction", name: "SanitizeFailure" });

  const namedBy = (wire: WireTransaction): readonly Address[] => [
    ...wire.staticAccounts,
    ...wire.lookups.flatMap(({ table, writableIndexes, readonlyIndexes }) => {
      const all = decodeLookupTable(read(table)?.data ?? new Uint8Array(0))?.addresses ?? [];
      return [...writableIndexes, ...readonlyIndexes].flatMap((index) => all[index] ?? []);
    }),
  ];

  const simulate = (bytes: Uint8Array) => {
    const result = svm.simulateTransaction(getTransactionDecoder().decode(bytes));
    const meta = result.meta();
    const error = result instanceof FailedTransactionMetadata ? errorOf(result.toString()) : null;
    return { error, logs: meta.logs(), unitsConsumed: meta.computeUnitsConsumed() };
  };

  const land = (wire: WireTransaction, bytes: Uint8Array): Signature => {
    const time = tick();
    if (outcomes.has(wire.signature)) return wire.signature;
    if (!slots.isRecent(wire.blockhash, time.slot)) {
      refuse({ kind: "transaction", name: "BlockhashNotFound" });
    }
    const preflight = simulate(bytes);
    if (preflight.error !== null) refuse(preflight.error, preflight.logs);
    const named = namedBy(wire);
    const before = new Map(named.map((at) => [at, read(at)]));
    const result = svm.sendTransaction(getTransactionDecoder().decode(bytes));
    if (result instanceof FailedTransactionMetadata) {
      return refuse(errorOf(result.toString()), result.meta().logs());
    }
    const deltaOf = (at: Address) => (read(at)?.lamports ?? 0n) - (before.get(at)?.lamports ?? 0n);
    const deltas = named.flatMap((at) => (deltaOf(at) === 0n ? [] : [[at, deltaOf(at)] as const]));
    const metas = named.map((at) => ({ address: at, isSigner: false, isWritable: true }));
    outcomes.set(wire.signature, {
      signature: wire.signature,
      slot: time.slot,
      blockTime: time.unixTime,
      error: null,
      logs: result.logs(),
      // What left all the accounts together is the fee
      feeLamports: -deltas.reduce((sum, [, delta]) => sum + delta, 0n),
      lamportDeltas: new Map(deltas),
      tokenDeltas: tokenDeltasOf(metas, (at) => before.get(at), createOverlay(read)),
    });
    for (const at of named) touched.set(at, [...(touched.get(at) ?? []), wire.signature]);
    return wire.signature;
  };

  const chain: Chain = {
    network,
    genesisHash: async () => genesisHash,
    async accounts(addresses, { minContextSlot = 0n } = {}) {
      const { slot } = tick();
      if (slot < minContextSlot) throw new ChainUnavailableError("Not there yet");
      const accounts = addresses.map((at) => {
        const state = liteAccount(svm, at);
        return state === null || state.lamports === 0n ? null : { address: at, ...state };
      });
      return { slot, accounts };
    },
    async latestBlockhash() {
      const { slot } = tick();
      const lastValidBlockHeight = slot - SKIPPED_BLOCKS + BLOCKHASH_LIFETIME_SLOTS;
      return { slot, blockhash: slots.blockhash(slot) as Blockhash, lastValidBlockHeight };
    },
    async progress(commitment) {
      const { slot: newest } = tick();
      const slot = commitment === "finalized" ? newest - FINALITY_SLOTS : newest;
      return { slot, blockHeight: slot - SKIPPED_BLOCKS };
    },
    historyStart: async () => 0n,
    minimumBalance: async (size) => svm.minimumBalanceForRentExemption(BigInt(size)),
    slotDurationMs: async () => SLOT_MS,
    async simulate(bytes) {
      tick();
      parse(bytes);
      return simulate(bytes);
    },
    async send(bytes) {
      const wire = parse(bytes);
      if (!hasValidSignatures(wire, verifyStrictly)) {
        refuse({ kind: "transaction", name: "SignatureFailure" });
      }
      return land(wire, bytes);
    },
    async signatureStatuses(signatures) {
      const { slot } = tick();
      const statuses = signatures.map((signature) => {
        const outcome = outcomes.get(signature);
        if (outcome === undefined) return null;
        const isFinal = slot - outcome.slot >= FINALITY_SLOTS;
        const commitment = isFinal ? ("finalized" as const) : ("confirmed" as const);
        return { slot: outcome.slot, commitment, error: outcome.error };
      });
      return { slot, statuses };
    },
    transaction: async (signature) => outcomes.get(signature) ?? null,
    recentUnitPrices: async () => [],
    signaturesFor: async (at, limit) => (touched.get(at) ?? []).slice(-limit).toReversed(),
    withOneNode: (work) => work(chain),
  };
  return {
    chain,
    account: (at) => liteAccount(svm, at),
    put: (at, state) => putLiteAccount(svm, at, state),
    time: () => slots.now(),
  };
}
