import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { PLAN_RANGES } from "../../domain/plan/plan.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import type { Effect, EffectKind, WorstPrice } from "../effect.ts";
import {
  type ApprovalTerms,
  type IntentRule,
  type MoveRule,
  requireLeverage,
  requireOne,
  type VenueApproval,
} from "../venue-approval.ts";
import { DRIFT_INSTANCES, type DriftInstance, tradedMarket } from "./instance.ts";
import { drift } from "./profile.ts";
import { deriveUser, deriveUserStats, derivePerpMarket, deriveSpotMarket } from "./pdas.ts";
import {
  type AccountMeta,
  AccountRole,
  type Address,
  getUtf8Decoder,
  type Instruction,
  type ReadonlyUint8Array,
  isSignerRole,
  isWritableRole,
} from "@solana/kit";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import {
  driftArguments,
  DIRECTION,
  MARKET_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  leverageOfRatio,
  ownMarginRatio,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
  withdraw,
  type TokenMove,
  deleteUser,
  type MarketAccounts,
  cancelOrders,
  fillPerpOrder,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "./instructions.ts";
import { isSameInstruction, sameBytes } from "../../solana/encoding/instruction.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { auctionOrderParams, soundAuction, takeOrderParams, termsOf } from "./order-params.ts";
import { Mismatch, insist } from "../mismatch.ts";
import { sharedAddresses } from "./shared-addresses.ts";

/** Number of sub-accounts of the vault tried for an instruction that does not name its sub-account. */
const SUB_ACCOUNTS_TRIED = 16;

const NOT_MINE = "The vault would act for a venue account that is not this agent's.";

const bytesOf = (given: Instruction): Uint8Array => new Uint8Array(given.data ?? []);

/** Returns the number of the vault's sub-account with this address; refuses any other address. */
function subAccountOf(user: Address | undefined, vault: Address, instance: DriftInstance): number {
  for (let id = 0; id < SUB_ACCOUNTS_TRIED; id += 1) {
    if (deriveUser(instance, vault, id) === user) return id;
  }
  throw new Mismatch(NOT_MINE);
}

/** Decimals of a base amount on the exchange. */
const BASE_DECIMALS = 9;

const NO_MARKETS: MarketAccounts = { oracles: [], spotMarkets: [], perpMarkets: [] };

/** Markets of the exchange with indexes below this one are known by their derived addresses. */
const MARKETS_TRIED = 256;

const isOneOf = (known: Address, derive: (index: number) => Address): boolean =>
  Array.from({ length: MARKETS_TRIED }).some((_, index) => derive(index) === known);

/** Requires the accounts after the fixed ones to be price accounts, which are only read, and then markets of the exchange. */
function requireMarkets(further: readonly AccountMeta[], instance: DriftInstance): void {
  const quote = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  const isWrittenMarket = (key: Address): boolean =>
    key === quote || isOneOf(key, (index) => derivePerpMarket(instance, index));
  const isMarket = ({ address: key, role }: AccountMeta): boolean =>
    isWrittenMarket(key) ||
    // The account may hold something in another spot market, which is only read
    (!isWritableRole(role) && isOneOf(key, (index) => deriveSpotMarket(instance, index)));
  const first = further.findIndex(isMarket);
  const markets = first === -1 ? [] : further.slice(first);
  const prices = first === -1 ? further : further.slice(0, first);
  insist(
    // Each market has one price account, which the exchange compares with the market's own
    prices.length <= markets.length &&
      prices.every(({ role }) => role === AccountRole.READONLY) &&
      markets.every((each) => isMarket(each) && !isSignerRole(each.role)),
    "The transaction names an account that is no market of the exchange.",
  );
}

/** Requires the expected call, and after its fixed accounts nothing but prices and markets. */
function requireCall({ given, instance }: Shown, ...expected: readonly Instruction[]): void {
  const accounts = given.accounts ?? [];
  const count = expected[0]?.accounts?.length ?? 0;
  const head = { ...given, accounts: accounts.slice(0, count) };
  insist(
    expected.some((each) => isSameInstruction(head, each)),
    NOT_MINE,
  );
  requireMarkets(accounts.slice(count), instance);
}

function userAt({ given, vault, instance }: Shown, at: number) {
  const subAccountId = subAccountOf(given.accounts?.[at]?.address, vault, instance);
  return {
    user: { authority: vault, subAccountId },
    account: deriveUser(instance, vault, subAccountId),
  };
}

type Method = keyof typeof driftArguments;

/** An instruction that runs for a vault on an instance of the exchange. */
interface Shown {
  readonly given: Instruction;
  readonly vault: Address;
  readonly instance: DriftInstance;
}

/** Decodes one instruction from its arguments; throws `Mismatch` where it does anything else than it says. */
type Reader<M extends Method> = (
  args: ReturnType<(typeof driftArguments)[M]["decode"]>,
  shown: Shown,
) => Effect;

/** Decodes the cancellation of all open orders. */
const readCancel: Reader<"cancelOrders"> = (_args, shown) => {
  const { vault, instance } = shown;
  const { user, account } = userAt(shown, 1);
  requireCall(shown, cancelOrders(instance, user, vault, NO_MARKETS));
  return { kind: "venue-cancel", account, text: "Cancels every open order, a stop that rests too" };
};

/** Returns size and worst price of an order that can only reduce a position within its price; refuses any other order. */
function closing(params: OrderParams, isSound: boolean, instance: DriftInstance) {
  insist(
    params.reduceOnly && params.marketType === MARKET_TYPE.perp && params.price > 0n,
    "The order could open a position instead of closing one.",
  );
  insist(isSound, "The order does more than close a position within its price.");
  const market = tradedMarket(instance, params.marketIndex);
  insist(market !== undefined, "The order is for a market this page does not know.");
  const limit = formatDecimal(params.price, PRICE_DECIMALS);
  const isBuy = params.direction === DIRECTION.long;
  const verb = isBuy ? "buying for at most" : "selling for at least";
  const worst: WorstPrice = {
    asset: drift.markets.find(({ marketId }) => marketId === market)?.asset ?? market,
    side: isBuy ? "buy" : "sell",
    price: params.price,
  };
  const size = formatDecimal(params.baseAssetAmount, BASE_DECIMALS);
  return { text: `${size} ${market}, ${verb} ${limit}`, worst };
}

/** Decodes a closing order that fills at once or not at all. */
const readClose: Reader<"placeAndTakePerpOrder"> = ({ params }, shown) => {
  const { given, vault, instance } = shown;
  const { user, account } = userAt(shown, 1);
  requireCall(shown, placeAndTakePerpOrder(instance, user, vault, params, NO_MARKETS));
  const taking = takeOrderParams(termsOf(params));
  const { data } = placeAndTakePerpOrder(instance, user, vault, taking, NO_MARKETS);
  const { text, worst } = closing(params, sameBytes(data, bytesOf(given)), instance);
  return { kind: "venue-close", account, text: `Closes ${text}`, worst };
};

/** Decodes a closing order that waits out the exchange's auction. */
const readWaitingClose: Reader<"placePerpOrder"> = (params, shown) => {
  const { given, vault, instance } = shown;
  const { user, account } = userAt(shown, 1);
  requireCall(shown, placePerpOrder(instance, user, vault, params, NO_MARKETS));
  const auction = soundAuction(params);
  const ours = auction && auctionOrderParams(termsOf(params), auction);
  const isSound =
    ours !== null && sameBytes(driftArguments.placePerpOrder.encode(ours), bytesOf(given));
  const { text, worst } = closing(params, isSound, instance);
  return {
    kind: "venue-close",
    account,
    text: `Orders to close ${text}, after the exchange's auction`,
    worst,
  };
};

/** Decodes filling one of the account's own orders, which anybody may do. */
const readFill: Reader<"fillPerpOrder"> = ({ orderId, makerOrderId }, shown) => {
  const { vault, instance } = shown;
  insist(orderId !== null && makerOrderId === null, NOT_MINE);
  const { user, account } = userAt(shown, 2);
  requireCall(shown, fillPerpOrder(instance, user, vault, orderId, NO_MARKETS));
  return { kind: "venue-fill", account, text: `Fills this account's waiting order ${orderId}` };
};

/** Decodes the deletion of the venue's trading account; its rent returns to the vault. */
const readDeletion: Reader<"deleteUser"> = (_args, shown) => {
  const { instance } = shown;
  const { user, account } = userAt(shown, 0);
  requireCall(shown, deleteUser(instance, user));
  return {
    kind: "venue-deletion",
    account,
    text: "Deletes the venue's trading account; its rent returns to the vault",
  };
};

/** Decodes a settlement signed by the owner's wallet, which moves realized profit or loss into the balance. */
function readSettlement(
  { marketIndex }: Parameters<Reader<"settlePnl">>[0],
  wallet: Address,
  shown: Shown,
): Effect {
  const { instance } = shown;
  const { user, account } = userAt(shown, 1);
  const spot = instance.quoteSpotMarketIndex;
  requireCall(shown, settlePnl(instance, user, wallet, marketIndex, spot, NO_MARKETS));
  return { kind: "venue-settle", account, text: "Turns realized profit or loss into balance" };
}

const readStats: Reader<"initializeUserStats"> = (_args, shown) => {
  const { given, vault, instance } = shown;
  insist(isSameInstruction(given, initializeUserStats(instance, vault)), NOT_MINE);
  return {
    kind: "venue-account",
    account: deriveUserStats(instance, vault),
    text: "Opens the venue's statistics account",
  };
};

/** Requires a call on the vault's sub-account, whatever name it gives; returns the sub-account's address. */
function requireNaming(
  { subAccountId, name }: Parameters<Reader<"updateUserName">>[0],
  { given, vault, instance }: Shown,
  make: typeof initializeUser,
): Address {
  const expected = make(instance, { authority: vault, subAccountId }, "");
  const withName = { ...expected, data: bytesOf(given) };
  insist(name.length === 32 && isSameInstruction(given, withName), NOT_MINE);
  return deriveUser(instance, vault, subAccountId);
}

const readUser: Reader<"initializeUser"> = (args, shown) => ({
  kind: "venue-account",
  account: requireNaming(args, shown, initializeUser),
  text: "Opens the venue's trading account",
});

const readDelegate: Reader<"updateUserDelegate"> = (
  { subAccountId, delegate: tradingKey },
  shown,
) => {
  const { given, vault, instance } = shown;
  const user = { authority: vault, subAccountId };
  insist(isSameInstruction(given, updateUserDelegate(instance, user, tradingKey)), NOT_MINE);
  return {
    kind: "trading-key",
    account: deriveUser(instance, vault, subAccountId),
    // The exchange writes "no delegate" as the all-zero address
    tradingKey: tradingKey === SYSTEM_PROGRAM ? null : tradingKey,
  };
};

const readMarginRatio: Reader<"updateUserCustomMarginRatio"> = (
  { subAccountId, marginRatio },
  { given, vault, instance },
) => {
  const user = { authority: vault, subAccountId };
  const leverage = leverageOfRatio(marginRatio) ?? 0;
  const expected = updateUserCustomMarginRatio(instance, user, ownMarginRatio(leverage));
  insist(leverage <= PLAN_RANGES.leverage.most && isSameInstruction(given, expected), NOT_MINE);
  const times = leverage === 1 ? "twice" : `${leverage + 1} times`;
  return {
    kind: "venue-account",
    account: deriveUser(instance, vault, subAccountId),
    text: `Caps new orders at ${times} the account's collateral; only you can change that`,
    leverage,
  };
};

const readName: Reader<"updateUserName"> = (args, shown) => ({
  kind: "venue-name",
  account: requireNaming(args, shown, updateUserName),
  text: `Names the venue's trading account "${nameText(args.name)}"`,
});

const nameText = (name: ReadonlyUint8Array): string => getUtf8Decoder().decode(name).trimEnd();

/** Requires a movement between the vault and its own account; returns the account's address. */
function requireMove(amount: bigint, shown: Shown, make: typeof deposit): Address {
  const { vault, instance } = shown;
  const { user, account } = userAt(shown, 1);
  const move: TokenMove = {
    spotMarketIndex: instance.quoteSpotMarketIndex,
    tokenAccount: associatedTokenAddress(vault, instance.quote.mint),
    amount,
    markets: NO_MARKETS,
  };
  const expected = [true, false].map((reduceOnly) => make(instance, user, { ...move, reduceOnly }));
  requireCall(shown, ...expected);
  return account;
}

const readDeposit: Reader<"deposit"> = ({ amount }, shown) => ({
  kind: "venue-deposit",
  account: requireMove(amount, shown, deposit),
  amount,
});

const readWithdraw: Reader<"withdraw"> = ({ amount }, shown) => ({
  kind: "venue-withdrawal",
  account: requireMove(amount, shown, withdraw),
  amount,
});

/** Decodes the arguments of a method, or returns null for an instruction of another one. */
function argumentsOf<M extends Method>(method: M, given: Instruction) {
  try {
    return driftArguments[method].decode(bytesOf(given)) as Parameters<Reader<M>>[0];
  } catch {
    return null;
  }
}

const read =
  <M extends Method>(method: M, reader: Reader<M>) =>
  (shown: Shown): Effect | null => {
    const args = argumentsOf(method, shown.given);
    return args === null ? null : reader(args, shown);
  };

/** Everything a vault calls on the exchange. */
const CALLS = [
  read("initializeUserStats", readStats),
  read("initializeUser", readUser),
  read("updateUserDelegate", readDelegate),
  read("updateUserCustomMarginRatio", readMarginRatio),
  read("updateUserName", readName),
  read("deposit", readDeposit),
  read("withdraw", readWithdraw),
  read("cancelOrders", readCancel),
  read("placeAndTakePerpOrder", readClose),
  read("placePerpOrder", readWaitingClose),
  read("fillPerpOrder", readFill),
  read("deleteUser", readDeletion),
];

/** Decodes an instruction the vault runs on the exchange; refuses every call that is not on the list. */
function readVaultCall(shown: Shown): Effect {
  for (const call of CALLS) {
    const effect = call(shown);
    if (effect !== null) return effect;
  }
  throw new Mismatch(
    `The vault would call something that is not on the list: ${shown.given.programAddress}`,
  );
}

/**
 * Decodes an instruction the wallet itself runs on the exchange: only settling, which needs no authority of the vault.
 */
function readOwnCall(wallet: Address, shown: Shown): Effect {
  const settled = argumentsOf("settlePnl", shown.given);
  insist(
    settled !== null,
    `The transaction calls something that is not on the list: ${shown.given.programAddress}`,
  );
  return readSettlement(settled, wallet, shown);
}

const CLOSING: readonly EffectKind[] = [
  "venue-cancel",
  "venue-close",
  "venue-fill",
  "venue-settle",
];

const HOME: MoveRule = { from: "vault", token: "quote", amount: "asked" };

function checkDeposit(effects: readonly Effect[]): void {
  // The vault's token account is opened in a transaction of its own where both leave a wallet no room
  const opensOnly = effects.every(({ kind }) => kind === "create-token-account");
  if (opensOnly && effects.length > 0) return;
  requireOne(effects, "tokens", "The transaction would not move the money into the vault.");
  requireOne(effects, "venue-deposit", "The transaction would not deposit at the venue.");
}

function requireMoveHome(effects: readonly Effect[]): void {
  requireOne(effects, "tokens", "The transaction would not move the money to your wallet.");
}

function checkWithdrawal(effects: readonly Effect[]): void {
  // Realized gain is settled in a transaction of its own, before the amount to withdraw is known
  if (effects.every(({ kind }) => kind === "venue-settle")) return;
  requireOne(effects, "venue-withdrawal", "The transaction would not withdraw from the venue.");
  requireMoveHome(effects);
}

const RULES: Readonly<Partial<Record<CustodyIntent, IntentRule>>> = {
  "set-up": {
    may: ["create-multisig", "lamports", "create-token-account", "venue-account", "trading-key"],
    opensFor: ["vault"],
    check: requireLeverage,
  },
  "update-limits": { may: ["venue-account"], check: requireLeverage },
  deposit: {
    may: ["create-token-account", "tokens", "venue-deposit", "venue-name"],
    opensFor: ["vault"],
    moves: { from: "wallet", token: "quote", amount: "asked" },
    check: checkDeposit,
  },
  withdraw: {
    may: ["create-token-account", "tokens", "venue-withdrawal", "venue-settle"],
    opensFor: ["wallet"],
    moves: HOME,
    check: checkWithdrawal,
  },
  "close-positions": { may: CLOSING },
  revoke: { may: ["trading-key"] },
  delete: {
    may: [
      ...CLOSING,
      "create-token-account",
      "tokens",
      "venue-withdrawal",
      "venue-deletion",
      "trading-key",
      "close-token-account",
      "lamports",
    ],
    once: ["close-token-account"],
    opensFor: ["wallet"],
    closes: { of: "vault", rentTo: ["vault"] },
    moves: { ...HOME, amount: "any" },
    check(effects) {
      if (effects.some(({ kind }) => kind === "venue-withdrawal")) requireMoveHome(effects);
    },
  },
};

function approvalTermsOf(instance: DriftInstance): ApprovalTerms {
  const { programId, quote } = instance;
  return {
    quote: { ...quote, tokenProgram: TOKEN_PROGRAM },
    assets: [],
    sharedAddresses: sharedAddresses(instance, []),
    rules: RULES,
    read(given, authority, { wallet, vault }) {
      if (given.programAddress !== programId) return null;
      const shown = { given, vault, instance };
      return authority === vault ? readVaultCall(shown) : readOwnCall(wallet, shown);
    },
  };
}

/** Approval rules of Drift. */
export const DRIFT_APPROVAL: VenueApproval = {
  venue: "drift",
  on: (network) => approvalTermsOf(DRIFT_INSTANCES[network]),
};
