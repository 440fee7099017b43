import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { ActivityList } from "./wallet-panel.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });

const orderOf = (takerOrderDirection: "long" | "short") => ({
  symbol: "SOL",
  takerOrderDirection,
  baseAssetAmountFilled: "1",
  ts: "2026-11-21T08:00:00.000Z",
  txSig: takerOrderDirection.repeat(4),
});

it.each([
  ["drift", "↑ long", "↓ short"],
  ["jupiter", "↑ buy", "↓ sell"],
])("an order on %s is %s or %s", async (venue, up, down) => {
  const agent = { botId: "a".repeat(32), agentName: "Agent", venue };
  const agents = [{ ...agent, orders: [orderOf("long"), orderOf("short")] }];
  replaceFetch(() => Promise.resolve(Response.json({ agents })));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ActivityList explorerOf={() => null} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText(up)).toBeDefined();
  expect(screen.getByText(down)).toBeDefined();
});
