import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { getBalances } from "../../contract/wallet.ts";
import { parseOwner, type OwnerAddress } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import { replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import { useRead } from "./read.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const OTHER = parseOwner("7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU");

beforeEach(() => session.setState({ status: "signed-in", address: OWNER }));
afterEach(() => act(() => session.setState({ status: "signed-out", address: "" })));

/** Reads balances; the first call is answered, later ones are not. */
async function readFirst(walletAddress: OwnerAddress) {
  let calls = 0;
  replaceFetch(() => {
    calls += 1;
    return calls > 1
      ? new Promise(() => {})
      : Promise.resolve(Response.json({ sol: "1", quote: "2", quoteSymbol: "USDC", assets: null }));
  });
  const client = new QueryClient();
  const { result, rerender } = renderHook(
    (asked: { readonly walletAddress: OwnerAddress; readonly network: Network }) =>
      useRead(
        getBalances,
        { params: { walletAddress: asked.walletAddress }, query: { network: asked.network } },
        { keepsPrevious: true },
      ),
    {
      initialProps: { walletAddress, network: "practice" },
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await expect.poll(() => result.current.data?.sol).toBe("1");
  return { result, rerender };
}

it("shows the previous answer while another query of the same wallet loads", async () => {
  const { result, rerender } = await readFirst(OWNER);
  rerender({ walletAddress: OWNER, network: "devnet" });
  expect(result.current.data?.sol).toBe("1");
  expect(result.current.isPlaceholderData).toBe(true);
});

it("shows nothing of another wallet, although the signed-in one asked for it", async () => {
  const { result, rerender } = await readFirst(OTHER);
  rerender({ walletAddress: OWNER, network: "practice" });
  expect(result.current.data).toBeUndefined();
});
