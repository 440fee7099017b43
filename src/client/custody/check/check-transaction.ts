import { type Address, type Instruction, getU32Decoder, getU64Decoder } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../../solana/programs/compute-budget.ts";
import { squadsArguments, deriveVault, SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";
import type { Effect, EffectKind } from "../../../venues/effect.ts";
import type {
  ApprovalRequest,
  ApprovalTerms,
  IntentRule,
  Party,
  MoveRule,
  NamedToken,
} from "../../../venues/venue-approval.ts";
import type { CheckResult, TransactionSummary } from "../approval-phase.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import { decodeTransaction } from "../../../solana/decode-transaction.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { sizeLimitOf, type TransactionSettings } from "../../../solana/transaction.ts";
import { readOwnerInstruction } from "./read-owner-instruction.ts";
import { readVaultLife, VAULT_LIFE_LENGTH } from "./read-vault-life.ts";
import { Mismatch, insist } from "../../../venues/mismatch.ts";

function checkSigners(signers: readonly Address[], request: ApprovalRequest): void {
  const others = signers.filter((signer) => signer !== request.wallet);
  insist(
    others.length <= (request.method === "sign" ? 1 : 0),
    "The transaction wants signatures besides yours.",
  );
}

function checkMultisig(
  effects: readonly Effect[],
  { multisig, pinnedMultisig }: ApprovalRequest,
): void {
  const isCreation = effects.some((effect) => effect.kind === "create-multisig");
  insist(
    isCreation || pinnedMultisig === null || pinnedMultisig === multisig,
    "The multisig is not the one this browser set up for this agent.",
  );
}

// Opening an existing account has no effect, so a repetition is ignored
function isFirstOpening(effect: Effect, at: number, effects: readonly Effect[]): boolean {
  if (effect.kind !== "create-token-account") return true;
  return (
    effects.findIndex((other) => other.kind === effect.kind && other.account === effect.account) ===
    at
  );
}

function summarise(
  bytes: Uint8Array,
  request: ApprovalRequest,
  terms: ApprovalTerms,
): TransactionSummary {
  const { wallet, multisig, vault, tables } = request;
  const message = decodeMessage(bytes, tables);
  insist(message.feePayer === wallet, "The transaction would be paid for by another wallet.");
  checkSigners(message.signers, request);
  insist(
    deriveVault(multisig).address === vault,
    "The vault does not belong to this agent's multisig.",
  );
  const isBudget = (each: FullInstruction) => each.programAddress === COMPUTE_BUDGET_PROGRAM;
  const budget = message.instructions.filter(isBudget);
  const others = message.instructions.filter((each) => !isBudget(each));
  insist(others.length > 0, "The transaction does nothing.");
  const effects = readEffects(others, request, terms);
  checkEffects(effects, request, terms);
  checkMultisig(effects, request);
  const feeLamports = readFee({
    settings: message.settings,
    budget,
    signerCount: message.signers.length,
    otherCount: others.length,
  });
  const shown = effects.filter(isFirstOpening);
  return { feePayer: wallet, signers: message.signers, effects: shown, feeLamports };
}

/**
 * Decodes a prepared transaction in this browser and compares it with what the user asked for.
 *
 * It is the user's protection from our own server: payer, signers, programs, accounts, amounts and destinations must
 * all be the expected ones, and an instruction that is not understood is refused. `terms` are the venue's.
 */
export function checkTransaction(
  bytes: Uint8Array,
  request: ApprovalRequest,
  terms: ApprovalTerms,
): CheckResult {
  try {
    return { kind: "matches", summary: summarise(bytes, request, terms) };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}

/** Most SOL a set-up puts into the vault, in lamports: 0.1 SOL. */
const MAX_VAULT_FUNDING_LAMPORTS = 100_000_000n;

/** Effect kinds that may occur at most once per transaction, for every intent. */
const ONCE: readonly EffectKind[] = [
  "create-multisig",
  "lamports",
  "tokens",
  "trading-key",
  "sale",
  "venue-name",
  "venue-deposit",
  "venue-withdrawal",
  "venue-deletion",
];

/** Context for checking one effect. */
interface Context {
  readonly request: ApprovalRequest;
  readonly terms: ApprovalTerms;
  readonly rule: IntentRule;
  /** Trading key that receives spending limits; null when none are set. */
  readonly tradingKey: string | null;
}

function isOneOf(
  address: string,
  parties: readonly Party[],
  { request: { wallet, vault }, tradingKey }: Context,
): boolean {
  const addresses = { wallet, vault, "trading-key": tradingKey };
  return parties.some((party) => addresses[party] === address);
}

function checkLamports(
  { from, to, lamports }: Extract<Effect, { kind: "lamports" }>,
  { wallet, vault, intent }: ApprovalRequest,
): void {
  if (intent === "delete") {
    insist(
      from === vault && to === wallet,
      "The vault's SOL would go somewhere else than your wallet.",
    );
    return;
  }
  insist(from === wallet && to === vault, "SOL would go somewhere else than this agent's vault.");
  insist(
    lamports <= MAX_VAULT_FUNDING_LAMPORTS,
    "More SOL would go to the vault than the set-up needs.",
  );
}

function checkTradingKey(
  tradingKey: string | null,
  { wallet, vault, intent }: ApprovalRequest,
): void {
  const others: readonly (string | Address)[] = [wallet, vault];
  insist(
    intent === "set-up" ? tradingKey !== null && !others.includes(tradingKey) : tradingKey === null,
    "The trading key is not a trading key.",
  );
}

function checkEffect(effect: Effect, context: Context): void {
  const { request, rule, tradingKey } = context;
  switch (effect.kind) {
    case "create-multisig":
      insist(
        effect.multisig === request.multisig,
        "The multisig would get another address than announced.",
      );
      return;
    case "lamports":
      checkLamports(effect, request);
      return;
    case "create-token-account":
      insist(
        isOneOf(effect.owner, rule.opensFor ?? [], context),
        "A token account would be opened for somebody else.",
      );
      return;
    case "close-token-account":
      insist(
        rule.closes !== undefined &&
          isOneOf(effect.owner, [rule.closes.of], context) &&
          isOneOf(effect.to, rule.closes.rentTo, context),
        "A token account would be closed that is not this agent's.",
      );
      return;
    case "tokens":
      checkMove(effect, rule.moves, context);
      return;
    case "venue-deposit":
    case "venue-withdrawal":
      // A deletion moves every remaining balance to the owner's wallet, from any account
      insist(
        effect.amount === request.amount || request.intent === "delete",
        "The amount is not what you asked for.",
      );
      return;
    case "trading-key":
      checkTradingKey(effect.tradingKey, request);
      return;
    case "spending-limit":
      insist(effect.tradingKey === tradingKey, "Two different keys would be allowed to trade.");
      return;
    default:
  }
}

/** Throws `Mismatch` unless the effects are exactly those of the intent: none unknown, duplicate or missing. */
function checkEffects(
  effects: readonly Effect[],
  request: ApprovalRequest,
  terms: ApprovalTerms,
): void {
  const rule = terms.rules[request.intent];
  if (rule === undefined) throw new Mismatch("This page cannot check that kind of transaction.");
  const limit = effects.find((effect) => effect.kind === "spending-limit");
  const context = { request, terms, rule, tradingKey: limit?.tradingKey ?? null };
  for (const effect of effects) {
    insist(rule.may.includes(effect.kind), "The transaction does more than what you asked for.");
    checkEffect(effect, context);
  }
  for (const kind of [...ONCE, ...(rule.once ?? [])]) {
    insist(
      effects.filter((effect) => effect.kind === kind).length <= 1,
      "The transaction does something twice.",
    );
  }
  rule.check?.(effects, request);
}

const OTHER_TOKEN = "Another token would move than the one you asked for.";

function movable(
  { token }: MoveRule,
  { moved }: ApprovalRequest,
  { quote, assets }: ApprovalTerms,
): readonly NamedToken[] {
  switch (token) {
    case "quote":
      return [quote];
    case "asset":
      return assets.filter(({ symbol }) => moved === null || symbol === moved);
    case "any":
      return [quote, ...assets];
  }
}

/** Throws `Mismatch` unless a transfer has the intent's token, source, destination and amount. */
function checkMove(
  effect: Extract<Effect, { kind: "tokens" }>,
  rule: MoveRule | undefined,
  { request, terms }: { readonly request: ApprovalRequest; readonly terms: ApprovalTerms },
): void {
  const token = rule && movable(rule, request, terms).find(({ mint }) => mint === effect.mint);
  insist(rule !== undefined && token !== undefined, OTHER_TOKEN);
  const { wallet, vault } = request;
  const isDeposit = rule.from === "wallet";
  // A deposit must name its mint; for a withdrawal both token accounts determine the mint
  insist(effect.namesMint || !isDeposit, OTHER_TOKEN);
  const accountOf = (owner: Address): Address =>
    associatedTokenAddress(owner, token.mint, token.tokenProgram);
  const [source, target] = isDeposit ? [wallet, vault] : [vault, wallet];
  insist(
    effect.from === accountOf(source) && effect.to === accountOf(target),
    isDeposit
      ? "The money would go somewhere else than this agent's vault."
      : "The money would go somewhere else than your wallet.",
  );
  insist(
    rule.amount === "any" || effect.amount === request.amount,
    "The amount is not what you asked for.",
  );
}

/** Decoded transaction message with lookup-table indexes resolved to addresses. */
interface DecodedMessage {
  readonly feePayer: Address;
  readonly signers: readonly Address[];
  readonly instructions: readonly FullInstruction[];
  /** Compute budget of a version 1 header; null when instructions set it. */
  readonly settings: TransactionSettings | null;
}

/** Decodes an unsigned transaction; accounts from a lookup table not in `tables` are refused. */
function decodeMessage(bytes: Uint8Array, tables: LookupTables): DecodedMessage {
  insist(bytes.length <= sizeLimitOf(bytes), "The prepared transaction is too large.");
  try {
    const { feePayer, signers, instructions, settings } = decodeTransaction(bytes, tables);
    return {
      feePayer,
      signers: signers.map((slot) => slot.address),
      instructions: instructions.map(({ programAddress, accounts, data }) => ({
        programAddress,
        accounts,
        data: new Uint8Array(data),
      })),
      settings,
    };
  } catch {
    throw new Mismatch(
      "The prepared transaction cannot be read, or it hides accounts in an unknown lookup table.",
    );
  }
}

/** Returns whether an instruction is the first of the five of one vault operation. */
function isVaultLife({ programAddress, data }: FullInstruction): boolean {
  if (programAddress !== SQUADS_PROGRAM) return false;
  try {
    squadsArguments.vaultTransactionCreate.decode(data);
    return true;
  } catch {
    return false;
  }
}

const whole = (given: Instruction): FullInstruction => ({
  ...given,
  accounts: given.accounts ?? [],
  data: new Uint8Array(given.data ?? []),
});

/**
 * Reads what a transaction's instructions do, in their order; those of a vault operation are read out of it. The venue
 * reads its own instructions, everything else is read here. Throws `Mismatch` for whatever nobody can read.
 */
function readEffects(
  instructions: readonly FullInstruction[],
  request: ApprovalRequest,
  terms: ApprovalTerms,
): readonly Effect[] {
  const { wallet, vault } = request;
  const read = (given: FullInstruction, authority: Address): Effect =>
    terms.read(given, authority, request) ??
    readOwnerInstruction(given, { authority, wallet }, [terms.quote, ...terms.assets]);
  const effects: Effect[] = [];
  for (let at = 0; at < instructions.length; at += 1) {
    const given = instructions[at];
    if (given === undefined) continue;
    if (!isVaultLife(given)) {
      effects.push(read(given, wallet));
      continue;
    }
    const life = instructions.slice(at, at + VAULT_LIFE_LENGTH);
    effects.push(...readVaultLife(life, request).map((inner) => read(whole(inner), vault)));
    at += VAULT_LIFE_LENGTH - 1;
  }
  return effects;
}

/** Network fee per signature, in lamports. */
const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Compute units per instruction when no limit is set. */
const DEFAULT_UNITS = 200_000n;

const MICRO = 1_000_000n;

/** Highest accepted priority fee in lamports: 0.01 SOL; our server never sets more. */
const MAX_FEE_LAMPORTS = 10_000_000n;

const UNKNOWN_OPTION = "The transaction sets a fee option this page does not know.";

function priorityFeeOf(budget: readonly FullInstruction[], otherCount: number): bigint {
  let units = DEFAULT_UNITS * BigInt(otherCount);
  let price = 0n;
  for (const { data } of budget) {
    const [kind] = data;
    insist((kind === 2 && data.length === 5) || (kind === 3 && data.length === 9), UNKNOWN_OPTION);
    if (kind === 2) units = BigInt(getU32Decoder().decode(data, 1));
    else price = getU64Decoder().decode(data, 1);
  }
  return (units * price + MICRO - 1n) / MICRO;
}

/** Fee settings of a message: in the header from version 1 on, in instructions before. */
interface FeeOptions {
  readonly settings: TransactionSettings | null;
  readonly budget: readonly FullInstruction[];
  readonly signerCount: number;
  /** Number of instructions that are not compute-budget instructions. */
  readonly otherCount: number;
}

/** Returns the maximum fee of the transaction in lamports; throws `Mismatch` above the accepted priority fee. */
function readFee({ settings, budget, signerCount, otherCount }: FeeOptions): bigint {
  // The network ignores budget instructions next to a header, so their presence is suspicious
  insist(settings === null || budget.length === 0, UNKNOWN_OPTION);
  const priorityFee =
    settings === null ? priorityFeeOf(budget, otherCount) : (settings.priorityFeeLamports ?? 0n);
  const fee = SIGNATURE_FEE_LAMPORTS * BigInt(signerCount) + priorityFee;
  insist(fee <= MAX_FEE_LAMPORTS, "The network fee is far higher than this needs.");
  return fee;
}
