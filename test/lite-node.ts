import {
  type Address,
  address,
  getTransactionDecoder,
  lamports,
  type Signature,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import type { AccountState } from "../src/practice/runtime/account-state.ts";
import type { ChainTime } from "../src/practice/runtime/program.ts";
import {
  BLOCKHASH_LIFETIME_SLOTS,
  createSlots,
  FINALITY_SLOTS,
  SLOT_MS,
} from "../src/practice/slots.ts";
import type { Clock } from "../src/domain/clock.ts";
import {
  type Account,
  type Chain,
  ChainUnavailableError,
  type Simulation,
  type TransactionError,
  TransactionRefusedError,
} from "../src/solana/chain.ts";
import { LOOKUP_TABLE_PROGRAM } from "../src/solana/programs/address-lookup-table.ts";
import { transactionErrorFromRpc } from "../src/solana/rpc-ask.ts";
import { signatureOf } from "../src/solana/signing.ts";
import { readWire } from "../src/solana/wire.ts";
import { liteAccount, putLiteAccount, setRecentSlots } from "./chain-bench.ts";
import { allKeys, balanceOf, keysOf, type Landing } from "./landing.ts";
import type { RpcBackend } from "./rpc-answers.ts";

/** Slot of the runtime when a node is opened. */
const START_SLOT = 447_552_000;

/** A node over the real runtime: its programs are the files given, its blocks follow from the clock. */
export interface LiteNode extends RpcBackend {
  readonly svm: LiteSVM;
  put(at: Address, state: AccountState): void;
  give(at: Address, amount: bigint): void;
}

/** Parses litesvm's error, whose text is the runtime's. */
function readLiteError(result: FailedTransactionMetadata): TransactionError {
  const text = result.toString();
  const failed = /InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))/.exec(text);
  const whole = /err: (\w+)/.exec(text)?.[1] ?? "Unknown";
  const [, index, code, name] = failed ?? [];
  const reason = code === undefined ? name : { Custom: code };
  const read = transactionErrorFromRpc(
    failed === null ? whole : { InstructionError: [index, reason] },
  );
  if (read === null) throw new Error(`The runtime failed without an error: ${text}`);
  return read;
}

