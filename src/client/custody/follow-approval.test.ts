import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { parseChatId, parseOwner } from "../../domain/ids.ts";
import { live } from "../lib/live.ts";
import { toasts } from "../lib/toast.ts";
import { getAgentByChat } from "../../contract/agents.ts";
import { listChats } from "../../contract/chats.ts";
import { getCustody } from "../../contract/custody.ts";
import { getBalances } from "../../contract/wallet.ts";
import { read } from "../queries/read.ts";
import { pinApproved, pinnedAccounts } from "./approval-memory.ts";
import type { FollowedTransaction, PreparedTransaction } from "./approval-phase.ts";
import type { ApprovalPorts, WalletAnswer } from "./page-ports.ts";
import { createApproval } from "./create-approval.ts";
import { followApproval } from "./approve-flow.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const AGENT = agentIdOf("a");
/** What shows an approval's result. */
const READS = [
  read(OWNER, getCustody, { params: { agentId: AGENT } }),
  read(OWNER, getAgentByChat, { params: { chatId: parseChatId("c".repeat(32)) } }),
  read(OWNER, listChats, { params: { walletAddress: OWNER }, query: {} }),
  read(OWNER, getBalances, { params: { walletAddress: OWNER }, query: { network: "practice" } }),
];

const prepared = { id: "t", method: "signAndSend", multisig: "m" } as PreparedTransaction;
const sent = { id: "t", intent: "set-up", state: "sent", hasNext: false } as FollowedTransaction;
const summary = {
  feePayer: OWNER,
  signers: [OWNER],
  effects: [{ kind: "create-multisig", multisig: "m", owner: OWNER }],
  feeLamports: 5_000n,
} as const;

beforeEach(() => {
  toasts.setState([], true);
  live.setState({ isConnected: false });
  localStorage.clear();
});

/** An approval of one transaction that is followed; `stale` holds the queries that became stale since it was asked. */
function follow(changes: Partial<ApprovalPorts> = {}) {
  const client = new QueryClient();
  for (const { queryKey, meta } of READS) {
    client
      .getQueryCache()
      .build(client, { queryKey, meta: meta ?? {} })
      .setData("known");
  }
  const watched = READS.map(({ queryKey }): readonly unknown[] => queryKey);
  const approval = createApproval("set-up", {
    prepare: () => Promise.resolve(prepared),
    renew: () => Promise.resolve(prepared),
    check: () => Promise.resolve({ kind: "matches", summary }),
    sign: () => Promise.reject(new Error("unexpected")),
    signAndSend: () => Promise.resolve({ kind: "ok", value: "signature" }),
    signed: (review) => pinApproved(AGENT, review),
    postSigned: () => Promise.reject(new Error("unexpected")),
    postSent: () => Promise.resolve(sent),
    read: () => Promise.resolve({ ...sent, state: "confirmed" }),
    remember: () => {},
    recall: () => null,
    describe: () => ({ reason: "No connection." }),
    walletName: "Practice wallet",
    wait: () => Promise.resolve(),
    now: () => 0,
    ...changes,
  });
  const ends: string[] = [];
  const stop = followApproval(approval, () => ({
    client,
    address: OWNER,
    agentId: AGENT,
    told: { title: "The trading key may trade" },
    wordsOf: ({ reason }) => ({ title: "Custody setup failed", message: reason }),
    onDone: () => ends.push("done"),
  }));
  const stale = () => {
    const found = watched.filter((key) => client.getQueryState(key)?.isInvalidated === true);
    for (const key of watched) client.setQueryData(key, "known");
    return found;
  };
  return { approval, stop, stale, ends, watched };
}

it("refetches everything, reports it and finishes once, when all has landed", async () => {
  const { approval, stale, ends, watched } = follow();
  await approval.start();
  await approval.approve();
  expect(approval.phase.getState().kind).toBe("done");
  expect(stale()).toEqual(watched);
  expect(toasts.getState()).toMatchObject([{ title: "The trading key may trade" }]);
  expect(ends).toEqual(["done"]);
});

it("refetches at every step without push, and only at the end with push", async () => {
  const polled = follow();
  await polled.approval.start();
  expect(polled.stale()).toEqual(polled.watched);
  live.setState({ isConnected: true });
  const pushed = follow();
  await pushed.approval.start();
  expect(pushed.stale()).toEqual([]);
  await pushed.approval.approve();
  expect(pushed.stale()).toEqual(pushed.watched);
});

it("gives the reason every time it stops", async () => {
  const { approval, ends } = follow({ prepare: () => Promise.reject(new Error("offline")) });
  await approval.start();
  const stopped = { title: "Custody setup failed", message: "No connection." };
  expect(toasts.getState()).toMatchObject([stopped]);
  toasts.setState([], true);
  await approval.start();
  expect(toasts.getState()).toMatchObject([stopped]);
  expect(ends).toEqual([]);
});

it("remembers the multisig a wallet signs for after the dialog was closed", async () => {
  let sign: (answer: WalletAnswer<string>) => void = () => {};
  const { approval, stop, ends } = follow({
    signAndSend: () => new Promise((resolve) => (sign = resolve)),
  });
  await approval.start();
  const approving = approval.approve();
  await expect.poll(() => approval.phase.getState().kind).toBe("wallet");
  approval.leave();
  stop();
  expect(pinnedAccounts(AGENT).multisig).toBeNull();
  sign({ kind: "ok", value: "signature" });
  await approving;
  expect(pinnedAccounts(AGENT).multisig).toBe("m");
  expect(ends).toEqual([]);
});
