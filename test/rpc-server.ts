import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Address, Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type Commitment,
  type TransactionError,
  TransactionRefusedError,
} from "../src/solana/chain.ts";

/** What a node does to the next requests instead of answering them properly. */
export type RpcFault =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "hang" }
  | { readonly kind: "drop-answer" }
  | { readonly kind: "slow"; readonly ms: number };

export interface RpcServer {
  readonly url: string;
  /** Method names in the order they arrived. */
  readonly calls: string[];
  /** Queues faults, one per coming request. */
  fail(...faults: RpcFault[]): void;
  close(): Promise<void>;
}

/** Balance every account of a transaction starts from in its answer: only changes are known here. */
const BALANCE_BEFORE = 1_000_000_000_000n;

function wireError(error: TransactionError | null): unknown {
  if (error === null) return null;
  if (error.kind === "transaction") return error.name;
  const reason = error.name === "Custom" ? { Custom: error.code } : error.name;
  return { InstructionError: [error.instructionIndex, reason] };
}

async function latestBlockhash(chain: Chain) {
  const { slot, ...value } = await chain.latestBlockhash();
  return { context: { slot }, value };
}

type Params = readonly [unknown?, Record<string, unknown>?];

async function answer(chain: Chain, method: string, [first, options = {}]: Params) {
  const decode = () => Buffer.from(first as string, "base64");
  const commitment = (options["commitment"] ?? "confirmed") as Commitment;
  switch (method) {
    case "getGenesisHash":
      return chain.genesisHash();
    case "getMultipleAccounts": {
      const minimum = options["minContextSlot"];
      const { slot, accounts } = await chain.accounts(
        first as Address[],
        minimum === undefined ? {} : { minContextSlot: BigInt(minimum as number) },
      );
      return {
        context: { slot },
        value: accounts.map((account) =>
          account === null
            ? null
            : {
                lamports: account.lamports,
                owner: account.owner,
                executable: account.executable,
                data: [Buffer.from(account.data).toString("base64"), "base64"],
                space: account.data.length,
              },
        ),
      };
    }
    case "getLatestBlockhash":
      return latestBlockhash(chain);
    case "getEpochInfo": {
      const { slot, blockHeight } = await chain.progress(
        ((first as typeof options)?.["commitment"] ?? commitment) as Commitment,
      );
      return { absoluteSlot: slot, blockHeight, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 };
    }
    case "getFirstAvailableBlock":
      return chain.historyStart();
    case "simulateTransaction": {
      const replaceBlockhash = options["replaceRecentBlockhash"] === true;
      const { error, logs, unitsConsumed } = await chain.simulate(decode(), { replaceBlockhash });
      return { context: { slot: 0 }, value: { err: wireError(error), logs, unitsConsumed } };
    }
    case "sendTransaction":
      return chain.send(decode());
    case "getSignatureStatuses": {
      const { slot, statuses } = await chain.signatureStatuses(first as Signature[]);
      return {
        context: { slot },
        value: statuses.map((status) =>
          status === null
            ? null
            : {
                slot: status.slot,
                confirmations: null,
                confirmationStatus: status.commitment,
                err: wireError(status.error),
              },
        ),
      };
    }
    case "getTransaction": {
      const outcome = await chain.transaction(first as Signature);
      if (outcome === null) return null;
      const lamports = [...outcome.lamportDeltas];
      const accountKeys = [
        ...new Set([
          ...lamports.map(([address]) => address),
          ...outcome.tokenDeltas.map((delta) => delta.account),
        ]),
      ];
      const tokens = outcome.tokenDeltas.map((delta) => ({
        accountIndex: accountKeys.indexOf(delta.account),
        mint: delta.mint,
        owner: delta.owner,
        delta: delta.delta,
      }));
      const balance = (delta: bigint) => ({ uiTokenAmount: { amount: String(delta) } });
      return {
        slot: outcome.slot,
        blockTime: outcome.blockTime,
        transaction: { message: { accountKeys }, signatures: [first] },
        meta: {
          err: wireError(outcome.error),
          fee: outcome.feeLamports,
          logMessages: outcome.logs,
          preBalances: accountKeys.map(() => BALANCE_BEFORE),
          postBalances: accountKeys.map(
            (address) => BALANCE_BEFORE + (outcome.lamportDeltas.get(address) ?? 0n),
          ),
          preTokenBalances: tokens.map((token) => ({ ...token, ...balance(BALANCE_BEFORE) })),
          postTokenBalances: tokens.map((token) => ({
            ...token,
            ...balance(BALANCE_BEFORE + token.delta),
          })),
        },
      };
    }
    case "getRecentPrioritizationFees": {
      const prices = await chain.recentUnitPrices(first as Address[]);
      return prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }));
    }
    case "getSignaturesForAddress": {
      const signatures = await chain.signaturesFor(first as Address, options["limit"] as number);
      return signatures.map((signature) => ({ signature, slot: 0, err: null }));
    }
    default:
      throw new Error(`Unexpected method ${method}`);
  }
}

function toJson(value: unknown): string {
  // JSON has no bigint; nodes write plain integers
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? `#bigint:${part}` : part,
  ).replaceAll(/"#bigint:(-?\d+)"/g, "$1");
}

function failure(error: unknown) {
  if (error instanceof ChainUnavailableError) {
    return { code: -32_016, message: "Minimum context slot has not been reached" };
  }
  if (!(error instanceof TransactionRefusedError)) return { code: -32_603, message: String(error) };
  return {
    code: -32_002,
    message: "Transaction simulation failed",
    data: { err: wireError(error.error), logs: error.logs, unitsConsumed: 0 },
  };
}

/** Serves a chain as a JSON-RPC node over HTTP, with faults on demand. */
export async function startRpcServer(chain: Chain): Promise<RpcServer> {
  const faults: RpcFault[] = [];
  const calls: string[] = [];

  const respond = async (text: string, response: ServerResponse) => {
    const { id, method, params } = JSON.parse(text) as {
      id: unknown;
      method: string;
      params: Params;
    };
    calls.push(method);
    const fault = faults.shift();
    if (fault?.kind === "status") {
      response.writeHead(fault.status).end();
      return;
    }
    if (fault?.kind === "hang") return;
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const body = await answer(chain, method, params ?? []).then(
      (result) => ({ jsonrpc: "2.0", id, result }),
      (error: unknown) => ({ jsonrpc: "2.0", id, error: failure(error) }),
    );
    if (fault?.kind === "drop-answer") response.destroy();
    else response.writeHead(200, { "content-type": "application/json" }).end(toJson(body));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void respond(Buffer.concat(chunks).toString("utf8"), response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    fail: (...next) => void faults.push(...next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
