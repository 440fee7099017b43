import type { Address } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import { SPENDING_PERIOD } from "../../solana/programs/squads-accounts.ts";
import { squadsArguments } from "../../solana/programs/squads.ts";
import { isSameInstruction } from "../../solana/same-instruction.ts";
import type { Effect } from "../effect.ts";
import { insist } from "../mismatch.ts";
import type { ApprovalParties, NamedToken } from "../venue-approval.ts";
import { addLimit, limitAddress, removeLimit } from "./spending-limits.ts";

const UNUSUAL = "The transaction asks for something this page does not expect.";

function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

type AddedLimit = ReturnType<typeof squadsArguments.multisigAddSpendingLimit.decode>;

function readAdded(
  given: FullInstruction,
  added: AddedLimit,
  { wallet, multisig, vault }: ApprovalParties,
  tokens: readonly NamedToken[],
): Effect {
  const token = tokens.find(({ mint }) => mint === added.mint);
  insist(token !== undefined, "The transaction is about a token this agent does not trade.");
  const [tradingKey] = added.members;
  insist(tradingKey !== undefined && tradingKey !== vault && tradingKey !== wallet, UNUSUAL);
  insist(added.period === SPENDING_PERIOD.day && added.amount > 0n, UNUSUAL);
  const account = { owner: wallet, multisig, vault, tradingKey, subAccountId: 0 };
  insist(isSameInstruction(given, addLimit(account, token.mint, added.amount)), UNUSUAL);
  const most = `${formatDecimal(added.amount, token.decimals)} ${token.symbol}`;
  return {
    kind: "spending-limit",
    account: limitAddress(account, token.mint),
    tradingKey,
    mint: token.mint,
    amount: added.amount,
    decimals: token.decimals,
    symbol: token.symbol,
    text: `Lets the trading key move at most ${most} a day`,
  };
}

function readRemoved(
  given: FullInstruction,
  { wallet, multisig, vault }: ApprovalParties,
  tokens: readonly NamedToken[],
): Effect {
  const account = { owner: wallet, multisig, vault, tradingKey: vault, subAccountId: 0 };
  const token = tokens.find(({ mint }) => isSameInstruction(given, removeLimit(account, mint)));
  insist(token !== undefined, UNUSUAL);
  return {
    kind: "limit-removal",
    account: limitAddress(account, token.mint),
    text: `Takes the trading key's ${token.symbol} limit away`,
  };
}

/**
 * Decodes an instruction that adds or removes a spending limit of the trading key; null for any other call of the
 * custody program. Only the owner's wallet may change limits.
 */
export function readLimitChange(
  given: FullInstruction,
  authority: Address,
  parties: ApprovalParties,
  tokens: readonly NamedToken[],
): Effect | null {
  const added = decoded(() => squadsArguments.multisigAddSpendingLimit.decode(given.data));
  const removed = decoded(() => squadsArguments.multisigRemoveSpendingLimit.decode(given.data));
  if (added === null && removed === null) return null;
  insist(authority === parties.wallet, UNUSUAL);
  return added === null
    ? readRemoved(given, parties, tokens)
    : readAdded(given, added, parties, tokens);
}
