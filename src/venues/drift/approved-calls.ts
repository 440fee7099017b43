import {
  type Address,
  getUtf8Decoder,
  type Instruction,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { driftArguments } from "./instruction-arguments.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  OWN_MARGIN_RATIO,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
  withdraw,
  type TokenMove,
} from "./instructions.ts";
import { deriveUser, deriveUserStats } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { insist, Mismatch } from "../mismatch.ts";
import {
  readCancel,
  readClose,
  readDeletion,
  readFill,
  readSettlement,
  readWaitingClose,
} from "./approved-exits.ts";
import { isSameInstruction } from "../../solana/same-instruction.ts";
import type { Effect } from "../effect.ts";
import { bytesOf, NOT_MINE, subAccountOf } from "./approved-account.ts";

type Reader = (given: Instruction, vault: Address, instance: DriftInstance) => Effect;

const readStats: Reader = (given, vault, instance) => {
  driftArguments.initializeUserStats.decode(bytesOf(given));
  insist(isSameInstruction(given, initializeUserStats(instance, vault)), NOT_MINE);
  return {
    kind: "venue-account",
    account: deriveUserStats(instance, vault),
    text: "Opens the venue's statistics account",
  };
};

const readUser: Reader = (given, vault, instance) => {
  const { subAccountId, name } = driftArguments.initializeUser.decode(bytesOf(given));
  const user = { authority: vault, subAccountId };
  const expected = initializeUser(instance, user, "");
  const withName = { ...expected, data: bytesOf(given) };
  insist(name.length === 32 && isSameInstruction(given, withName), NOT_MINE);
  return {
    kind: "venue-account",
    account: deriveUser(instance, vault, subAccountId),
    text: "Opens the venue's trading account",
  };
};

const readDelegate: Reader = (given, vault, instance) => {
  const { subAccountId, delegate: tradingKey } = driftArguments.updateUserDelegate.decode(
    bytesOf(given),
  );
  const user = { authority: vault, subAccountId };
  insist(isSameInstruction(given, updateUserDelegate(instance, user, tradingKey)), NOT_MINE);
  return {
    kind: "trading-key",
    account: deriveUser(instance, vault, subAccountId),
    // The exchange writes "no delegate" as the all-zero address
    tradingKey: tradingKey === SYSTEM_PROGRAM ? null : tradingKey,
  };
};

const readMarginRatio: Reader = (given, vault, instance) => {
  const { subAccountId } = driftArguments.updateUserCustomMarginRatio.decode(bytesOf(given));
  const user = { authority: vault, subAccountId };
  const expected = updateUserCustomMarginRatio(instance, user, OWN_MARGIN_RATIO);
  insist(isSameInstruction(given, expected), NOT_MINE);
  return {
    kind: "venue-account",
    account: deriveUser(instance, vault, subAccountId),
    text: "Caps new orders at twice the account's collateral; only you can change that",
  };
};

const readName: Reader = (given, vault, instance) => {
  const { subAccountId, name } = driftArguments.updateUserName.decode(bytesOf(given));
  const expected = updateUserName(instance, { authority: vault, subAccountId }, "");
  const withName = { ...expected, data: bytesOf(given) };
  insist(name.length === 32 && isSameInstruction(given, withName), NOT_MINE);
  return {
    kind: "venue-name",
    account: deriveUser(instance, vault, subAccountId),
    text: `Names the venue's trading account "${nameText(name)}"`,
  };
};

const nameText = (name: ReadonlyUint8Array): string => getUtf8Decoder().decode(name).trimEnd();

/** Oracles and markets follow the fixed accounts; the venue's program checks them. */
function readMove(
  given: Instruction,
  vault: Address,
  instance: DriftInstance,
  amount: bigint,
  make: typeof deposit,
): Address {
  const accounts = given.accounts ?? [];
  const user = {
    authority: vault,
    subAccountId: subAccountOf(accounts[1]?.address, vault, instance),
  };
  const move: TokenMove = {
    spotMarketIndex: instance.quoteSpotMarketIndex,
    tokenAccount: associatedTokenAddress(vault, instance.quote.mint),
    amount,
    markets: { oracles: [], spotMarkets: [], perpMarkets: [] },
  };
  const expected = [true, false].map((reduceOnly) => make(instance, user, { ...move, reduceOnly }));
  const fixed = expected[0]?.accounts.length ?? 0;
  const head = { ...given, accounts: accounts.slice(0, fixed) };
  insist(
    expected.some((each) => isSameInstruction(head, each)),
    NOT_MINE,
  );
  return deriveUser(instance, vault, user.subAccountId);
}

const readDeposit: Reader = (given, vault, instance) => {
  const { amount } = driftArguments.deposit.decode(bytesOf(given));
  return {
    kind: "venue-deposit",
    account: readMove(given, vault, instance, amount, deposit),
    amount,
  };
};

const readWithdraw: Reader = (given, vault, instance) => {
  const { amount } = driftArguments.withdraw.decode(bytesOf(given));
  return {
    kind: "venue-withdrawal",
    account: readMove(given, vault, instance, amount, withdraw),
    amount,
  };
};

const CALLS: readonly { readonly decode: (data: Uint8Array) => unknown; readonly read: Reader }[] =
  [
    { decode: (data) => driftArguments.initializeUserStats.decode(data), read: readStats },
    { decode: (data) => driftArguments.initializeUser.decode(data), read: readUser },
    { decode: (data) => driftArguments.updateUserDelegate.decode(data), read: readDelegate },
    {
      decode: (data) => driftArguments.updateUserCustomMarginRatio.decode(data),
      read: readMarginRatio,
    },
    { decode: (data) => driftArguments.updateUserName.decode(data), read: readName },
    { decode: (data) => driftArguments.deposit.decode(data), read: readDeposit },
    { decode: (data) => driftArguments.withdraw.decode(data), read: readWithdraw },
    { decode: (data) => driftArguments.cancelOrders.decode(data), read: readCancel },
    { decode: (data) => driftArguments.placeAndTakePerpOrder.decode(data), read: readClose },
    { decode: (data) => driftArguments.placePerpOrder.decode(data), read: readWaitingClose },
    { decode: (data) => driftArguments.fillPerpOrder.decode(data), read: readFill },
    { decode: (data) => driftArguments.deleteUser.decode(data), read: readDeletion },
  ];

const isReadable = (decode: (data: Uint8Array) => unknown, data: Uint8Array): boolean => {
  try {
    decode(data);
    return true;
  } catch {
    return false;
  }
};

/** Decodes an instruction the vault runs on the exchange; refuses every call that is not on the list. */
export function readVaultCall(given: Instruction, vault: Address, instance: DriftInstance): Effect {
  const call = CALLS.find(({ decode }) => isReadable(decode, bytesOf(given)));
  if (call === undefined) {
    throw new Mismatch(
      `The vault would call something that is not on the list: ${given.programAddress}`,
    );
  }
  return call.read(given, vault, instance);
}

/**
 * Decodes an instruction the wallet itself runs on the exchange: only settling, which needs no authority of the vault.
 */
export function readOwnCall(
  given: Instruction,
  wallet: Address,
  vault: Address,
  instance: DriftInstance,
): Effect {
  insist(
    isReadable((data) => driftArguments.settlePnl.decode(data), bytesOf(given)),
    `The transaction calls something that is not on the list: ${given.programAddress}`,
  );
  return readSettlement(given, wallet, vault, instance);
}
