import type { Address, Instruction } from "@solana/kit";
import type { AgentId } from "../../../domain/ids.ts";
import { isMarketMove } from "../../../domain/order/signing-limits.ts";
import { type DecodedTransaction, decodeTransaction } from "../../../solana/decode-transaction.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../../solana/programs/compute-budget.ts";
import { signatureOf, signWire } from "../../../solana/signing.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "../../../solana/transaction.ts";
import { isNonceAdvance } from "../../../solana/verify-returned.ts";
import type { SigningPurpose, SigningRules, SigningTerms } from "../../../venues/order-signing.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { CustodyKeys } from "../account/custody-keys.ts";
import { type TradingKeySigner, SigningRefusedError } from "../account/trading-key-signer.ts";
import { signEd25519 } from "./sign-ed25519.ts";
import { refuseComputeBudget } from "../../../solana/compute-budget-allowed.ts";

/** Maximum number of instructions besides the compute budget: cancel, close, settle and open of one market. */
const MAX_INSTRUCTIONS = 6;

/** An agent as the signer itself reads it. */
export interface SigningAgent {
  readonly account: VenueAccount;
  readonly rules: SigningRules;
  readonly terms: SigningTerms;
}

/**
 * Creates the signer in this process.
 *
 * It decodes and checks the compiled bytes it is about to sign and derives the agent's vault itself: an account that is
 * not this agent's is refused whatever a caller or the database claims.
 */
export function createTradingKeySigner(options: {
  readonly keys: CustodyKeys;
  /** Returns null for an agent without anything to sign. */
  readonly readAgent: (agentId: AgentId) => Promise<SigningAgent | null>;
  /** Reads lookup tables from the chain; when absent, transactions that need one are refused. */
  readonly readTables?: (tables: readonly Address[]) => Promise<LookupTables>;
}): TradingKeySigner {
  const { keys, readAgent, readTables } = options;
  const feePayer = keys.feePayer.address;

  const refuseInstruction = (
    { account, rules }: SigningAgent,
    instruction: Required<Instruction>,
  ): string | null => {
    if (instruction.accounts.some(({ address }) => address === feePayer)) {
      return "an instruction names the fee payer";
    }
    return rules.allow(account, instruction);
  };

  const refuseTransaction = async (
    agent: SigningAgent,
    transaction: DecodedTransaction,
    purpose: SigningPurpose,
  ): Promise<string | null> => {
    const { account, rules, terms } = agent;
    if (transaction.feePayer !== feePayer) return "the fee payer is not ours";
    const signers: Address[] = transaction.signers.map(({ address }) => address);
    if (signers.some((signer) => signer !== feePayer && signer !== account.tradingKey)) {
      return "someone else has to sign";
    }
    if (!signers.includes(account.tradingKey)) return "the trading key has nothing to sign";
    if (transaction.instructions.some(isNonceAdvance)) return "it carries a durable nonce";
    const isBudget = ({ programAddress }: Instruction): boolean =>
      programAddress === COMPUTE_BUDGET_PROGRAM;
    const rest = transaction.instructions.filter((instruction) => !isBudget(instruction));
    if (rest.length === 0 || rest.length > MAX_INSTRUCTIONS) {
      return "it has too few or too many instructions";
    }
    const refusals = rest.map((instruction) => refuseInstruction(agent, instruction));
    return (
      refuseComputeBudget(transaction.instructions.filter(isBudget)) ??
      refusals.find((refusal) => refusal !== null) ??
      (await rules.limit(account, rest, purpose, terms))
    );
  };

  const confirmTables = async (tables: readonly Address[]): Promise<LookupTables> => {
    if (tables.length === 0) return {};
    if (readTables === undefined) throw new Error("Lookup tables are not read here");
    return readTables(tables);
  };

  return {
    feePayer,
    async sign({ agentId, purpose, instructions, lifetime, tables: named = [] }) {
      const agent = await readAgent(agentId);
      if (agent === null) throw new SigningRefusedError("Nothing is signed for this agent");
      const { account } = agent;
      const tradingKey = keys.tradingKeyAt(agentId, account.tradingKey);
      if (tradingKey === null || !keys.isCustody(agentId, account)) {
        throw new SigningRefusedError("The account is not this agent's");
      }
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
      const refusal = await refuseTransaction(agent, decoded, purpose);
      if (refusal !== null) {
        const hasMarketMoved = isMarketMove(refusal);
        throw new SigningRefusedError(`Refused to sign: ${refusal}`, { hasMarketMoved });
      }
      const transaction = signWire(decoded, [keys.feePayer, tradingKey], signEd25519);
      return {
        transaction,
        signature: signatureOf(transaction),
        lastValidBlockHeight: lifetime.lastValidBlockHeight,
        blockhashSlot: lifetime.slot,
      };
    },
  };
}
