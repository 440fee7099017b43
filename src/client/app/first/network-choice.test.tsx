import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WorkspaceActions } from "../../actions/action-context.ts";
import type { ActionContext } from "../../actions/action.ts";
import { chosenNetwork } from "../../lib/chosen-network.ts";
import { replaceFetch } from "../../lib/api.ts";
import { defaultNetwork, deploymentQuery } from "../../queries/deployment.ts";
import { NetworkChoice, RealVenues } from "./network-choice.tsx";

const NAMES = ["Pyth", "Binance", "Bybit"];
const AT = "2026-11-22T09:00:00.000Z";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  localStorage.clear();
  chosenNetwork.setState({ network: null });
});
afterEach(() => vi.useRealTimers());

const deployment = (networks: readonly string[], isLive: () => boolean) => ({
  networks: networks.map((network) => ({
    network,
    explorerUrl: null,
    venues: [],
    nodes: [],
    ...(network === "paper" && {
      prices: {
        assets: [
          {
            asset: "SOL",
            price: isLive() ? "129.5" : null,
            at: isLive() ? AT : null,
            sources: 3,
            missing: isLive() ? null : "stale",
            isConfirmed: isLive(),
          },
        ],
        sources: NAMES.map((name) => ({
          name,
          trouble: isLive()
            ? null
            : { kind: "unreachable", text: `${name} does not answer`, since: AT, assets: ["SOL"] },
        })),
      },
    }),
  })),
  aiOrigins: [],
});

function Shown({ client }: { readonly client: QueryClient }) {
  const network = defaultNetwork(client.getQueryData(deploymentQuery.queryKey));
  return (
    <WorkspaceActions value={{ network } as ActionContext}>
      <NetworkChoice />
    </WorkspaceActions>
  );
}

function open(networks: readonly string[], isLive: () => boolean) {
  replaceFetch(() => Promise.resolve(Response.json(deployment(networks, isLive))));
  const client = new QueryClient();
  const view = () => (
    <QueryClientProvider client={client}>
      <Shown client={client} />
    </QueryClientProvider>
  );
  const { rerender } = render(view());
  return { settle: () => rerender(view()) };
}

const pressed = () => screen.getByRole("button", { pressed: true }).textContent;

it("takes paper at once when prices answer, and says whose they are", async () => {
  const { settle } = open(["practice", "paper"], () => true);
  await waitFor(() => expect(chosenNetwork.getState().network).toBe("paper"));
  settle();
  expect(pressed()).toBe("Paper, real prices");
  expect(screen.getByRole("status").textContent).toMatch(
    /^Live prices of Pyth, Binance,? and Bybit\. Play money\.$/,
  );
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole("button", { name: "Practice" }));
  settle();
  expect(pressed()).toBe("Practice");
  expect(screen.getByText("Made-up prices, offline too. Play money.")).toBeDefined();
  expect(localStorage.getItem("network")).toBe("practice");
});

it("takes practice when no price answers within two seconds, and says why", async () => {
  const { settle } = open(["practice", "paper"], () => false);
  await screen.findByText("Asking for live prices…");
  await act(() => vi.advanceTimersByTimeAsync(1_900));
  expect(chosenNetwork.getState().network).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(200));
  await waitFor(() => expect(chosenNetwork.getState().network).toBe("practice"));
  settle();
  expect(pressed()).toBe("Practice");
  expect(screen.getByRole("status").textContent).toMatch(/^No price source answers/);
});

it("takes paper when a price answers within two seconds", async () => {
  let isLive = false;
  open(["practice", "paper"], () => isLive);
  await screen.findByText("Asking for live prices…");
  isLive = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(chosenNetwork.getState().network).toBe("paper"));
});

it("is absent where there is nothing to choose", async () => {
  const { settle } = open(["practice"], () => true);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  settle();
  expect(screen.queryByRole("group")).toBeNull();
  expect(chosenNetwork.getState().network).toBeNull();
});

it("says which venues take entries with real money, where it is offered", async () => {
  const venues = [
    { venue: "drift", status: "retired", quoteSymbol: "USDC", quoteDecimals: 6 },
    { venue: "jupiter", status: "available", quoteSymbol: "USDC", quoteDecimals: 6 },
  ];
  const network = { network: "mainnet", explorerUrl: null, venues, nodes: [] };
  replaceFetch(() => Promise.resolve(Response.json({ networks: [network], aiOrigins: [] })));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RealVenues />
    </QueryClientProvider>,
  );
  expect(
    await screen.findByText("On mainnet today: Drift: retired. Jupiter: takes entries."),
  ).toBeDefined();
});
