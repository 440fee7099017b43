import type { Address, Signature } from "@solana/kit";
import type { LedgerChange, LedgerView } from "../../../practice/ledger.ts";
import type { TransactionOutcome } from "../../../solana/chain.ts";
import type { AccountState } from "../../../practice/runtime/account-state.ts";

export interface AccountRow {
  readonly address: Address;
  readonly lamports: string;
  readonly owner: Address;
  readonly data: Buffer;
  readonly executable: boolean;
}

/** In-memory cache of the practice chain's accounts at one version, per process. */
export interface PracticeCache {
  readonly view: LedgerView;
  /** Returns the outcome of a transaction this process landed recently. */
  outcome(signature: Signature): TransactionOutcome | undefined;
  /** Returns the cached version; negative before the first load. */
  version(): bigint;
  /** Returns the version up to which landed signatures are known; negative before the first load. */
  landedVersion(): bigint;
  /** Applies writes of accounts up to `version`; older answers than the cached version are ignored. */
  apply(version: bigint, rows: readonly AccountRow[]): void;
  /** Adds signatures that landed up to `version`. */
  remember(version: bigint, landed: readonly Signature[]): void;
  /** Applies this process's own commit. */
  commit(version: bigint, change: LedgerChange): void;
}

const MAX_REMEMBERED = 40_000;
const MAX_OUTCOMES = 1_000;

export function createPracticeCache(): PracticeCache {
  const accounts = new Map<Address, AccountState>();
  const landed = new Set<Signature>();
  const outcomes = new Map<Signature, TransactionOutcome>();
  let version = -1n;
  let landedVersion = -1n;

  const put = (address: Address, state: AccountState): void => {
    if (state.lamports === 0n) accounts.delete(address);
    else accounts.set(address, state);
  };
  const add = (signature: Signature): void => {
    landed.add(signature);
    if (landed.size <= MAX_REMEMBERED) return;
    for (const oldest of landed) {
      landed.delete(oldest);
      if (landed.size <= MAX_REMEMBERED / 2) break;
    }
  };

  const keep = (outcome: TransactionOutcome): void => {
    outcomes.set(outcome.signature, outcome);
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= MAX_OUTCOMES) break;
      outcomes.delete(oldest);
    }
  };

  return {
    view: {
      account: (address) => accounts.get(address),
      accounts: () => accounts,
      hasLanded: (signature) => landed.has(signature),
    },
    outcome: (signature) => outcomes.get(signature),
    version: () => version,
    landedVersion: () => landedVersion,
    apply(next, rows) {
      if (next <= version) return;
      for (const { address, lamports, owner, data, executable } of rows) {
        put(address, { lamports: BigInt(lamports), owner, data: new Uint8Array(data), executable });
      }
      version = next;
    },
    remember(next, signatures) {
      for (const signature of signatures) add(signature);
      if (next > landedVersion) landedVersion = next;
    },
    commit(next, change) {
      if (next <= version) return;
      for (const [address, state] of change.accounts) put(address, state);
      for (const { outcome } of change.records) {
        add(outcome.signature);
        keep(outcome);
      }
      version = next;
      // Those of other processes' commits in between are still to be loaded
      if (landedVersion === next - 1n) landedVersion = next;
    },
  };
}
