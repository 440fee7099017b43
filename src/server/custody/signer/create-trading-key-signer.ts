import type { Address, Instruction, Signature } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { isMarketMove } from "../../../domain/order/signing-limits.ts";
import { type DecodedTransaction, decodeTransaction } from "../../../solana/decode-transaction.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../../solana/programs/compute-budget.ts";
import { encodeBase58 } from "../../../domain/base58.ts";
import { withSignatures } from "../../../solana/wire.ts";
import type { Keypair } from "../../../solana/encoding/keys.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "../../../solana/transaction.ts";
import { isNonceAdvance } from "../../../solana/verify-returned.ts";
import type {
  LimitedOrder,
  SigningPurpose,
  SigningRules,
  SigningTerms,
} from "../../../venues/order-signing.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { CustodyKeys } from "../account/custody-keys.ts";
import {
  orderFeeLamports,
  type SignedTransaction,
  SigningRefusedError,
  type SigningRequest,
  type TradingKeySigner,
} from "../account/trading-key-signer.ts";
import type { BudgetRefusal } from "../../../domain/order/signing-budget.ts";
import { createConcurrencyLimit } from "../../pacing/big-reads.ts";
import type { SigningLedger } from "./signing-ledger.ts";
import { refuseComputeBudget } from "../../../solana/compute-limit.ts";
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { SignMessage } from "../../../solana/signing.ts";

/** Maximum number of instructions besides the compute budget: cancel, close, settle and open of one market. */
const MAX_INSTRUCTIONS = 6;

/** Times that a request is judged because agent or ledger have changed meanwhile. */
const MAX_ROUNDS = 5;

/** Entries signed at once: those behind nodes wait a second for readings that they share. A slow one keeps nobody longer than this. */
const ENTRIES_AT_ONCE = 24;
const ENTRY_TURN_MS = 5_000;

/** Database connections of a signer. What waits for one are statements of milliseconds, so an exit is not kept. */
export const SIGNER_CONNECTIONS = 6;

/** An agent as the signer itself reads it. */
export interface SigningAgent {
  readonly account: VenueAccount;
  readonly network: Network;
  readonly rules: SigningRules;
  readonly terms: SigningTerms;
  /** Of the rows it was read from; null where nobody could change them. */
  readonly digest: string | null;
  /** Why what its owner signed is not all judged yet: by what is held already, exits are signed. */
  readonly unjudged?: ChainUnavailableError | undefined;
}

/** The signer's own reader of agents. */
export interface SigningAgents {
  /** Returns an agent as it is now, or null when there is nothing to sign. */
  read(agentId: AgentId): Promise<SigningAgent | null>;
  /**
   * Returns an agent as it was read last, or null. What is signed for it is written down only where its digest still
   * stands, and what is refused has to be judged again.
   */
  remembered(agentId: AgentId): SigningAgent | null;
  forget(agentId: AgentId): void;
}

function refuseInstruction(
  { account, rules }: SigningAgent,
  instruction: Required<Instruction>,
  feePayer: Address,
): string | null {
  if (instruction.accounts.some(({ address }) => address === feePayer)) {
    return "an instruction names the fee payer";
  }
  return rules.allow(account, instruction);
}

async function limitTransaction(
  agent: SigningAgent,
  transaction: DecodedTransaction,
  purpose: SigningPurpose,
  feePayer: Address,
): Promise<LimitedOrder> {
  const { account, rules, terms } = agent;
  const isBudget = ({ programAddress }: Instruction): boolean =>
    programAddress === COMPUTE_BUDGET_PROGRAM;
  const rest = transaction.instructions.filter((instruction) => !isBudget(instruction));
  const refusal =
    refuseSigners(account, transaction, feePayer) ??
    (rest.length === 0 || rest.length > MAX_INSTRUCTIONS
      ? "it has too few or too many instructions"
      : null) ??
    refuseComputeBudget(transaction.instructions.filter(isBudget)) ??
    rest
      .map((instruction) => refuseInstruction(agent, instruction, feePayer))
      .find((each) => each !== null);
  return refusal == null ? rules.limit(account, rest, purpose, terms) : { refusal };
}

