import type { Address, Signature } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import type {
  Account,
  Chain,
  Commitment,
  SignatureStatus,
  Simulation,
  TransactionError,
  TransactionOutcome,
} from "../solana/chain.ts";
import { ChainUnavailableError, TransactionRefusedError } from "../solana/chain.ts";
import { RENT_SYSVAR } from "../solana/programs/system.ts";
import { sizeLimitOf } from "../solana/transaction.ts";
import type { TransactionErrorName } from "../solana/transaction-errors.ts";
import type { VerifySignature } from "../solana/signing.ts";
import type { CommitState } from "./commit-queue.ts";
import { createCommitQueue } from "./commit-queue.ts";
import type { Grant } from "./faucet.ts";
import { FAUCET_MAX_LAMPORTS, FAUCET_MAX_QUOTE_UNITS, faucetTransaction } from "./faucet.ts";
import { genesisAccounts, PRACTICE_QUOTE_MINT, rentSysvar } from "./genesis.ts";
import type { PracticeLedger } from "./ledger.ts";
import { PRACTICE_LOOKUP_TABLE, practiceTable } from "./practice-table.ts";
import type { PriceSource } from "./price-source.ts";
import { PROGRAMS } from "./all-programs.ts";
import type { AccountState, ReadAccount } from "./runtime/account-state.ts";
import { executeTransaction, outcomeOf } from "./runtime/execute-transaction.ts";
import { rentExemptMinimum, rentPerByteOf } from "./runtime/rent.ts";
import type { WireTransaction } from "./runtime/wire-transaction.ts";
import { parseWireTransaction } from "./runtime/wire-transaction.ts";
import { BLOCKHASH_LIFETIME_SLOTS, createSlots, FINALITY_SLOTS, SLOT_MS } from "./slots.ts";
import { changeExchange, type ExchangeSettings, STAND_INS } from "./stand-ins.ts";
import type { PracticeTime } from "./venue-stand-in.ts";
import { hasValidSignatures, verifyStrictly } from "./verify-signatures.ts";

export interface PracticeChainOptions {
  readonly ledger: PracticeLedger;
  readonly clock: Clock;
  readonly prices: PriceSource;
  /** A faster strict verifier, where the host has one. */
  readonly verifySignature?: VerifySignature;
  /** Lands failing transactions for their fee, as without preflight; otherwise the node refuses them. */
  readonly landsFailures?: boolean;
}

/** The built-in chain: the same bytes, programs and rules as a real cluster, kept in a ledger. */
export interface PracticeChain extends Chain {
  /** Gives practice money within the limits of one call. Throws `RangeError` above them. */
  faucet(owner: Address, grant: Grant): Promise<Signature>;
  /** Gives practice money without a limit, for the platform's own keys and for tests. */
  fund(owner: Address, grant: Grant): Promise<Signature>;
  /** Pauses or resumes deposits, withdrawals and trades of the exchange. */
  setExchangePaused(isPaused: boolean): Promise<void>;
  changeExchange(settings: ExchangeSettings): Promise<void>;
  /** Sets what a byte of an account costs from now on, in lamports. */
  setRentPerByte(perByte: bigint): Promise<void>;
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

async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ChainUnavailableError("The practice ledger did not answer", { cause });
  }
}

function allGenesisAccounts(unixTime: bigint): ReadonlyMap<Address, AccountState> {
  const accounts = new Map([
    ...genesisAccounts(PROGRAMS.values()),
    ...STAND_INS.flatMap((venue) => [...venue.accounts(unixTime)]),
    [PRACTICE_LOOKUP_TABLE, practiceTable()] as const,
  ]);
  const mint = accounts.get(PRACTICE_QUOTE_MINT);
  if (mint !== undefined) {
    const withPools = STAND_INS.reduce((made, venue) => venue.withPools(made), mint);
    accounts.set(PRACTICE_QUOTE_MINT, withPools);
  }
  return accounts;
}

