import {
  type Address,
  createSolanaRpcFromTransport,
  getBase64Decoder,
  getBase64Encoder,
  isBlockhash,
  type RpcTransport,
  type Signature,
} from "@solana/kit";
import type { Network } from "../domain/network.ts";
import {
  type Account,
  type Chain,
  ChainUnavailableError,
  type SignatureStatus,
  type TokenDelta,
  type TransactionOutcome,
} from "./chain.ts";
import { isAddress } from "./encoding/address-codec.ts";
import {
  ask,
  isInvalidCall,
  isRefusedQuestion,
  isU64,
  refusalOf,
  requireAnswer,
  TooManyAccountsError,
  transactionErrorFromRpc,
} from "./rpc-ask.ts";
import { signatureOf } from "./signing.ts";

interface RpcTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner?: Address;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The fields this product reads from a node's `getTransaction` answer in `json` encoding. */
interface RpcTransaction {
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
function outcomeFromRpc(signature: Signature, answer: RpcTransaction): TransactionOutcome | null {
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

/** Kit's RPC client of one node. */
type NodeRpc = ReturnType<typeof createSolanaRpcFromTransport<RpcTransport>>;

const toWire = getBase64Decoder();
const fromWire = getBase64Encoder();

interface RpcAccount {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: readonly [string, string];
  readonly space: bigint;
}

function readAccount(address: Address, account: RpcAccount | null): Account | null {
  if (account === null) return null;
  const { lamports, owner, executable, space } = account;
  requireAnswer(isU64(lamports), "a balance");
  requireAnswer(isAddress(owner), "an owner");
  requireAnswer(account.data[1] === "base64", "an account's encoding");
  const data = Uint8Array.from(fromWire.encode(account.data[0]));
  requireAnswer(BigInt(data.length) === BigInt(space), "an account of another length");
  return { address, lamports, owner, data, executable };
}

/** Returns the account calls of a node, at commitment `confirmed`; an impossible answer counts as no answer. */
function rpcAccounts(rpc: NodeRpc): Pick<Chain, "accounts" | "accountsOf" | "minimumBalance"> {
  return {
    async accounts(addresses, { minContextSlot } = {}) {
      const { context, value } = await ask(() =>
        rpc
          .getMultipleAccounts(addresses, {
            encoding: "base64",
            commitment: "confirmed",
            ...(minContextSlot === undefined ? {} : { minContextSlot }),
          })
          .send(),
      ).catch((error: unknown) => {
        throw isInvalidCall(error) ? new TooManyAccountsError() : error;
      });
      const { slot } = context;
      requireAnswer(isU64(slot) && slot >= (minContextSlot ?? 0n), "its slot");
      requireAnswer(value.length === addresses.length, "a number of accounts");
      return {
        slot,
        accounts: value.map((account, at) => readAccount(addresses[at] as Address, account)),
      };
    },

    async accountsOf(program, { offset, bytes }) {
      const answer = await ask(() =>
        rpc
          .getProgramAccounts(program, {
            encoding: "base64",
            commitment: "confirmed",
            filters: [
              {
                memcmp: {
                  offset: BigInt(offset),
                  bytes: toWire.decode(bytes) as never,
                  encoding: "base64",
                },
              },
            ],
          })
          .send(),
      ).catch((error: unknown) => {
        if (isRefusedQuestion(error)) return null;
        throw error;
      });
      if (answer === null) return null;
      return answer.flatMap(({ pubkey, account }) => {
        const found = readAccount(pubkey, account);
        requireAnswer(found?.owner === program, "an account of the program");
        const held = found.data.subarray(offset, offset + bytes.length);
        requireAnswer(
          held.length === bytes.length && held.every((byte, at) => byte === bytes[at]),
          "an account that was asked for",
        );
        return [found];
      });
    },

    minimumBalance: (size) => ask(() => rpc.getMinimumBalanceForRentExemption(BigInt(size)).send()),
  };
}

/** Number of performance samples averaged; one sample covers a minute. */
const SLOT_SAMPLES = 5;

/** Largest number of accounts a node accepts for recent prices. */
const PRICED_ACCOUNTS = 128;

/** Returns the calls of a node about slots, heights, fees and rent. */
function rpcProgress(
  rpc: NodeRpc,
): Pick<
  Chain,
  | "genesisHash"
  | "latestBlockhash"
  | "progress"
  | "historyStart"
  | "slotDurationMs"
  | "recentUnitPrices"
> {
  return {
    async genesisHash() {
      const hash = await ask(() => rpc.getGenesisHash().send());
      requireAnswer(typeof hash === "string", "a chain's first hash");
      return hash;
    },

    async latestBlockhash() {
      const { context, value } = await ask(() =>
        rpc.getLatestBlockhash({ commitment: "confirmed" }).send(),
      );
      const { blockhash, lastValidBlockHeight } = value;
      requireAnswer(isBlockhash(blockhash), "a blockhash");
      requireAnswer(isU64(context.slot) && isU64(lastValidBlockHeight), "a blockhash's lifetime");
      return { blockhash, lastValidBlockHeight, slot: context.slot };
    },

    async progress(commitment) {
      const { absoluteSlot, blockHeight } = await ask(() =>
        rpc.getEpochInfo({ commitment }).send(),
      );
      requireAnswer(
        isU64(absoluteSlot) && isU64(blockHeight) && blockHeight <= absoluteSlot,
        "a block height beside its slot",
      );
      return { slot: absoluteSlot, blockHeight };
    },

    historyStart: () => ask(() => rpc.getFirstAvailableBlock().send()),

    async slotDurationMs() {
      const samples = await ask(() => rpc.getRecentPerformanceSamples(SLOT_SAMPLES).send());
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0n);
      if (slots === 0n) throw new ChainUnavailableError("The node has measured no slots.");
      return (seconds * 1_000) / Number.parseInt(String(slots), 10);
    },

    async recentUnitPrices(writable) {
      const rows = await ask(() =>
        rpc.getRecentPrioritizationFees(writable.slice(0, PRICED_ACCOUNTS)).send(),
      );
      return rows.map(({ prioritizationFee }) => prioritizationFee);
    },
  };
}

/** Simulates and sends transactions through a node. */
function rpcSending(rpc: NodeRpc): Pick<Chain, "simulate" | "send"> {
  const wire = (transaction: Uint8Array) => toWire.decode(transaction) as never;
  return {
    async simulate(transaction, { replaceBlockhash = true } = {}) {
      const { value } = await ask(() =>
        rpc
          .simulateTransaction(wire(transaction), {
            encoding: "base64",
            commitment: "confirmed",
            sigVerify: false,
            replaceRecentBlockhash: replaceBlockhash,
          })
          .send(),
      );
      return {
        error: transactionErrorFromRpc(value.err),
        logs: value.logs ?? [],
        unitsConsumed: value.unitsConsumed ?? 0n,
      };
    },

    async send(transaction) {
      try {
        return await rpc
          .sendTransaction(wire(transaction), {
            encoding: "base64",
            preflightCommitment: "confirmed",
            maxRetries: 0n,
          })
          .send();
      } catch (error) {
        if (error instanceof ChainUnavailableError) throw error;
        const refusal = refusalOf(error);
        if (refusal?.error.name === "AlreadyProcessed") return signatureOf(transaction);
        if (refusal !== null) throw refusal;
        throw new ChainUnavailableError("The node did not take the transaction.", {
          cause: error,
          trouble: "unreachable",
        });
      }
    },
  };
}

/** Newest transaction version this product reads. */
const NEWEST_VERSION = 1;

/** Returns the calls of a node about signatures and landed transactions. */
function rpcHistory(
  rpc: NodeRpc,
): Pick<Chain, "signatureStatuses" | "transaction" | "signaturesFor"> {
  return {
    async signatureStatuses(signatures, { minSlot = 0n } = {}) {
      const answer = await ask(() =>
        rpc.getSignatureStatuses([...signatures], { searchTransactionHistory: true }).send(),
      );
      const { slot } = answer.context;
      requireAnswer(isU64(slot) && answer.value.length === signatures.length, "statuses");
      if (slot < minSlot) {
        throw new ChainUnavailableError("The node is behind.", { trouble: "behind" });
      }
      return {
        slot,
        statuses: answer.value.map((status): SignatureStatus | null => {
          if (status === null) return null;
          requireAnswer(isU64(status.slot) && status.slot <= slot, "a status without its slot");
          return {
            slot: status.slot,
            // Older nodes report a commitment only while it is not final
            commitment:
              status.confirmationStatus ??
              (status.confirmations === null ? "finalized" : "processed"),
            error: transactionErrorFromRpc(status.err),
          };
        }),
      };
    },

    async transaction(signature: Signature) {
      const answer = await ask(() =>
        rpc
          .getTransaction(signature, {
            encoding: "json",
            commitment: "confirmed",
            // Kit's type does not include the newest version yet; nodes answer it in the same form
            maxSupportedTransactionVersion: NEWEST_VERSION as 0,
          })
          .send(),
      );
      if (answer === null) return null;
      requireAnswer(answer.transaction.signatures[0] === signature, "another transaction");
      return outcomeFromRpc(signature, answer);
    },

    async signaturesFor(address, limit, { minSlot, sinceSlot = 0n, before } = {}) {
      const rows = await ask(() =>
        rpc
          .getSignaturesForAddress(address, {
            limit,
            commitment: "confirmed",
            ...(before === undefined ? {} : { before }),
            ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
          })
          .send(),
      );
      requireAnswer(
        rows.every((row) => isU64(row.slot) && typeof row.signature === "string"),
        "a signature without its slot",
      );
      return rows.filter(({ slot }) => slot >= sinceSlot).map(({ signature }) => signature);
    },
  };
}

/**
 * Returns the chain of one node over Solana's JSON-RPC via HTTP: polling only, reads at `confirmed`; an impossible
 * answer counts as no answer.
 */
export function createRpcChain(network: Network, transport: RpcTransport): Chain {
  const rpc = createSolanaRpcFromTransport(transport);
  const node: Chain = {
    network,
    ...rpcAccounts(rpc),
    ...rpcProgress(rpc),
    ...rpcSending(rpc),
    ...rpcHistory(rpc),
    withOneNode: (work) => work(node),
  };
  return node;
}
