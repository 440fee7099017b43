import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { buildAgent } from "../../../../test/shown-agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import { FundsForm, ManageFunds } from "./manage-funds.tsx";
import { session } from "../../lib/session.ts";

const agent = buildAgent({ isFunded: true });

session.setState({ status: "signed-in", address: agent.owner });

const ANSWERS: Record<string, unknown> = {
  "/api/deployment": { networks: [] },
  [`/api/wallets/${agent.owner}/balances`]: {
    sol: "1",
    quote: "8765.432109",
    quoteSymbol: "USDC",
    assets: [],
  },
  "/api/agents/position": {
    response: {
      position: "9.18",
      portfolioValue: "1233.54",
      pnl: "-0.09",
      positionValue: "1226.42",
      withdrawable: "1988.257914",
      available: true,
      asOf: "2026-11-23T04:26:00.000Z",
    },
  },
};

function open() {
  const isDown = new Set<string>();
  replaceFetch((input) => {
    const path = new URL(input as string, "http://page").pathname;
    const known = Object.keys(ANSWERS).find((each) => path === each || path.includes("position"));
    if (known === undefined || [...isDown].some((part) => path.includes(part))) {
      return Promise.resolve(Response.json({}, { status: 500 }));
    }
    return Promise.resolve(Response.json(ANSWERS[path] ?? ANSWERS["/api/agents/position"]));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <FundsForm agent={agent} renderCustody={() => null} />
    </QueryClientProvider>,
  );
  return {
    /** Reads all figures again while the calls whose path has this part fail. */
    async readWithout(part: string) {
      isDown.add(part);
      await client.invalidateQueries();
    },
  };
}

it("groups the digits of the withdrawable amount", async () => {
  open();
  expect(await screen.findByText("You can withdraw up to 1,988.257914 USDC")).toBeTruthy();
});

it.each(["position", "balances"])(
  "marks its figures as old when the %s cannot be refreshed",
  async (part) => {
    const page = open();
    await screen.findByText("1,233.54 USD");
    await screen.findByText("8,765.43 USDC");
    expect(screen.queryByText(/Unavailable since/)).toBeNull();
    await page.readWithout(part);
    expect((await screen.findByText(/Unavailable since/)).textContent).toMatch(
      /^Unavailable since \d\d:\d\d\. Showing what was last read\.$/,
    );
    expect(screen.getByText("1,233.54 USD").className).toContain("opacity-50");
  },
);

it("takes the focus to its next button when the first deposit has taken its own away", async () => {
  open();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (isFunded: boolean) => (
    <QueryClientProvider client={client}>
      <ManageFunds agent={buildAgent({ isFunded })} renderCustody={() => null} />
    </QueryClientProvider>
  );
  const { rerender, container } = render(page(false));
  within(container).getByRole("button", { name: "Make the first deposit" }).focus();
  rerender(page(true));
  const next = within(container).getByRole("button", { name: "Deposit" });
  await waitFor(() => expect(document.activeElement).toBe(next));
});
