import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { PortfolioList } from "./wallet-panel.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const BOT = agentIdOf("a");

function open(unavailable: readonly string[]): void {
  replaceFetch(() => Promise.resolve(Response.json({ positions: [], unavailable })));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PortfolioList />
    </QueryClientProvider>,
  );
}

it("says that nothing is open once every agent has been read", async () => {
  open([]);
  expect(await screen.findByText(/^No open positions\./)).toBeDefined();
});

it("does not say so while an agent could not be read", async () => {
  open([BOT]);
  expect(await screen.findByText("1 agent(s) could not be read just now.")).toBeDefined();
  expect(screen.queryByText(/^No open positions/)).toBeNull();
});
