import { readAddress } from "../runtime/bytes.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import { requireOr } from "../runtime/invocation.ts";
import type { InstructionContext } from "../runtime/program.ts";
import {
  FROZEN,
  MINT_SIZE,
  readHolding,
  readMint,
  requireAuthority,
  writeHolding,
  writeMint,
} from "./token-accounts.ts";
import { TOKEN_ERROR } from "./token-failures.ts";

export function mintTo(context: InstructionContext, amount: bigint, decimals?: number): void {
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

export function burn(context: InstructionContext, amount: bigint, decimals?: number): void {
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

export function approve(context: InstructionContext, amount: bigint): void {
  const account = context.meta(0).address;
  const holding = readHolding(context, account);
  requireOr(holding.state !== FROZEN, TOKEN_ERROR.accountFrozen);
  requireAuthority(holding.owner, context.meta(2));
  const delegate = context.meta(1).address;
  writeHolding(context, account, { ...holding, delegate, delegatedAmount: amount });
}

export function revoke(context: InstructionContext): void {
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

export function setAuthority(context: InstructionContext): void {
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

export function closeAccount(context: InstructionContext): void {
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
