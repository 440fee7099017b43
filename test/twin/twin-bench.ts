import { readFileSync } from "node:fs";
import { type Address, address, getTransactionDecoder } from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { createMemoryLedger } from "../memory-ledger.ts";
import { createPracticeChain } from "../../src/practice/practice-chain.ts";
import { EMPTY_ACCOUNT } from "../../src/practice/runtime/account-state.ts";
import { SYSVAR_OWNER } from "../../src/practice/runtime/bytes.ts";
import { signTransaction } from "../../src/practice/sign-transaction.ts";
import { SLOT_MS } from "../../src/practice/slots.ts";
import type { PracticeLedger } from "../../src/practice/ledger.ts";
import { TransactionRefusedError } from "../../src/solana/chain.ts";
import { LOOKUP_TABLE_PROGRAM } from "../../src/solana/programs/address-lookup-table.ts";
import type { LookupTables } from "../../src/solana/programs/squads-message.ts";
import { readWire } from "../../src/solana/wire.ts";
import {
  BENCH_START_MS,
  type BenchResult,
  type ChainBench,
  liteAccount,
  liteErrorName,
  practiceErrorName,
  putLiteAccount,
  putPracticeAccount,
  setRecentSlots,
} from "../chain-bench.ts";
import { compareAccounts } from "./compare-accounts.ts";
import { compareLogs } from "./compare-logs.ts";
import { type Difference, Explanations, parseExplained } from "./difference.ts";

/** First slot of the real runtime, so that a price posted in slot 0 is outdated on both chains. */
const START_SLOT = 447_552_000;

const TABLE = new URL("../../docs/practice-differences.md", import.meta.url);

/** The rows of `docs/practice-differences.md` that one run of the twins may use. */
export function explanationsFor(run: string): Explanations {
  return new Explanations(parseExplained(readFileSync(TABLE, "utf8")), run);
}

/** A chain bench that does everything on the practice chain and on the real runtime, and compares them. */
export interface TwinBench extends ChainBench {
  /** Unexplained differences in the order found. */
  readonly unexplained: readonly string[];
}

/** Returns the accounts a transaction names, including those of its lookup tables. */
function namedBy(wire: Uint8Array, tables: LookupTables): readonly Address[] {
  const { message } = readWire(wire);
  const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : [];
  const loaded = lookups.flatMap(({ lookupTableAddress, writableIndexes, readonlyIndexes }) =>
    [...writableIndexes, ...readonlyIndexes].flatMap(
      (index) => tables[lookupTableAddress]?.[index] ?? [],
    ),
  );
  return [...message.staticAccounts, ...loaded];
}

const TOP_UNITS = /^Program (\w+) consumed (\d+) of \d+ compute units$/;

/** Returns the compute units consumed by the top-level instructions, from the logs. */
function unitsOf(logs: readonly string[]): bigint {
  let depth = 0;
  let units = 0n;
  for (const line of logs) {
    const invoked = / invoke \[(\d+)\]$/.exec(line)?.[1];
    if (invoked !== undefined) depth = Number(invoked);
    const consumed = TOP_UNITS.exec(line)?.[2];
    if (consumed !== undefined && depth === 1) units += BigInt(consumed);
    if (/^Program \w+ (success|failed)/.test(line)) depth -= 1;
  }
  return units;
}

const namesOf = (logs: readonly string[]) =>
  logs.flatMap((line) => /^Program log: Instruction: (\w+)$/.exec(line)?.[1] ?? []).join(" ");

/** Returns the differences between two results of one transaction. */
function compareResults(practice: BenchResult, real: BenchResult): readonly Difference[] {
  const found: Difference[] = [];
  const name = (error: string | null) => error ?? "landed";
  if (practice.error !== real.error) {
    const id = `error ${name(practice.error)} instead of ${name(real.error)}`;
    found.push({ id, practice: name(practice.error), real: name(real.error) });
  }
  found.push(...compareLogs(practice.logs, real.logs));
  const [ours, theirs] = [unitsOf(practice.logs), unitsOf(real.logs)];
  if (practice.error === null && real.error === null && ours < theirs) {
    found.push({ id: "units.short", practice: `${ours}`, real: `${theirs}` });
  }
  return found;
}

/** A ledger that remembers which accounts were ever written. */
function remembering(ledger: PracticeLedger, written: Set<Address>): PracticeLedger {
  return {
    ...ledger,
    transact: (run) =>
      ledger.transact((view) => {
        const decision = run(view);
        for (const at of decision.change.accounts.keys()) written.add(at);
        return decision;
      }),
  };
}

function setTime(svm: LiteSVM, slot: bigint, unixTime: bigint): void {
  const clock = svm.getClock();
  clock.slot = slot;
  clock.unixTimestamp = unixTime;
  svm.setClock(clock);
}

