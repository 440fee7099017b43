import type { Address, Signature } from "@solana/kit";
import type { TokenDelta, TransactionOutcome } from "./chain.ts";
import { isU64, requireAnswer } from "./rpc-ask.ts";
import { transactionErrorFromRpc } from "./rpc-error.ts";

interface RpcTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner?: Address;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The fields this product reads from a node's `getTransaction` answer in `json` encoding. */
export interface RpcTransaction {
  readonly slot: bigint;
  readonly blockTime: bigint | null;
  readonly meta: {
    readonly err: unknown;
    readonly fee: bigint;
    readonly logMessages: readonly string[] | null;
    readonly preBalances: readonly bigint[];
    readonly postBalances: readonly bigint[];
    readonly preTokenBalances?: readonly RpcTokenBalance[];
    readonly postTokenBalances?: readonly RpcTokenBalance[];
    readonly loadedAddresses?: {
      readonly writable: readonly Address[];
      readonly readonly: readonly Address[];
    };
  } | null;
  readonly transaction: { readonly message: { readonly accountKeys: readonly Address[] } };
}

function tokenDeltas(
  keys: readonly Address[],
  before: readonly RpcTokenBalance[],
  after: readonly RpcTokenBalance[],
): TokenDelta[] {
  const rows = new Map<number, { mint: Address; owner: Address; delta: bigint }>();
  const add = (balance: RpcTokenBalance, sign: bigint) => {
    const owner = balance.owner;
    if (owner === undefined) return;
    const row = rows.get(balance.accountIndex) ?? { mint: balance.mint, owner, delta: 0n };
    row.delta += sign * BigInt(balance.uiTokenAmount.amount);
    rows.set(balance.accountIndex, row);
  };
  for (const balance of before) add(balance, -1n);
  for (const balance of after) add(balance, 1n);
  return [...rows].flatMap(([index, row]) => {
    const account = keys[index];
    return account === undefined || row.delta === 0n ? [] : [{ account, ...row }];
  });
}

/** Returns the effects of a landed transaction from a node's answer; null while the node has no meta for it. */
export function outcomeFromRpc(
  signature: Signature,
  answer: RpcTransaction,
): TransactionOutcome | null {
  const { meta } = answer;
  if (meta === null) return null;
  const keys = [
    ...answer.transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ];
  const { preBalances, postBalances } = meta;
  requireAnswer(
    isU64(answer.slot) && preBalances.length === keys.length && postBalances.length === keys.length,
    "a transaction without its balances",
  );
  const { logMessages: logs, preTokenBalances: held, postTokenBalances: left } = meta;
  // A node that does not keep them would make every order look as if it had traded nothing
  const isTold = logs !== null && Array.isArray(held) && Array.isArray(left);
  requireAnswer(meta.err !== null || isTold, "a transaction without its logs or tokens");
  const lamportDeltas = new Map<Address, bigint>();
  keys.forEach((key, index) => {
    const delta = (meta.postBalances[index] ?? 0n) - (meta.preBalances[index] ?? 0n);
    if (delta !== 0n) lamportDeltas.set(key, delta);
  });
  return {
    signature,
    slot: answer.slot,
    blockTime: answer.blockTime,
    error: transactionErrorFromRpc(meta.err),
    logs: logs ?? [],
    feeLamports: meta.fee,
    ...(keys[0] === undefined ? {} : { feePayer: keys[0] }),
    lamportDeltas,
    tokenDeltas: tokenDeltas(keys, held ?? [], left ?? []),
  };
}