function refuseSigners(
  account: VenueAccount,
  transaction: DecodedTransaction,
  feePayer: Address,
): string | null {
  if (transaction.feePayer !== feePayer) return "the fee payer is not ours";
  const signers: Address[] = transaction.signers.map(({ address }) => address);
  if (signers.some((signer) => signer !== feePayer && signer !== account.tradingKey)) {
    return "someone else has to sign";
  }
  if (!signers.includes(account.tradingKey)) return "the trading key has nothing to sign";
  return transaction.instructions.some(isNonceAdvance) ? "it carries a durable nonce" : null;
}

function toError({ text, limitBps, untilMs, isUndecided }: BudgetRefusal): Error {
  if (isUndecided) return new ChainUnavailableError(`Not signed yet: ${text}`);
  return new SigningRefusedError(`Refused to sign: ${text}`, {
    kind: "limited",
    limitBps,
    untilMs,
  });
}

/** What is to be signed, and the fee payer's signature: alone it moves nothing, and it is the transaction's id. */
interface Prepared {
  readonly decoded: DecodedTransaction;
  readonly paid: Uint8Array;
}

/** Creates what compiles a request, decodes what is to be signed and has the fee payer sign it. */
function createPreparer(
  { address: feePayer, seed }: Keypair,
  readTables: ((tables: readonly Address[]) => Promise<LookupTables>) | undefined,
) {
  const confirmTables = async (tables: readonly Address[]): Promise<LookupTables> => {
    if (tables.length === 0) return {};
    if (readTables === undefined) throw new Error("Lookup tables are not read here");
    return readTables(tables);
  };

  return async ({
    instructions,
    lifetime,
    tables: named = [],
  }: SigningRequest): Promise<Prepared> => {
    let unsigned: Uint8Array;
    let decoded: DecodedTransaction;
    try {
      const tables = await confirmTables(named);
      unsigned = compileTransaction({ feePayer, lifetime, instructions, tables });
      // Decoded with the tables' contents on chain: accounts of any other table fail to decode
      decoded = decodeTransaction(unsigned, tables);
    } catch (cause) {
      if (cause instanceof ChainUnavailableError) throw cause;
      throw new SigningRefusedError("The transaction cannot be read", { cause });
    }
    if (unsigned.length > TRANSACTION_SIZE_LIMIT) {
      throw new SigningRefusedError("The transaction is too large");
    }
    return { decoded, paid: signEd25519(decoded.messageBytes, seed) };
  };
}

/** Judges a request for an agent as it was read; null where that is no longer how things are. */
async function signFor(
  { keys, ledger }: { readonly keys: CustodyKeys; readonly ledger: SigningLedger },
  agent: SigningAgent,
  asked: SigningRequest,
  { decoded, paid, isRemembered }: Prepared & { readonly isRemembered: boolean },
): Promise<SignedTransaction | null> {
  const feePayer = keys.feePayer.address;
  const { agentId, purpose, lifetime } = asked;
  const { account, network, rules, terms, digest } = agent;
  const tradingKey = keys.tradingKeyAt(agentId, account.tradingKey);
  if (tradingKey === null || !keys.isCustody(agentId, account)) {
    throw new SigningRefusedError("The account is not this agent's");
  }
  const limited = await limitTransaction(agent, decoded, purpose, feePayer);
  if (limited.refusal !== null) {
    if (terms.unsigned != null && agent.unjudged !== undefined) throw agent.unjudged;
    const kind = isMarketMove(limited.refusal) ? "moved" : "refused";
    throw new SigningRefusedError(`Refused to sign: ${limited.refusal}`, { kind });
  }
  const { order } = limited;
  if (asked.isUrgent && order?.kind === "entry") {
    throw new SigningRefusedError("Refused to sign: an entry is not urgent");
  }
  const request = {
    agentId,
    agentDigest: digest,
    isRemembered,
    network,
    chain: (order?.kind === "entry" ? rules.entries : undefined) ?? rules.chain,
    account,
    slippageBps: terms.slippageBps,
    leverage: terms.leverage,
    order,
    lamports: orderFeeLamports(decoded.instructions),
    draft: {
      signature: encodeBase58(paid) as Signature,
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      blockhashSlot: lifetime.slot,
    },
  };
  const signed = await ledger.sign(request, () =>
    withSignatures(
      decoded,
      new Map([
        [feePayer, paid],
        [account.tradingKey, signEd25519(decoded.messageBytes, tradingKey.seed)],
      ]),
    ),
  );
  if (signed === null || "signature" in signed) return signed;
  throw toError(signed);
}

