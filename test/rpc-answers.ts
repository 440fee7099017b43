import type { Address, Signature } from "@solana/kit";
import {
  type Account,
  type Chain,
  ChainUnavailableError,
  type Commitment,
  type TransactionError,
  TransactionRefusedError,
} from "../src/solana/chain.ts";
import { signatureOf } from "../src/solana/signing.ts";
import { allKeys, type Balance, type Landing, landingOf } from "./landing.ts";

/** Data source of a JSON-RPC server. */
export interface RpcBackend {
  readonly chain: Chain;
  /** Returns a landed transaction with its balances; absent: balances are derived from the changes. */
  readonly landing?: (signature: Signature) => Landing | null;
}

export type Params = readonly [unknown?, Record<string, unknown>?];

/** A JSON-RPC error of a node. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Errors that nodes write with a detail. */
const WITH_DETAIL: Readonly<Partial<Record<TransactionError["name"], unknown>>> = {
  DuplicateInstruction: { DuplicateInstruction: 0 },
  InsufficientFundsForRent: { InsufficientFundsForRent: { account_index: 0 } },
  ProgramExecutionTemporarilyRestricted: {
    ProgramExecutionTemporarilyRestricted: { account_index: 0 },
  },
};

export function wireError(error: TransactionError | null): unknown {
  if (error === null) return null;
  if (error.kind === "transaction") return WITH_DETAIL[error.name] ?? error.name;
  const reason = error.name === "Custom" ? { Custom: error.code } : error.name;
  return { InstructionError: [error.instructionIndex, reason] };
}

/** Returns a node's error for a transaction that fails its simulation. */
export const preflightFailure = (error: TransactionError, logs: readonly string[] = []) =>
  new RpcFailure(-32_002, `Transaction simulation failed: ${error.name}`, {
    err: wireError(error),
    logs,
    unitsConsumed: 0,
  });

const wireAccount = (account: Account | null) =>
  account === null
    ? null
    : {
        lamports: account.lamports,
        owner: account.owner,
        executable: account.executable,
        data: [Buffer.from(account.data).toString("base64"), "base64"],
        space: account.data.length,
        rentEpoch: 0,
      };

function wireLanding({ outcome, keys, before, after }: Landing) {
  const addresses = allKeys(keys);
  const lamports = (balances: ReadonlyMap<Address, Balance>) =>
    addresses.map((key) => balances.get(key)?.lamports ?? 0n);
  const tokens = (balances: ReadonlyMap<Address, Balance>) =>
    addresses.flatMap((key, accountIndex) => {
      const token = balances.get(key)?.token ?? null;
      if (token === null) return [];
      const { mint, owner, amount } = token;
      return [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount) } }];
    });
  return {
    slot: outcome.slot,
    blockTime: outcome.blockTime,
    transaction: { message: { accountKeys: keys.fixed }, signatures: [outcome.signature] },
    meta: {
      err: wireError(outcome.error),
      fee: outcome.feeLamports,
      logMessages: outcome.logs,
      preBalances: lamports(before),
      postBalances: lamports(after),
      preTokenBalances: tokens(before),
      postTokenBalances: tokens(after),
      loadedAddresses: { writable: keys.writable, readonly: keys.readonly },
    },
  };
}

function failureOf(error: unknown): unknown {
  if (error instanceof TransactionRefusedError) return preflightFailure(error.error, error.logs);
  if (error instanceof ChainUnavailableError) {
    return new RpcFailure(-32_016, "Minimum context slot has not been reached");
  }
  return error;
}

