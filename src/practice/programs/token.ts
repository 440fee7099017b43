import type { Address } from "@solana/kit";
import { TOKEN_ACCOUNT_SIZE, TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import { readAddress, readU64, u64Bytes, WRAPPED_SOL_MINT } from "../runtime/bytes.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import { requireOr } from "../runtime/invocation.ts";
import type { InstructionContext, Program } from "../runtime/program.ts";
import {
  FROZEN,
  MINT_INITIALIZED_OFFSET,
  MINT_SIZE,
  readHolding,
  readMint,
  requireAuthority,
  TOKEN_ACCOUNT_STATE_OFFSET,
  USABLE,
  writeHolding,
  writeMint,
  TOKEN_ERROR,
  TOKEN_ERROR_TEXTS,
} from "./token-accounts.ts";

function mintTo(context: InstructionContext, amount: bigint, decimals?: number): void {
  const mintAddress = context.meta(0).address;
  const account = context.meta(1).address;
  const holding = readHolding(context, account);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireOr(holding.isNative === null, TOKEN_ERROR.nativeNotSupported);
  requireOr(holding.mint === mintAddress, TOKEN_ERROR.mintMismatch);
  const mint = readMint(context, mintAddress);
  requireOr(decimals === undefined || decimals === mint.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  if (mint.mintAuthority === null) throw customFailure(TOKEN_ERROR.fixedSupply);
  requireAuthority(mint.mintAuthority, context.meta(2));
  writeHolding(context, account, { ...holding, amount: holding.amount + amount });
  writeMint(context, mintAddress, { ...mint, supply: mint.supply + amount });
}

function burn(context: InstructionContext, amount: bigint, decimals?: number): void {
  const account = context.meta(0).address;
  const mintAddress = context.meta(1).address;
  const holding = readHolding(context, account);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireOr(holding.isNative === null, TOKEN_ERROR.nativeNotSupported);
  requireOr(holding.amount >= amount, TOKEN_ERROR.insufficientFunds);
  requireOr(holding.mint === mintAddress, TOKEN_ERROR.mintMismatch);
  const mint = readMint(context, mintAddress);
  requireOr(decimals === undefined || decimals === mint.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  requireAuthority(holding.owner, context.meta(2));
  writeHolding(context, account, { ...holding, amount: holding.amount - amount });
  writeMint(context, mintAddress, { ...mint, supply: mint.supply - amount });
}

function approve(context: InstructionContext, amount: bigint): void {
  const account = context.meta(0).address;
  const holding = readHolding(context, account);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireAuthority(holding.owner, context.meta(2));
  const delegate = context.meta(1).address;
  writeHolding(context, account, { ...holding, delegate, delegatedAmount: amount });
}

function revoke(context: InstructionContext): void {
  const account = context.meta(0).address;
  const holding = readHolding(context, account);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireAuthority(holding.owner, context.meta(1));
  writeHolding(context, account, { ...holding, delegate: null, delegatedAmount: 0n });
}

const MINT_TOKENS = 0;
const FREEZE_ACCOUNT = 1;
const ACCOUNT_OWNER = 2;
const CLOSE_ACCOUNT = 3;

function setAuthority(context: InstructionContext): void {
  const { address } = context.meta(0);
  const authority = context.meta(1);
  const { data } = context;
  const kind = data[1];
  const next = data[2] === 1 ? readAddress(data, 3) : null;
  if (context.read(address).data.length === MINT_SIZE) {
    const mint = readMint(context, address);
    if (kind !== MINT_TOKENS && kind !== FREEZE_ACCOUNT) {
      throw customFailure(TOKEN_ERROR.authorityTypeNotSupported);
    }
    const field = kind === MINT_TOKENS ? "mintAuthority" : "freezeAuthority";
    if (mint[field] === null) throw customFailure(TOKEN_ERROR.fixedSupply);
    requireAuthority(mint[field], authority);
    writeMint(context, address, { ...mint, [field]: next });
    return;
  }
  const holding = readHolding(context, address);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  if (kind === ACCOUNT_OWNER) {
    requireAuthority(holding.owner, authority);
    if (next === null) throw customFailure(TOKEN_ERROR.invalidInstruction);
    const cleared = { delegate: null, delegatedAmount: 0n };
    writeHolding(context, address, { ...holding, ...cleared, owner: next });
  } else if (kind === CLOSE_ACCOUNT) {
    requireAuthority(holding.closeAuthority ?? holding.owner, authority);
    writeHolding(context, address, { ...holding, closeAuthority: next });
  } else {
    throw customFailure(TOKEN_ERROR.authorityTypeNotSupported);
  }
}

function closeAccount(context: InstructionContext): void {
  const account = context.meta(0).address;
  const destination = context.meta(1).address;
  if (account === destination) throw new InstructionFailure("InvalidAccountData");
  const holding = readHolding(context, account);
  const isEmptied = holding.isNative !== null || holding.amount === 0n;
  requireOr(isEmptied, TOKEN_ERROR.nonNativeHasBalance);
  requireAuthority(holding.closeAuthority ?? holding.owner, context.meta(2));
  context.writeData(account, new Uint8Array(0));
  context.moveLamports(account, destination, context.read(account).lamports);
}

function initializeMint(context: InstructionContext): void {
  const { address } = context.meta(0);
  const state = context.read(address);
  if (state.data.length !== MINT_SIZE) throw new InstructionFailure("InvalidAccountData");
  requireOr(state.data[MINT_INITIALIZED_OFFSET] === 0, TOKEN_ERROR.alreadyInUse);
  requireOr(state.lamports >= context.minimumBalance(MINT_SIZE), TOKEN_ERROR.notRentExempt);
  const { data } = context;
  writeMint(context, address, {
    mintAuthority: readAddress(data, 2),
    supply: 0n,
    decimals: data[1] ?? 0,
    isInitialized: true,
    freezeAuthority: data[34] === 1 ? readAddress(data, 35) : null,
  });
}

function initializeAccount(context: InstructionContext, owner: Address): void {
  const { address } = context.meta(0);
  const mint = context.meta(1).address;
  const state = context.read(address);
  if (state.data.length !== TOKEN_ACCOUNT_SIZE) throw new InstructionFailure("InvalidAccountData");
  requireOr(state.data[TOKEN_ACCOUNT_STATE_OFFSET] === 0, TOKEN_ERROR.alreadyInUse);
  const reserve = context.minimumBalance(TOKEN_ACCOUNT_SIZE);
  requireOr(state.lamports >= reserve, TOKEN_ERROR.notRentExempt);
  const isNative = mint === WRAPPED_SOL_MINT;
  if (!isNative) readMint(context, mint, TOKEN_ERROR.invalidMint);
  writeHolding(context, address, {
    mint,
    owner,
    amount: isNative ? state.lamports - reserve : 0n,
    delegate: null,
    state: USABLE,
    isNative: isNative ? reserve : null,
    delegatedAmount: 0n,
    closeAuthority: null,
  });
}

interface Transfer {
  readonly destinationIndex: number;
  readonly authorityIndex: number;
  readonly amount: bigint;
  readonly decimals?: number;
}

function transfer(context: InstructionContext, transfer: Transfer): void {
  const source = context.meta(0).address;
  const destination = context.meta(transfer.destinationIndex).address;
  const authority = context.meta(transfer.authorityIndex);
  const from = readHolding(context, source);
  const to = readHolding(context, destination);
  requireOr(from.state !== FROZEN && to.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireOr(from.amount >= transfer.amount, TOKEN_ERROR.insufficientFunds);
  requireOr(from.mint === to.mint, TOKEN_ERROR.mintMismatch);
  if (transfer.decimals !== undefined) {
    const mint = context.meta(1).address;
    requireOr(from.mint === mint, TOKEN_ERROR.mintMismatch);
    const { decimals } = readMint(context, mint);
    requireOr(decimals === transfer.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  }
  const isDelegate = from.delegate === authority.address && from.owner !== authority.address;
  requireAuthority(isDelegate ? authority.address : from.owner, authority);
  requireOr(!isDelegate || from.delegatedAmount >= transfer.amount, TOKEN_ERROR.insufficientFunds);
  if (source === destination) return;

  const delegatedAmount = isDelegate
    ? from.delegatedAmount - transfer.amount
    : from.delegatedAmount;
  const delegate = isDelegate && delegatedAmount === 0n ? null : from.delegate;
  const amount = from.amount - transfer.amount;
  writeHolding(context, source, { ...from, amount, delegate, delegatedAmount });
  writeHolding(context, destination, { ...to, amount: to.amount + transfer.amount });
  if (from.isNative !== null) context.moveLamports(source, destination, transfer.amount);
}

function syncNative(context: InstructionContext): void {
  const { address } = context.meta(0);
  const holding = readHolding(context, address);
  if (holding.isNative === null) throw customFailure(TOKEN_ERROR.nonNativeNotSupported);
  const amount = context.read(address).lamports - holding.isNative;
  writeHolding(context, address, { ...holding, amount });
}

type Handler = (context: InstructionContext) => void;

const amountOf = (context: InstructionContext) => readU64(context.data, 1);

const HANDLERS: Readonly<Record<number, Handler>> = {
  0: initializeMint,
  1: (context) => initializeAccount(context, context.meta(2).address),
  3: (context) =>
    transfer(context, { destinationIndex: 1, authorityIndex: 2, amount: amountOf(context) }),
  4: (context) => approve(context, amountOf(context)),
  5: revoke,
  6: setAuthority,
  7: (context) => mintTo(context, amountOf(context)),
  8: (context) => burn(context, amountOf(context)),
  9: closeAccount,
  12: (context) =>
    transfer(context, {
      destinationIndex: 2,
      authorityIndex: 3,
      amount: amountOf(context),
      decimals: context.data[9] ?? 0,
    }),
  14: (context) => mintTo(context, amountOf(context), context.data[9]),
  15: (context) => burn(context, amountOf(context), context.data[9]),
  16: (context) => initializeAccount(context, readAddress(context.data, 1)),
  17: syncNative,
  18: (context) => initializeAccount(context, readAddress(context.data, 1)),
  20: initializeMint,
  21: (context) => context.returnData(u64Bytes(BigInt(TOKEN_ACCOUNT_SIZE))),
  22: () => undefined,
};

function execute(context: InstructionContext): void {
  const handler = HANDLERS[context.data[0] ?? -1];
  if (handler === undefined) throw customFailure(TOKEN_ERROR.invalidInstruction);
  try {
    handler(context);
  } catch (error) {
    if (error instanceof InstructionFailure) {
      const own = error.code === undefined ? undefined : TOKEN_ERROR_TEXTS[error.code];
      context.log(`Error: ${own ?? error.failure}`);
    }
    throw error;
  }
}

/** The Token program: mints, accounts, transfers, approvals, burning and closing, including wrapped SOL. */
export const tokenProgram: Program = {
  address: TOKEN_PROGRAM,
  builtIn: false,
  units: (data) => (data[0] === 12 ? 6_200n : 4_700n),
  execute,
};
