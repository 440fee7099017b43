import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { parseOwner } from "../../../domain/ids.ts";
import type { Agent } from "../../../contract/agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import type { PositionSummary } from "../../../contract/trade.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { PositionStrip } from "./position-strip.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const agent = { id: "a".repeat(32), network: "practice", marketId: "SOL-PERP" } as Agent;

const HELD: PositionSummary = {
  position: "-2.5",
  portfolioValue: "496.13",
  pnl: "-1.00",
  positionValue: "383.63",
  available: true,
  asOf: "2026-11-21T08:00:00.000Z",
};

/** Figures that are loaded after the strip. */
const DETAILS = [
  "limitLeft",
  "entryLimit",
  "exposure",
  "fundingPerHour",
  "liquidationPrice",
] as const;

/** The strip as pairs of a name and its figure. */
async function stripOf(summary: PositionSummary): Promise<readonly string[]> {
  const client = new QueryClient();
  client.setQueryData(deploymentQuery.queryKey, { networks: [], aiOrigins: [] });
  replaceFetch(() => Promise.resolve(Response.json({ response: summary })));
  render(
    <QueryClientProvider client={client}>
      <PositionStrip agent={agent} />
    </QueryClientProvider>,
  );
  if (summary.available) await screen.findByText("$496.13");
  else await screen.findByText(/^unavailable since/);
  const details = DETAILS.filter((detail) => summary[detail] !== undefined);
  const stops = summary.plan?.stop ? 1 : 0;
  await waitFor(() => expect(screen.getAllByRole("term")).toHaveLength(4 + details.length + stops));
  return screen
    .getAllByRole("term")
    .map((term) => `${term.textContent}${term.nextElementSibling?.textContent}`);
}

it("labels the value of the position and the value of the account", async () => {
  expect(await stripOf(HELD)).toEqual([
    "Position: −2.50 SOL",
    "P&L: −1.00%",
    "Value: $383.63",
    "Account: $496.13",
  ]);
  expect(screen.getByText("Value:").title).toBe("What the position is worth");
  expect(screen.getByText("Account:").title).toBe(
    "What the agent's account is worth: its money, and the profit or loss of its position",
  );
});

it("shows the rest of the day's limit before it reduces an entry", async () => {
  expect(await stripOf({ ...HELD, limitLeft: "6.00" })).toContain("Left today: $6.00");
});

it("shows nothing for today where nothing was traded", async () => {
  const strip = await stripOf({ ...HELD, entryLimit: "484.00" });
  expect(strip).toContain("Entry at most: $484.00");
  expect(strip.join()).not.toContain("Left today");
});

it("shows the account's value while nothing is open", async () => {
  const flat = { ...HELD, position: "0", pnl: "0.00", positionValue: "0.00" };
  expect(await stripOf(flat)).toEqual([
    "Position: 0.00 SOL",
    "P&L: 0.00%",
    "Value: $0.00",
    "Account: $496.13",
  ]);
});

it("shows no figure as current while the venue cannot be read", async () => {
  const zeros = { position: "0", portfolioValue: "0.00", pnl: "0.00", positionValue: "0.00" };
  const unread = { ...zeros, available: false, asOf: "2026-11-21T08:00:00.000Z" };
  expect(await stripOf(unread)).toEqual(["Position: –", "P&L: –", "Value: –", "Account: –"]);
});

it("names direction, exposure, funding and liquidation of a perpetual position", async () => {
  const strip = await stripOf({
    ...HELD,
    side: "short",
    exposure: "0.78",
    fundingPerHour: "-0.0123",
    liquidationPrice: "301.5",
  });
  expect(strip.slice(4)).toEqual([
    "Exposure: 0.78x",
    "Funding: −$0.0123 an hour",
    "Liquidation: $301.50",
  ]);
  expect(screen.getByText("Short")).toBeDefined();
});

it.each([
  ["129.7087", "$129.71"],
  ["1.23456", "$1.235"],
  ["0.245831", "$0.2458"],
  ["0.0000218", "$0.00002180"],
])("shows a stop at %s with the digits of its price, as the chart does", async (price, shown) => {
  const stop = { price, by: "stop" } as const;
  const plan = { kept: "watched" as const, stop, targets: [] };
  const strip = await stripOf({ ...HELD, side: "long", plan, liquidationPrice: price });
  expect(strip.slice(4)).toEqual([`Stop: ${shown} · watched`, `Liquidation: ${shown}`]);
});

it("says that no price of the market liquidates the position", async () => {
  const strip = await stripOf({ ...HELD, side: "long", liquidationPrice: "none" });
  expect(strip).toContain("Liquidation: none");
});

it("offers to close a position and nothing where none is open", async () => {
  await stripOf({ ...HELD, side: "short" });
  expect(screen.getByRole("button", { name: "Close position" })).toBeDefined();
  cleanup();
  await stripOf({ ...HELD, position: "0" });
  expect(screen.queryByRole("button")).toBeNull();
});