/** Opens a node over litesvm; `programs` are program files by address. */
export function openLiteNode(options: {
  readonly clock: Clock;
  readonly programs?: Readonly<Record<string, string>>;
  /** Genesis hash it reports; absent: its own. */
  readonly genesisHash?: string;
  /** Called first in every new slot, for the work of the network's keepers. */
  readonly everySlot?: (time: ChainTime) => void;
}): LiteNode {
  const { clock, programs = {}, everySlot = () => undefined } = options;
  const slots = createSlots(clock.now() - START_SLOT * SLOT_MS, clock);
  // Blockhashes are this node's, one per slot; the runtime itself has no blocks
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
  for (const [id, path] of Object.entries(programs)) svm.addProgramFromFile(address(id), path);
  const landings = new Map<Signature, Landing>();

  const reach = (least = 0n): bigint => {
    const { slot, unixTime } = slots.now();
    if (slot < least) throw new ChainUnavailableError(`Slot ${least} has not been reached`);
    const time = svm.getClock();
    if (time.slot !== slot || time.unixTimestamp !== unixTime) {
      time.slot = slot;
      time.unixTimestamp = unixTime;
      svm.setClock(time);
      everySlot({ slot, unixTime });
    }
    return slot;
  };

  const refuse = (error: TransactionError, logs: readonly string[] = []): never => {
    throw new TransactionRefusedError(error, logs);
  };

  const decode = (bytes: Uint8Array) => {
    try {
      const wire = readWire(bytes);
      if (wire.message.staticAccounts.includes(LOOKUP_TABLE_PROGRAM)) {
        setRecentSlots(svm, slots.now().slot);
      }
      return { wire, transaction: getTransactionDecoder().decode(bytes) };
    } catch {
      return refuse({ kind: "transaction", name: "SanitizeFailure" });
    }
  };

  const simulate = (bytes: Uint8Array): Simulation => {
    reach();
    const { transaction } = decode(bytes);
    const result = svm.withSigverify(false).simulateTransaction(transaction);
    svm.withSigverify(true);
    const meta = result.meta();
    const error = result instanceof FailedTransactionMetadata ? readLiteError(result) : null;
    return { error, logs: meta.logs(), unitsConsumed: meta.computeUnitsConsumed() };
  };

  const isRecent = (bytes: Uint8Array): boolean =>
    slots.isRecent(decode(bytes).wire.message.lifetimeToken, slots.now().slot);

  async function send(bytes: Uint8Array): Promise<Signature> {
    const slot = reach();
    const { wire, transaction } = decode(bytes);
    const signature = signatureOf(bytes);
    if (landings.has(signature)) return signature;
    if (wire.signers.some((signer) => signer.signature === null)) {
      refuse({ kind: "transaction", name: "SignatureFailure" });
    }
    if (!isRecent(bytes)) refuse({ kind: "transaction", name: "BlockhashNotFound" });
    const preflight = simulate(bytes);
    if (preflight.error !== null) refuse(preflight.error, preflight.logs);
    const keys = await keysOf(bytes, async (table) => liteAccount(svm, table)?.data ?? null);
    const held = () =>
      new Map(allKeys(keys).map((key) => [key, balanceOf(liteAccount(svm, key))] as const));
    const before = held();
    const result = svm.sendTransaction(transaction);
    if (result instanceof FailedTransactionMetadata) refuse(readLiteError(result));
    const after = held();
    const lamportDeltas = new Map<Address, bigint>();
    for (const [key, balance] of after) {
      const delta = balance.lamports - (before.get(key)?.lamports ?? 0n);
      if (delta !== 0n) lamportDeltas.set(key, delta);
    }
    const tokenDeltas = [...after].flatMap(([account, balance]) => {
      const earlier = before.get(account)?.token ?? null;
      const token = balance.token ?? earlier;
      const delta = (balance.token?.amount ?? 0n) - (earlier?.amount ?? 0n);
      if (token === null || delta === 0n) return [];
      return [{ account, mint: token.mint, owner: token.owner, delta }];
    });
    // Every account that changed is named, so what is missing was burned
    const feeLamports = -[...lamportDeltas.values()].reduce((sum, delta) => sum + delta, 0n);
    const outcome = {
      signature,
      slot,
      blockTime: slots.now().unixTime,
      error: null,
      logs: preflight.logs,
      feeLamports,
      lamportDeltas,
      tokenDeltas,
    };
    landings.set(signature, { outcome, keys, before, after });
    return signature;
  }

  const chain: Chain = {
    network: "practice",
    genesisHash: async () => options.genesisHash ?? slots.genesisHash,
    async accounts(addresses, { minContextSlot } = {}) {
      const slot = reach(minContextSlot);
      const accounts = addresses.map((at): Account | null => {
        const state = liteAccount(svm, at);
        return state === null || state.lamports === 0n ? null : { address: at, ...state };
      });
      return { slot, accounts };
    },
    async latestBlockhash() {
      const slot = reach();
      const lastValidBlockHeight = slot + BLOCKHASH_LIFETIME_SLOTS;
      return { blockhash: slots.blockhash(slot), lastValidBlockHeight, slot };
    },
    async progress(commitment) {
      const slot = reach() - (commitment === "finalized" ? FINALITY_SLOTS : 0n);
      return { slot, blockHeight: slot };
    },
    // The runtime alone lists no accounts
    accountsOf: async () => null,
    historyStart: async () => BigInt(START_SLOT),
    async simulate(bytes, { replaceBlockhash = true } = {}) {
      if (replaceBlockhash || isRecent(bytes)) return simulate(bytes);
      const error = { kind: "transaction", name: "BlockhashNotFound" } as const;
      return { error, logs: [], unitsConsumed: 0n };
    },
    send,
    async signatureStatuses(signatures, { minSlot } = {}) {
      const slot = reach(minSlot);
      const statuses = signatures.map((signature) => {
        const outcome = landings.get(signature)?.outcome;
        if (outcome === undefined) return null;
        const commitment = slot - outcome.slot >= FINALITY_SLOTS ? "finalized" : "confirmed";
        return { slot: outcome.slot, commitment, error: outcome.error } as const;
      });
      return { slot, statuses };
    },
    transaction: async (signature) => landings.get(signature)?.outcome ?? null,
    recentUnitPrices: async () => [],
    minimumBalance: async (size) => svm.minimumBalanceForRentExemption(BigInt(size)),
    slotDurationMs: async () => SLOT_MS,
    async signaturesFor(at, limit, { minSlot, sinceSlot = 0n } = {}) {
      reach(minSlot);
      return [...landings.values()]
        .filter(({ keys, outcome }) => outcome.slot >= sinceSlot && allKeys(keys).includes(at))
        .map(({ outcome }) => outcome.signature)
        .toReversed()
        .slice(0, limit);
    },
    withOneNode: (work) => work(chain),
  };

  return {
    chain,
    svm,
    landing: (signature) => landings.get(signature) ?? null,
    put: (at, state) => putLiteAccount(svm, at, state),
    give(at, amount) {
      svm.airdrop(at, lamports(amount));
    },
  };
}
