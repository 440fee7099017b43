import { readyFigures } from "../../../../../test/readiness-figures.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { answeredAgent, buildAgent } from "../../../../../test/shown-agent.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { readinessOf, USUAL_READINESS_BAR } from "../../../../domain/readiness.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { session } from "../../../lib/session.ts";
import { GoLiveDialog } from "./readiness-card.tsx";

session.setState({
  status: "signed-in",
  address: parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn"),
});

afterEach(cleanup);

const FIGURES = readyFigures({ days: 3 });

const agent = buildAgent({ name: "Dip", network: "paper" });

function show(networks: readonly string[], figures = FIGURES) {
  const sent: { path: string; body: unknown }[] = [];
  const onOpen = vi.fn();
  replaceFetch((url, init) => {
    const { pathname } = new URL(url as string, "http://here");
    if (pathname === "/api/deployment") {
      const venues = [
        { venue: "drift", status: "available", quoteSymbol: "USDC", quoteDecimals: 6 },
      ];
      const offered = networks.map((network) => ({
        network,
        explorerUrl: null,
        nodes: [],
        venues,
      }));
      return Promise.resolve(Response.json({ networks: offered, aiOrigins: [] }));
    }
    sent.push({ path: pathname, body: JSON.parse(init?.body as string) });
    const made = answeredAgent(
      buildAgent({ id: "b".repeat(32), chatId: "d".repeat(32), name: "Dip live" }),
    );
    return Promise.resolve(Response.json(made, { status: 201 }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GoLiveDialog
        agent={agent}
        figures={figures}
        lines={readinessOf(figures, USUAL_READINESS_BAR)}
        onOpen={onOpen}
        onClose={() => {}}
      />
    </QueryClientProvider>,
  );
  return { sent, onOpen };
}

it("says what is missing and what differs, and sends the figures to be signed", async () => {
  const { sent, onOpen } = show(["paper", "devnet"]);
  const below = await screen.findByRole("region", { name: "Below your bar" });
  const make = screen.getByRole("button", { name: "Sign and make it" });
  expect(below.textContent).toContain("Lived: 3 of 14 days");
  expect(screen.getByRole("region", { name: "What differs" }).textContent).toContain(
    "Position size 10% instead of 100%.",
  );
  await userEvent.click(make);
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith("d".repeat(32)));
  expect(sent).toEqual([
    {
      path: `/api/agents/${agent.id}/go-live`,
      body: { name: "Dip live", network: "devnet", figures: FIGURES },
    },
  ]);
});

it("at the bar asks for no signature", async () => {
  show(["devnet"], { ...FIGURES, days: 14 });
  await screen.findByRole("button", { name: "Make it" });
  expect(screen.queryByRole("region", { name: "Below your bar" })).toBeNull();
});

it("without a real network says how one is enabled", async () => {
  const { sent } = show(["practice", "paper"]);
  await screen.findByText(/has no real network/);
  expect(screen.getByRole("button", { name: /make it/i })).toHaveProperty("disabled", true);
  expect(sent).toEqual([]);
});
