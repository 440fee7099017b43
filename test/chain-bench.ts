import {
  type Address,
  address,
  getTransactionDecoder,
  type Instruction,
  lamports,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { signTransaction } from "../src/practice/sign-transaction.ts";
import type { PracticeLedger } from "../src/practice/ledger.ts";
import type { AccountState } from "../src/practice/runtime/account-state.ts";
import { type TransactionError, TransactionRefusedError } from "../src/solana/chain.ts";
import type { Keypair } from "../src/solana/encoding/keys.ts";
import type { LookupTables } from "../src/solana/programs/squads-message.ts";
import { SYSTEM_PROGRAM } from "../src/solana/programs/system.ts";
import { tokenAccountCodec } from "../src/solana/programs/token.ts";

/** Result of a transaction: `null`, or the error's name with its code and instruction. */
export interface BenchResult {
  readonly error: string | null;
  readonly logs: readonly string[];
}

/** Chain for test cases: the practice chain, or the real runtime with the real programs. */
export interface ChainBench {
  send(
    keys: readonly [Keypair, ...Keypair[]],
    instructions: readonly Instruction[],
    tables?: LookupTables,
  ): Promise<BenchResult>;
  account(address: Address): Promise<AccountState | null>;
  put(address: Address, state: AccountState): Promise<void>;
  /** Modifies an existing account. */
  edit(address: Address, change: (state: AccountState) => AccountState): Promise<void>;
  give(address: Address, lamports: bigint): Promise<void>;
  advance(seconds: number): void;
  nextSlot(): void;
  /** The chain's own clock, in Unix seconds. */
  time(): Promise<{ readonly slot: bigint; readonly unixTime: bigint }>;
}

export async function lamportsOf(bench: ChainBench, address: Address): Promise<bigint> {
  return (await bench.account(address))?.lamports ?? 0n;
}

export async function tokensOf(bench: ChainBench, account: Address): Promise<bigint> {
  const state = await bench.account(account);
  return state === null ? 0n : tokenAccountCodec.decode(state.data).amount;
}

export const BENCH_START_MS = 1_764_000_000_000;

/** Runs cases on the practice chain. Failing transactions land for their fee, as on the real runtime. */
export async function openPracticeBench() {
  const clock = { ms: BENCH_START_MS, now: () => clock.ms };
  const ledger = createMemoryLedger();
  const market = createPracticeMarket();
  const options = { ledger, clock, prices: market, landsFailures: true };
  const chain = await createPracticeChain(options);
  const bench: ChainBench = {
    async send(keys, instructions, tables) {
      clock.ms += 400;
      const { blockhash } = await chain.latestBlockhash();
      const bytes = signTransaction(keys, instructions, blockhash, tables);
      try {
        const outcome = await chain.transaction(await chain.send(bytes));
        const error = outcome?.error ?? null;
        return { error: error && practiceErrorName(error), logs: outcome?.logs ?? [] };
      } catch (refusal) {
        if (!(refusal instanceof TransactionRefusedError)) throw refusal;
        return { error: practiceErrorName(refusal.error), logs: refusal.logs };
      }
    },
    account: async (address) => (await ledger.view()).account(address) ?? null,
    put: (address, state) => putPracticeAccount(ledger, address, state),
    async edit(address, change) {
      const state = (await ledger.view()).account(address);
      if (state === undefined) throw new Error(`There is no account ${address}`);
      await putPracticeAccount(ledger, address, change(state));
    },
    give: async (address, amount) => {
      await chain.fund(address, { lamports: amount, quoteUnits: 0n });
    },
    advance(seconds) {
      clock.ms += seconds * 1_000;
    },
    nextSlot() {
      clock.ms += 400;
    },
    async time() {
      const { slot } = await chain.accounts([SYSTEM_PROGRAM]);
      return { slot, unixTime: BigInt(Math.floor(clock.ms / 1_000)) };
    },
  };
  return { bench, chain, clock, market, ledger };
}

/** Returns the error's name as cases expect it. */
export function practiceErrorName(error: TransactionError): string {
  const at = error.instructionIndex === undefined ? "" : ` at ${error.instructionIndex}`;
  return `${error.name}${error.code === undefined ? "" : ` ${error.code}`}${at}`;
}

/** Writes an account of the practice chain directly, bypassing its programs. */
export function putPracticeAccount(
  ledger: PracticeLedger,
  at: Address,
  state: AccountState,
): Promise<void> {
  const change = { accounts: new Map([[at, state]]), records: [] };
  return ledger.transact(() => ({ value: undefined, change }));
}

export function liteAccount(svm: LiteSVM, at: Address): AccountState | null {
  const found = svm.getAccount(at);
  if (!found.exists) return null;
  const { lamports: amount, programAddress, data, executable } = found;
  return { lamports: amount, owner: programAddress, data: new Uint8Array(data), executable };
}

export function putLiteAccount(svm: LiteSVM, at: Address, state: AccountState): void {
  svm.setAccount({
    address: at,
    lamports: lamports(state.lamports),
    programAddress: state.owner,
    data: state.data,
    executable: state.executable,
    space: BigInt(state.data.length),
  });
}

/** Number of recent slots a runtime keeps. */
const RECENT_SLOTS = 512;

/** Sets the slot-hashes sysvar to the slots right before this one, for programs that need a recent slot. */
export function setRecentSlots(svm: LiteSVM, slot: bigint): void {
  const recent = svm.getSlotHashes();
  while (recent.length < RECENT_SLOTS) recent.push(...svm.getSlotHashes().slice(0, 1));
  for (const [age, hash] of recent.entries()) hash.slot = slot - BigInt(age + 1);
  svm.setSlotHashes(recent);
}

/** Runs cases on litesvm; `programs` are program files to load by address. */
export function openLiteBench(programs: Readonly<Record<string, string>> = {}): ChainBench {
  const svm = new LiteSVM();
  for (const [id, path] of Object.entries(programs)) svm.addProgramFromFile(address(id), path);
  const clock = svm.getClock();
  clock.unixTimestamp = BigInt(BENCH_START_MS / 1_000);
  svm.setClock(clock);
  setRecentSlots(svm, clock.slot);
  return {
    async send(keys, instructions, tables) {
      svm.expireBlockhash();
      const bytes = signTransaction(keys, instructions, svm.latestBlockhash(), tables);
      const result = svm.sendTransaction(getTransactionDecoder().decode(bytes));
      if (!(result instanceof FailedTransactionMetadata))
        return { error: null, logs: result.logs() };
      return { error: liteErrorName(result.toString()), logs: result.meta().logs() };
    },
    account: async (at) => liteAccount(svm, at),
    put: async (at, state) => putLiteAccount(svm, at, state),
    async edit(at, change) {
      const state = liteAccount(svm, at);
      if (state === null) throw new Error(`There is no account ${at}`);
      putLiteAccount(svm, at, change(state));
    },
    async give(at, amount) {
      svm.airdrop(at, lamports(amount));
    },
    advance(seconds) {
      const now = svm.getClock();
      now.unixTimestamp += BigInt(seconds);
      svm.setClock(now);
    },
    nextSlot() {
      const now = svm.getClock();
      now.slot += 1n;
      svm.setClock(now);
    },
    async time() {
      const { slot, unixTimestamp } = svm.getClock();
      return { slot, unixTime: unixTimestamp };
    },
  };
}

/** Returns the name of litesvm's error as cases expect it. */
export function liteErrorName(text: string): string {
  const failed = /InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))/.exec(text);
  if (failed === null) return /err: (\w+)/.exec(text)?.[1] ?? text;
  const [, index, code, name] = failed;
  return code === undefined ? `${name} at ${index}` : `Custom ${code} at ${index}`;
}