/**
 * Opens both chains with the same accounts and the same time. Every transaction is signed once, and the very same bytes go
 * to both; result, logs, events, units and every byte of every account named are compared.
 *
 * Cases see the real chain's answers.
 */
export async function openTwinBench(
  programs: Readonly<Record<string, string>>,
  explanations: Explanations,
): Promise<TwinBench> {
  const clock = { ms: BENCH_START_MS, now: () => clock.ms };
  const written = new Set<Address>();
  const ledger = remembering(createMemoryLedger(), written);
  const genesisMs = BENCH_START_MS - START_SLOT * SLOT_MS;
  await ledger.open(genesisMs);
  // Prices are what the accounts hold: nobody keeps them
  const prices = { label: "none", quote: () => undefined };
  const chain = await createPracticeChain({ ledger, clock, prices, landsFailures: true });
  const svm = new LiteSVM().withBlockhashCheck(false);
  for (const [id, path] of Object.entries(programs)) svm.addProgramFromFile(address(id), path);

  const onPractice = async (at: Address) => (await ledger.view()).account(at) ?? null;
  for (const at of written) {
    const state = await onPractice(at);
    if (state === null || state.executable || state.owner === SYSVAR_OWNER) continue;
    putLiteAccount(svm, at, state);
  }

  const unexplained: string[] = [];
  const report = (where: string, differences: readonly Difference[]) => {
    for (const { id, practice, real } of explanations.unexplained(differences)) {
      unexplained.push(`${where}: ${id}\n    practice ${practice}\n    real     ${real}`);
    }
  };
  const now = () => ({
    slot: BigInt(Math.floor((clock.ms - genesisMs) / SLOT_MS)),
    unixTime: BigInt(Math.floor(clock.ms / 1_000)),
  });

  const sendToPractice = async (bytes: Uint8Array): Promise<BenchResult> => {
    try {
      const outcome = await chain.transaction(await chain.send(bytes));
      const error = outcome?.error ?? null;
      return { error: error && practiceErrorName(error), logs: outcome?.logs ?? [] };
    } catch (refusal) {
      if (!(refusal instanceof TransactionRefusedError)) throw refusal;
      return { error: practiceErrorName(refusal.error), logs: refusal.logs };
    }
  };
  const sendToReal = (bytes: Uint8Array): BenchResult => {
    const result = svm.sendTransaction(getTransactionDecoder().decode(bytes));
    if (!(result instanceof FailedTransactionMetadata)) return { error: null, logs: result.logs() };
    return { error: liteErrorName(result.toString()), logs: result.meta().logs() };
  };
  const compareNamed = async (where: string, named: readonly Address[]) => {
    for (const at of named) {
      const practice = await onPractice(at);
      if (practice?.executable === true || practice?.owner === SYSVAR_OWNER) continue;
      const real = liteAccount(svm, at);
      if (real?.executable === true || real?.owner === SYSVAR_OWNER) continue;
      report(`${where}, ${at}`, compareAccounts(practice, real));
    }
  };

  return {
    unexplained,
    async send(keys, instructions, tables = {}) {
      clock.ms += SLOT_MS;
      const { slot, unixTime } = now();
      setTime(svm, slot, unixTime);
      if (instructions.some(({ programAddress }) => programAddress === LOOKUP_TABLE_PROGRAM)) {
        setRecentSlots(svm, slot);
      }
      const { blockhash } = await chain.latestBlockhash();
      const bytes = signTransaction(keys, instructions, blockhash, tables);
      const practice = await sendToPractice(bytes);
      const real = sendToReal(bytes);
      const where = namesOf(real.logs) || instructions[0]?.programAddress || "nothing";
      report(where, compareResults(practice, real));
      await compareNamed(where, namedBy(bytes, tables));
      return real;
    },
    account: async (at) => liteAccount(svm, at),
    async put(at, state) {
      await putPracticeAccount(ledger, at, state);
      putLiteAccount(svm, at, state);
    },
    async edit(at, change) {
      const [practice, real] = [await onPractice(at), liteAccount(svm, at)];
      if (practice === null || real === null) throw new Error(`Not both chains have ${at}`);
      await putPracticeAccount(ledger, at, change(practice));
      putLiteAccount(svm, at, change(real));
    },
    async give(at, amount) {
      const state = (await onPractice(at)) ?? EMPTY_ACCOUNT;
      const next = { ...state, lamports: state.lamports + amount };
      await putPracticeAccount(ledger, at, next);
      putLiteAccount(svm, at, next);
    },
    advance(seconds) {
      clock.ms += seconds * 1_000;
    },
    nextSlot() {
      clock.ms += SLOT_MS;
    },
    time: async () => now(),
  };
}
