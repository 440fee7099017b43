import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { parseOwner } from "../../domain/ids.ts";
import { replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import { useWorkspace, chatsQuery } from "./use-workspace.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const NAMED = "0".repeat(32);

afterEach(() => {
  act(() => session.setState({ status: "signed-out", address: "" }));
});

it("asks only once for the name of a chat that the list lacks", async () => {
  let answered = Promise.resolve();
  replaceFetch(async (input) => {
    await answered;
    const isList = String(input as string).includes(`/api/chats/wallet/${OWNER}`);
    return Response.json(isList ? [] : { networks: [], aiOrigins: [] });
  });
  session.setState({ status: "signed-in", address: OWNER });
  const client = new QueryClient();
  const shown: string[] = [];
  const { result } = renderHook(
    () => {
      const workspace = useWorkspace(NAMED);
      shown.push(workspace.chatId);
      return workspace;
    },
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await expect.poll(() => result.current.isChatUnknown).toBe(true);
  shown.length = 0;
  let release = () => {};
  answered = new Promise((resolve) => (release = resolve));
  const again = client.refetchQueries(chatsQuery(OWNER));
  // Drawn once while the list is under way, and once when it has come
  await expect.poll(() => shown.length).toBeGreaterThan(0);
  release();
  await act(() => again);
  expect(result.current.isChatUnknown).toBe(true);
  expect(shown.filter((chatId) => chatId !== "")).toEqual([]);
});
