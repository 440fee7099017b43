import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { isBuiltIn, type Network } from "../../domain/network.ts";
import { squadsArguments, SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import type { Effect, EffectKind } from "../effect.ts";
import {
  type ApprovalRequest,
  type ApprovalTerms,
  type IntentRule,
  type MoveRule,
  requireOne,
  type VenueApproval,
  type ApprovalParties,
  type NamedToken,
} from "../venue-approval.ts";
import {
  JUPITER_INSTANCE,
  JUPITER_PRACTICE_INSTANCE,
  JUPITER_PROGRAM,
  type JupiterInstance,
  quoteToken,
  SALE_SLIPPAGE_BPS,
  tokenAccountOf,
  sharedAddresses,
} from "./instance.ts";
import type { Address } from "@solana/kit";
import { formatDecimal } from "../../domain/amount.ts";
import { type FullInstruction, isSameInstruction } from "../../solana/encoding/instruction.ts";
import { minimumOutput, readRoute } from "./route-instruction.ts";
import { refuseRoute } from "./verify-build.ts";
import { SPENDING_PERIOD } from "../../solana/programs/squads-accounts.ts";
import { addLimit, limitAddress, removeLimit } from "./spending-limits.ts";
import { Mismatch, insist } from "../mismatch.ts";

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
function readLimitChange(
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

/**
 * Decodes a swap that sells an asset for the quote token, from the owner's own account into the vault's.
 *
 * The swap program enforces the amounts; the route is the router's choice.
 */
function readSale(
  given: FullInstruction,
  authority: Address,
  { vault, wallet }: { readonly vault: Address; readonly wallet: Address },
  instance: JupiterInstance,
): Effect {
  const route = readRoute(given);
  insist(route !== null, "The swap program would be asked for something else than a swap.");
  insist(authority === wallet, "The swap would not be yours.");
  const output = quoteToken(instance);
  const input = instance.assets.find(({ mint }) => mint === route.sourceMint);
  insist(
    input !== undefined && route.destinationMint === output.mint,
    "The swap is not a sale of what the agent trades.",
  );
  const account = tokenAccountOf(vault, output);
  const refusal = refuseRoute(route, { taker: wallet, destination: account, input, output });
  insist(refusal === null, `The sale is not this agent's: ${refusal}.`);
  const strange = instance.assets.flatMap((asset) => [
    tokenAccountOf(vault, asset),
    ...(asset === input ? [] : [tokenAccountOf(wallet, asset)]),
  ]);
  insist(
    route.pools.every(({ address }) => !strange.includes(address)),
    "The sale names an account that is not part of it.",
  );
  insist(route.slippageBps <= SALE_SLIPPAGE_BPS, "The sale accepts too low a price.");
  const least = minimumOutput(route.quotedOutAmount, route.slippageBps);
  insist(route.inAmount > 0n && least > 0n, "The sale pays nothing.");
  const price = (least * 10n ** BigInt(input.decimals)) / route.inAmount;
  const sold = `${formatDecimal(route.inAmount, input.decimals)} ${input.marketId}`;
  const paid = `${formatDecimal(least, output.decimals)} ${instance.quote.symbol}`;
  return {
    kind: "sale",
    account,
    mint: input.mint,
    amount: route.inAmount,
    text: `Sells ${sold} for at least ${paid}, into the vault`,
    worst: { asset: input.marketId, side: "sell", price },
  };
}

const LIMITS: readonly EffectKind[] = ["create-token-account", "spending-limit", "limit-removal"];

const HOME: MoveRule = { from: "vault", token: "quote", amount: "asked" };

function checkLimit(
  { mint, amount }: Extract<Effect, { kind: "spending-limit" }>,
  { market, amount: asked }: ApprovalRequest,
  { quote, assets, dailyLimit }: JupiterInstance,
): void {
  if (mint !== quote.mint) {
    const traded = assets.find(({ marketId }) => marketId === market);
    insist(mint === traded?.mint, "The trading key would be allowed another asset.");
    return;
  }
  if (asked === null) {
    insist(
      amount <= dailyLimit,
      "The trading key would be allowed more a day than a new agent is.",
    );
  } else insist(amount === asked, "The limit is not what you asked for.");
}

function checkLimits(
  effects: readonly Effect[],
  request: ApprovalRequest,
  instance: JupiterInstance,
): void {
  const limits = effects.filter((effect) => effect.kind === "spending-limit");
  for (const limit of limits) checkLimit(limit, request, instance);
  const quoteLimits = limits.filter(({ mint }) => mint === instance.quote.mint).length;
  insist(
    quoteLimits <= 1 && limits.length - quoteLimits <= 1,
    "The trading key would be allowed more than one asset.",
  );
}

/** The whole amount that leaves the vault for a sale is sold, and nothing else. */
function checkSale(effects: readonly Effect[]): void {
  const sale = effects.find((effect) => effect.kind === "sale");
  const move = effects.find((effect) => effect.kind === "tokens");
  if (sale === undefined || move === undefined) {
    throw new Mismatch("The transaction would not close the position.");
  }
  insist(
    sale.mint === move.mint && sale.amount === move.amount,
    "What would leave the vault is not what would be sold.",
  );
}

function requireMove(effects: readonly Effect[]): void {
  requireOne(effects, "tokens", "The transaction would not move the money.");
}

function rulesOf(instance: JupiterInstance): Readonly<Partial<Record<CustodyIntent, IntentRule>>> {
  const limitRule: IntentRule = {
    may: LIMITS,
    opensFor: ["vault", "trading-key"],
    check: (effects, request) => checkLimits(effects, request, instance),
  };
  return {
    "set-up": { ...limitRule, may: [...LIMITS, "create-multisig", "lamports"] },
    "update-limits": limitRule,
    deposit: {
      may: ["create-token-account", "tokens"],
      opensFor: ["vault"],
      moves: { from: "wallet", token: "quote", amount: "asked" },
      check: requireMove,
    },
    withdraw: {
      may: ["create-token-account", "tokens"],
      opensFor: ["wallet"],
      moves: HOME,
      check: requireMove,
    },
    "close-positions": {
      may: ["create-token-account", "tokens", "sale", "close-token-account"],
      opensFor: ["vault", "wallet"],
      // A sale closes the temporary account it opened; an account with a balance cannot be closed
      closes: { of: "wallet", rentTo: ["vault", "wallet"] },
      moves: { from: "vault", token: "asset", amount: "any" },
      check: checkSale,
    },
    "move-assets": {
      may: ["create-token-account", "tokens"],
      opensFor: ["wallet"],
      moves: { from: "vault", token: "asset", amount: "any" },
      check: requireMove,
    },
    revoke: { may: ["limit-removal"] },
    delete: {
      may: ["create-token-account", "tokens", "limit-removal", "close-token-account", "lamports"],
      opensFor: ["wallet"],
      closes: { of: "vault", rentTo: ["vault", "wallet"] },
      moves: { from: "vault", token: "any", amount: "any" },
    },
  };
}

/** Returns the approval terms of an instance. */
export function termsOf(instance: JupiterInstance): ApprovalTerms {
  const quote = { ...quoteToken(instance), symbol: instance.quote.symbol };
  const assets = instance.assets.map((asset) => ({ ...asset, symbol: asset.marketId }));
  return {
    quote,
    assets,
    sharedAddresses: sharedAddresses(instance),
    rules: rulesOf(instance),
    read(given, authority, parties) {
      switch (given.programAddress) {
        case SQUADS_PROGRAM:
          return readLimitChange(given, authority, parties, [quote, ...assets]);
        case JUPITER_PROGRAM:
          return readSale(given, authority, parties, instance);
        default:
          return null;
      }
    },
  };
}

const instanceOn = (network: Network): JupiterInstance =>
  isBuiltIn(network) ? JUPITER_PRACTICE_INSTANCE : JUPITER_INSTANCE;

/** Approval rules of Jupiter. */
export const JUPITER_APPROVAL: VenueApproval = {
  venue: "jupiter",
  on: (network) => termsOf(instanceOn(network)),
};