/** Opens the practice chain on its ledger, adding whatever genesis account is missing. */
export async function createPracticeChain(options: PracticeChainOptions): Promise<PracticeChain> {
  const {
    ledger,
    clock,
    prices,
    verifySignature = verifyStrictly,
    landsFailures = false,
  } = options;
  const slots = createSlots(await ledger.open(clock.now()), clock);
  const queue = createCommitQueue(ledger);
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

  const asKept = (account: ReadAccount, time: PracticeTime): ReadAccount =>
    STAND_INS.reduce((read, venue) => venue.live(read, prices, time), account);

  const execute = (wire: WireTransaction, account: ReadAccount) => {
    const time = slots.now();
    const read = asKept(account, time);
    return { time, execution: executeTransaction({ wire, read, programs: PROGRAMS, time }) };
  };

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

  const parse = (transaction: Uint8Array): WireTransaction => {
    const tooLarge = transaction.length > sizeLimitOf(transaction);
    const wire = tooLarge ? undefined : parseWireTransaction(transaction);
    if (wire !== undefined) return wire;
    const name = tooLarge ? "TransactionTooLarge" : "SanitizeFailure";
    throw new TransactionRefusedError({ kind: "transaction", name }, []);
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

  const change = (settings: ExchangeSettings): Promise<void> =>
    answered(queue.submit((state) => changeExchange(state, settings)));

  const statusOf = (
    outcome: TransactionOutcome | undefined,
    slot: bigint,
  ): SignatureStatus | null => {
    if (outcome === undefined) return null;
    const isFinal = slot - outcome.slot >= FINALITY_SLOTS;
    const commitment: Commitment = isFinal ? "finalized" : "confirmed";
    return { slot: outcome.slot, commitment, error: outcome.error };
  };

  const reachedSlot = (least: bigint): bigint => {
    const { slot } = slots.now();
    if (slot < least) throw new ChainUnavailableError(`Slot ${least} has not been reached`);
    return slot;
  };

  const chain: PracticeChain = {
    network: "practice",
    genesisHash: async () => slots.genesisHash,
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
      // Every slot has its block here
      return { slot: reached, blockHeight: reached };
    },
    // The ledger keeps everything
    historyStart: async () => 0n,
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
    async send(transaction) {
      const wire = parse(transaction);
      if (!hasValidSignatures(wire, verifySignature)) {
        const error = { kind: "transaction", name: "SignatureFailure" } as const;
        throw new TransactionRefusedError(error, []);
      }
      return admit(wire);
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
    // Blocks here are never full
    recentUnitPrices: async () => [],
    async signaturesFor(address, limit, { minSlot = 0n, sinceSlot = 0n, before } = {}) {
      reachedSlot(minSlot);
      const signatures = await answered(ledger.signaturesFor(address, limit, before));
      if (sinceSlot === 0n) return signatures;
      const outcomes = await answered(ledger.outcomes(signatures));
      return signatures.filter((_, at) => (outcomes[at]?.slot ?? 0n) >= sinceSlot);
    },
    withOneNode: (work) => work(chain),
    async faucet(owner, grant) {
      if (grant.lamports > FAUCET_MAX_LAMPORTS || grant.quoteUnits > FAUCET_MAX_QUOTE_UNITS) {
        throw new RangeError("The faucet gives at most 10 SOL and 10,000 quote tokens a call");
      }
      return give(owner, grant);
    },
    fund: give,
    setExchangePaused: (isPaused) => change({ exchangeStatus: isPaused ? 127 : 0 }),
    changeExchange: change,
    async minimumBalance(size) {
      const sysvar = (await answered(ledger.view())).account(RENT_SYSVAR);
      return rentExemptMinimum(size, rentPerByteOf(sysvar?.data ?? new Uint8Array()));
    },
    slotDurationMs: async () => SLOT_MS,
    setRentPerByte: (perByte) =>
      answered(queue.submit((state) => state.put(new Map([[RENT_SYSVAR, rentSysvar(perByte)]])))),
  };
  return chain;
}
