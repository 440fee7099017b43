import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { replaceFetch } from "../lib/api.ts";
import { chatsQuery } from "./use-workspace.ts";
import type { SignedInWallet } from "../lib/session.ts";

it("has every chat of a wallet once, even one used while the pages load", async () => {
  const wallet = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU" as SignedInWallet;
  const idOf = (at: number) => at.toString(16).padStart(32, "0");
  let order = Array.from({ length: 450 }, (_, at) => idOf(at));
  const calls: string[] = [];
  replaceFetch(async (address) => {
    const url = new URL(address instanceof Request ? address.url : address, "http://here");
    const before = url.searchParams.get("before");
    calls.push(before ?? "");
    const from = before === null ? 0 : order.indexOf(before) + 1;
    const page = order.slice(from, from + 200).map((_id) => ({
      _id,
      title: "A chat",
      walletAddress: wallet,
      updatedAt: "2026-11-23T10:00:00.000Z",
    }));
    // A chat of the last page is used after the first page was read
    if (calls.length === 1) order = [idOf(440), ...order.filter((id) => id !== idOf(440))];
    return Response.json(page);
  });
  const chats = await new QueryClient().fetchQuery(chatsQuery(wallet));
  expect(chats.map(({ id }) => id)).toEqual(order);
  expect(calls).toHaveLength(4);
});
