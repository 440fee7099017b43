import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { Agent } from "../../../contract/agent.ts";
import type { PositionSummary } from "../../../contract/trade.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import ClosePositionDialog from "./close-position-dialog.tsx";

session.setState({
  status: "signed-in",
  address: parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn"),
});
const agent = {
  id: "a".repeat(32),
  chatId: "c".repeat(32),
  marketId: "SOL-PERP",
  autoTrade: "on",
  slippagePercent: 0.5,
} as Agent;

const LONG: PositionSummary = {
  position: "3.7",
  portfolioValue: "496.13",
  pnl: "1.00",
  positionValue: "497.10",
  side: "long",
  available: true,
};

afterEach(cleanup);

/** Shows the dialog of an agent that holds this; returns the bodies it sends and what closes it. */
function show(held: PositionSummary, answers: readonly number[] = []) {
  const sent: unknown[] = [];
  const onClose = vi.fn();
  let holding = held;
  replaceFetch((_url, init) => {
    if (init?.method !== "POST") return Promise.resolve(Response.json({ response: holding }));
    sent.push(JSON.parse(init.body as string));
    const status = answers[sent.length - 1] ?? 409;
    return Promise.resolve(Response.json({ code: "conflict", message: "Wait." }, { status }));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ClosePositionDialog agent={agent} onClose={onClose} />
    </QueryClientProvider>,
  );
  const hold = async (next: PositionSummary) => {
    holding = next;
    await client.invalidateQueries();
  };
  return { sent, onClose, hold };
}

it("says what is sold and that the agent stays on, with the focus on Cancel", async () => {
  show(LONG);
  const button = await screen.findByRole("button", { name: "Close long 3.70 SOL" });
  expect(button).toBeDefined();
  expect(screen.getByRole("alertdialog").textContent).toContain(
    "Sells 3.70 SOL at the market price. The first try allows 0.5% slippage",
  );
  expect(screen.getByRole("alertdialog").textContent).toContain("Auto-Trade stays on");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
});

it("repeats a failed request under the same id", async () => {
  const { sent } = show(LONG);
  const button = await screen.findByRole("button", { name: "Close long 3.70 SOL" });
  await userEvent.click(button);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(button.getAttribute("aria-busy")).not.toBe("true"));
  await userEvent.click(button);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]).toMatchObject({ side: "long" });
  expect(sent[1]).toEqual(sent[0]);
});

it("closes the part that is chosen, and names its size", async () => {
  const { sent } = show(LONG);
  await userEvent.click(await screen.findByRole("button", { name: "50%" }));
  expect(screen.getByRole("alertdialog").textContent).toContain("Sells about 1.85 SOL");
  await userEvent.click(screen.getByRole("button", { name: "Close long 1.85 SOL" }));
  await waitFor(() => expect(sent).toMatchObject([{ side: "long", portion: 50 }]));
});

it("closes nothing once the position has another side", async () => {
  const { hold } = show(LONG);
  await screen.findByRole("button", { name: "Close long 3.70 SOL" });
  await hold({ ...LONG, position: "-3.7", side: "short" });
  await screen.findByText("The long position is closed.");
  expect(screen.queryByRole("button", { name: /^Close/ })).toBeNull();
});

it("says when the position cannot be read", async () => {
  show({ ...LONG, side: undefined, available: false } as PositionSummary);
  await screen.findByText(/cannot be read at the moment/);
  expect(screen.queryByRole("button", { name: /^Close/ })).toBeNull();
});
