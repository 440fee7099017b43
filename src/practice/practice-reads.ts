import { type PracticeMachine, answered, parse } from "./practice-machine.ts";
import {
  type Account,
  type Chain,
  ChainUnavailableError,
  type Commitment,
  type SignatureStatus,
  type Simulation,
  type TransactionOutcome,
} from "../solana/chain.ts";
import { RENT_SYSVAR } from "../solana/programs/system.ts";
import { rentExemptMinimum, rentPerByteOf } from "./runtime/rent.ts";
import { BLOCKHASH_LIFETIME_SLOTS, FINALITY_SLOTS } from "./slots.ts";

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
export function practiceReads(
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