/** Answers JSON-RPC as a node does. Throws `RpcFailure` for what a node answers with an error. */
export function createRpcAnswers(backend: RpcBackend) {
  const { chain } = backend;
  const sent = new Map<Signature, Uint8Array>();
  const minimum = (options: Record<string, unknown>) =>
    options["minContextSlot"] === undefined ? {} : BigInt(options["minContextSlot"] as number);
  const bytes = (text: unknown) => new Uint8Array(Buffer.from(text as string, "base64"));

  async function send(transaction: Uint8Array): Promise<Signature> {
    const signature = signatureOf(transaction);
    const [known] = (await chain.signatureStatuses([signature])).statuses;
    // A node's preflight refuses what its bank has seen
    if (known != null) throw preflightFailure({ kind: "transaction", name: "AlreadyProcessed" });
    sent.set(signature, transaction);
    return chain.send(transaction);
  }

  const methods: Readonly<
    Record<string, (first: never, options: Record<string, unknown>) => Promise<unknown>>
  > = {
    getGenesisHash: () => chain.genesisHash(),
    getFirstAvailableBlock: () => chain.historyStart(),
    async getMultipleAccounts(addresses: Address[], options) {
      const least = minimum(options);
      const read = typeof least === "bigint" ? { minContextSlot: least } : {};
      const { slot, accounts } = await chain.accounts(addresses, read);
      return { context: { slot }, value: accounts.map(wireAccount) };
    },
    async getProgramAccounts(program: Address, options) {
      const [{ memcmp }] = options["filters"] as [
        { memcmp: { offset: number | bigint; bytes: string } },
      ];
      const holds = { offset: Number(memcmp.offset), bytes: bytes(memcmp.bytes) };
      const found = await chain.accountsOf(program, holds);
      if (found === null) throw new RpcFailure(-32_601, "Method not found");
      return found.map((account) => ({ pubkey: account.address, account: wireAccount(account) }));
    },
    async getLatestBlockhash() {
      const { slot, ...value } = await chain.latestBlockhash();
      return { context: { slot }, value };
    },
    async getEpochInfo(first: Record<string, unknown> | undefined) {
      const commitment = (first?.["commitment"] ?? "finalized") as Commitment;
      const { slot, blockHeight } = await chain.progress(commitment);
      return { absoluteSlot: slot, blockHeight, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 };
    },
    getMinimumBalanceForRentExemption: (size: number) => chain.minimumBalance(Number(size)),
    async getRecentPerformanceSamples() {
      const numSlots = Math.round(60_000 / (await chain.slotDurationMs()));
      return [{ slot: 0, numSlots, numTransactions: 0, samplePeriodSecs: 60 }];
    },
    async simulateTransaction(text: string, options) {
      const replaceBlockhash = options["replaceRecentBlockhash"] === true;
      const { slot } = await chain.progress("confirmed");
      const { error, logs, unitsConsumed } = await chain.simulate(bytes(text), {
        replaceBlockhash,
      });
      return { context: { slot }, value: { err: wireError(error), logs, unitsConsumed } };
    },
    sendTransaction: (text: string) => send(bytes(text)),
    async getSignatureStatuses(signatures: Signature[]) {
      const { slot, statuses } = await chain.signatureStatuses(signatures);
      return {
        context: { slot },
        value: statuses.map((status) =>
          status === null
            ? null
            : {
                slot: status.slot,
                confirmations: null,
                confirmationStatus: status.commitment,
                err: wireError(status.error),
              },
        ),
      };
    },
    async getTransaction(signature: Signature) {
      const landing =
        backend.landing?.(signature) ?? (await landingOf(chain, signature, sent.get(signature)));
      return landing === null ? null : wireLanding(landing);
    },
    async getRecentPrioritizationFees(writable: Address[]) {
      const prices = await chain.recentUnitPrices(writable);
      return prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }));
    },
    async getSignaturesForAddress(address: Address, options) {
      const least = minimum(options);
      const search = typeof least === "bigint" ? { minSlot: least } : {};
      const signatures = await chain.signaturesFor(address, options["limit"] as number, search);
      const { statuses } = await chain.signatureStatuses(signatures);
      return signatures.map((signature, at) => ({
        signature,
        slot: statuses[at]?.slot ?? 0n,
        err: wireError(statuses[at]?.error ?? null),
      }));
    },
  };

  return async function answer(method: string, [first, options = {}]: Params): Promise<unknown> {
    const ask = methods[method];
    if (ask === undefined) throw new RpcFailure(-32_601, `Method not found: ${method}`);
    try {
      return await ask(first as never, options);
    } catch (error) {
      throw failureOf(error);
    }
  };
}
