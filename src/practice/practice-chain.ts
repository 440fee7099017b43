import { addGenesis } from "./add-genesis.ts";
import { createLandings } from "./practice-landing.ts";
import { answered, createPracticeMachine, parse } from "./practice-machine.ts";
import { practiceReads } from "./practice-reads.ts";
import type { Address, Signature } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import { type Chain, TransactionRefusedError } from "../solana/chain.ts";
import { RENT_SYSVAR } from "../solana/programs/system.ts";
import type { VerifySignature } from "../solana/signing.ts";
import { FAUCET_MAX_LAMPORTS, FAUCET_MAX_QUOTE_UNITS, type Grant } from "./faucet.ts";
import { rentSysvar } from "./genesis.ts";
import type { PracticeLedger } from "./ledger.ts";
import type { PriceSource } from "./price-source.ts";
import { SLOT_MS, createSlots } from "./slots.ts";
import { type ExchangeSettings, changeExchange } from "./stand-ins.ts";
import { hasValidSignatures, verifyStrictly } from "./verify-signatures.ts";

export interface PracticeChainOptions {
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
  /** Pauses or resumes deposits, withdrawals and trades of the exchange. */
  setExchangePaused(isPaused: boolean): Promise<void>;
  changeExchange(settings: ExchangeSettings): Promise<void>;
  /** Sets the rent per byte of an account, in lamports. */
  setRentPerByte(perByte: bigint): Promise<void>;
}

/** Opens the practice chain on its ledger and adds missing genesis accounts. */
export async function createPracticeChain(options: PracticeChainOptions): Promise<PracticeChain> {
  const {
    ledger,
    clock,
    prices,
    verifySignature = verifyStrictly,
    landsFailures = false,
  } = options;
  const slots = createSlots(await ledger.open(clock.now()), clock);
  await addGenesis(ledger, slots);
  const machine = createPracticeMachine(ledger, slots, prices);
  const { queue } = machine;
  const { admit, give } = createLandings(machine, landsFailures);
  const change = (settings: ExchangeSettings): Promise<void> =>
    answered(queue.submit((state) => changeExchange(state, settings)));

  const chain: PracticeChain = {
    network: "practice",
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
    setExchangePaused: (isPaused) => change({ exchangeStatus: isPaused ? 127 : 0 }),
    changeExchange: change,
    slotDurationMs: async () => SLOT_MS,
    setRentPerByte: (perByte) =>
      answered(queue.submit((state) => state.put(new Map([[RENT_SYSVAR, rentSysvar(perByte)]])))),
  };
  return chain;
}
