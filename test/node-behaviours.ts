import type { Address } from "@solana/kit";
import type { Chain } from "../src/solana/chain.ts";
import { type RpcBehaviour, type RpcFault } from "./rpc-server.ts";
import { RpcFailure } from "./rpc-answers.ts";

type Json = Record<string, unknown>;

const always = (fault: RpcFault): RpcBehaviour => ({ before: () => fault });

/** Changes what one method answers. */
export const changing = (method: string, change: (result: never) => unknown): RpcBehaviour => ({
  after: (asked, result) => (asked === method ? change(result as never) : result),
});

/** Changes every account that is there. */
const changingAccounts = (change: (account: Json) => unknown): RpcBehaviour =>
  changing("getMultipleAccounts", (answer: { context: unknown; value: (Json | null)[] }) => ({
    ...answer,
    value: answer.value.map((account) => account && change(account)),
  }));

const content = (account: Json, change: (bytes: Buffer) => Buffer): Json => {
  const [text] = account["data"] as [string];
  const data = change(Buffer.from(text, "base64"));
  return { ...account, data: [data.toString("base64"), "base64"], space: data.length };
};

/** A node that answers other bytes for some accounts, at the slot it really is at; null: as if it were not there. */
export const rewriting = (
  changes: ReadonlyMap<string, (bytes: Buffer) => Buffer | null>,
): RpcBehaviour => ({
  after(method, result, [asked]) {
    if (method !== "getMultipleAccounts") return result;
    const { context, value } = result as { context: unknown; value: (Json | null)[] };
    const changed = value.map((account, at) => {
      const change = changes.get((asked as readonly string[])[at] ?? "");
      if (account === null || change === undefined) return account;
      const [text] = account["data"] as [string];
      const bytes = change(Buffer.from(text, "base64"));
      return bytes === null ? null : content(account, () => bytes);
    });
    return { context, value: changed };
  },
});

/** Returns what a node goes on saying of some accounts that stopped at this moment. */
export async function rememberAccounts(
  chain: Pick<Chain, "accounts">,
  addresses: readonly Address[],
): Promise<Parameters<typeof rewriting>[0]> {
  const { accounts } = await chain.accounts(addresses);
  return new Map(
    addresses.map((address, at) => {
      const held = accounts[at];
      return [address, () => (held == null ? null : Buffer.from(held.data))];
    }),
  );
}

/** A node that lags by some slots and reports the slot it answers for. */
export const lagging = (slots: bigint): RpcBehaviour => ({
  after(_method, result) {
    const { context, absoluteSlot, blockHeight } = (result ?? {}) as {
      context?: { slot: bigint };
      absoluteSlot?: bigint;
      blockHeight?: bigint;
    };
    if (context !== undefined)
      return { ...(result as Json), context: { slot: context.slot - slots } };
    if (absoluteSlot === undefined || blockHeight === undefined) return result;
    return {
      ...(result as Json),
      absoluteSlot: absoluteSlot - slots,
      blockHeight: blockHeight - slots,
    };
  },
});

/** A node without history before this slot; with `isSilent` it answers null instead of an error. */
export const historyLess = (start: bigint, { isSilent }: { isSilent: boolean }): RpcBehaviour => ({
  before(method) {
    if (method === "getSignatureStatuses" && !isSilent) {
      throw new RpcFailure(-32_011, "Transaction history is not available from this node");
    }
    return undefined;
  },
  after(method, result) {
    if (method === "getFirstAvailableBlock") return start;
    if (method !== "getSignatureStatuses") return result;
    const { context, value } = result as { context: unknown; value: unknown[] };
    return { context, value: value.map(() => null) };
  },
});

/** Nodes that do not answer, by an operator's name for the fault. */
export const AWAY: Readonly<Record<string, RpcBehaviour>> = {
  "answers 429": always({ kind: "status", status: 429 }),
  "answers 503": always({ kind: "status", status: 503 }),
  "refuses the key": always({ kind: "status", status: 403 }),
  "never answers": always({ kind: "hang" }),
  "loses every answer": always({ kind: "drop-answer" }),
  "answers something else than JSON": always({ kind: "text", text: "<html>Gateway</html>" }),
  "answers JSON that is no answer": always({ kind: "text", text: "[]" }),
  "answers more than anyone asked for": always({
    kind: "text",
    text: `{"result":"${"x".repeat(33_000_000)}"}`,
  }),
  "answers for a node behind a wall": {
    before() {
      throw new RpcFailure(-32_005, "Node is unhealthy");
    },
  },
};

/** Nodes that return impossible accounts. */
export const LYING_ABOUT_ACCOUNTS: Readonly<Record<string, RpcBehaviour>> = {
  "loses the account": changingAccounts(() => null),
  "answers it without content": changingAccounts((account) =>
    content(account, () => Buffer.alloc(0)),
  ),
  "answers it full of zeros": changingAccounts((account) =>
    content(account, (bytes) => Buffer.alloc(bytes.length)),
  ),
  "answers it shortened": changingAccounts((account) =>
    content(account, (bytes) => bytes.subarray(0, bytes.length / 2)),
  ),
  "answers it with little of its content": changingAccounts((account) =>
    content(account, (bytes) =>
      Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(bytes.length - 8)]),
    ),
  ),
  "answers another owner": changingAccounts((account) => ({
    ...account,
    owner: "Vote111111111111111111111111111111111111111",
  })),
  "answers no address as its owner": changingAccounts((account) => ({ ...account, owner: "me" })),
  "answers a negative balance": changingAccounts((account) => ({ ...account, lamports: -1n })),
  "answers an absurd balance": changingAccounts((account) => ({ ...account, lamports: 1n << 70n })),
  "answers another length than its bytes": changingAccounts((account) => ({
    ...account,
    space: 7,
  })),
  "answers fewer accounts than asked": changing(
    "getMultipleAccounts",
    (answer: { context: unknown }) => ({ ...answer, value: [] }),
  ),
  "answers without a slot": changing("getMultipleAccounts", (answer: { value: unknown }) => ({
    ...answer,
    context: {},
  })),
};