/**
 * Creates the signer in this process.
 *
 * It decodes and checks the compiled bytes it is about to sign and derives the agent's vault itself: an account that is
 * not this agent's is refused whatever a caller or the database claims.
 */
export function createTradingKeySigner(options: {
  readonly keys: CustodyKeys;
  readonly ledger: SigningLedger;
  readonly agents: SigningAgents;
  /** Reads lookup tables from the chain; when absent, transactions that need one are refused. */
  readonly readTables?: (tables: readonly Address[]) => Promise<LookupTables>;
}): TradingKeySigner {
  const { keys, agents, readTables } = options;
  const prepare = createPreparer(keys.feePayer, readTables);
  const inTurn = createAgentTurns();
  const others = createConcurrencyLimit(ENTRIES_AT_ONCE, ENTRY_TURN_MS);

  /**
   * Signs by what is remembered of the agent, which saves a reading: the signature is written down only where nothing has
   * changed. Null where it is not signed; whatever refuses it is judged again.
   */
  const signRemembered = async (asked: SigningRequest, prepared: Promise<Prepared>) => {
    const agent = agents.remembered(asked.agentId);
    if (agent === null) return null;
    const ready = await prepared;
    try {
      return await signFor(options, agent, asked, { ...ready, isRemembered: true });
    } catch (error) {
      if (error instanceof SigningRefusedError) return null;
      agents.forget(asked.agentId);
      throw error;
    }
  };

  const signNow = async (asked: SigningRequest): Promise<SignedTransaction> => {
    const { agentId } = asked;
    // Compiled while the agent is read, which may refuse first
    const prepared = prepare(asked);
    prepared.catch(() => {});
    const early = await signRemembered(asked, prepared);
    if (early !== null) return early;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const [agent] = await Promise.all([agents.read(agentId), options.ledger.read(agentId)]);
      if (agent === null) throw new SigningRefusedError("Nothing is signed for this agent");
      const ready = { ...(await prepared), isRemembered: false };
      const signed = await signFor(options, agent, asked, ready);
      if (signed !== null) return signed;
    }
    throw new ChainUnavailableError("Not signed yet: another signer signs for this agent");
  };

  return {
    feePayer: keys.feePayer.address,
    sign(request) {
      const { agentId, isUrgent } = request;
      const sign = () => inTurn(agentId, isUrgent, () => signNow(request));
      // An entry gets its agent's turn last: an exit waits for one signature at most
      return isUrgent ? sign() : others(sign);
    },
  };
}

/** DER header that precedes the 32 bytes of a private seed (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Parsed keys, cached as long as the seed exists: parsing takes longer than signing. */
const keys = new WeakMap<Uint8Array, KeyObject>();

/** Signs with OpenSSL: the same bytes as the JavaScript implementation in a tenth of the time. */
export const signEd25519: SignMessage = (message, seed) => {
  const key = keys.get(seed) ?? readKey(seed);
  keys.set(seed, key);
  return new Uint8Array(sign(null, message, key));
};

const readKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([DER_PREFIX, seed]), format: "der", type: "pkcs8" });

interface Line {
  readonly urgent: (() => void)[];
  readonly others: (() => void)[];
}

/** Creates turns of agents: one piece of work of an agent at a time, urgent ones first, in the order asked. */
export function createAgentTurns() {
  /** Lines of the agents that have a turn now. */
  const lines = new Map<AgentId, Line>();

  const pass = (agentId: AgentId): void => {
    const line = lines.get(agentId);
    const next = line?.urgent.shift() ?? line?.others.shift();
    if (next === undefined) lines.delete(agentId);
    else next();
  };

  return async <T>(agentId: AgentId, isUrgent: boolean, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(agentId);
    if (line === undefined) lines.set(agentId, { urgent: [], others: [] });
    else await new Promise<void>((go) => (isUrgent ? line.urgent : line.others).push(go));
    try {
      return await work();
    } finally {
      pass(agentId);
    }
  };
}
