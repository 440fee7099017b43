import type { AgentChange } from "../../../contract/changes.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { ChangeList } from "./change-list.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const at = "2026-11-21T08:00:00.000Z";

function open(answer: () => Response): void {
  replaceFetch(() => Promise.resolve(answer()));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ChangeList agentId={agentIdOf("a")} />
    </QueryClientProvider>,
  );
}

const linesOf = async () =>
  within(await screen.findByRole("list"))
    .getAllByRole("listitem")
    .map((line) => [...line.querySelectorAll("span > span")].map((part) => part.textContent));

it("says what was changed and by whom, including kinds that only a newer server knows", async () => {
  const changes: AgentChange[] = [
    { id: "8", at, what: "proposal_approved", by: "owner", intent: "deposit" },
    { id: "7", at, what: "proposal_approved", by: "owner", intent: "limits" },
    { id: "6", at, what: "moon_landed", by: "owner" },
    { id: "5", at, what: "custody_flagged", by: "outside", text: "A key was added." },
    { id: "4", at, what: "custody_confirmed", by: "owner", intent: "close-positions" },
    { id: "3", at, what: "delegate_replaced", by: "operator" },
    {
      id: "2",
      at,
      what: "agent_saved",
      by: "owner",
      fields: ["slippageBps", "rules", "buyReportPrompt", "sellReportPrompt"],
    },
    {
      id: "1b",
      at,
      what: "agent_saved",
      by: "owner",
      fields: ["plan", "leverage", "hypothesisStatus", "nameKey", "name", "moon"],
    },
    { id: "1", at, what: "agent_created", by: "owner" },
  ];
  open(() => Response.json(changes));
  expect(await linesOf()).toEqual([
    ["Deposit agreed to, not sent yet", "You"],
    ["Proposal approved", "You"],
    ["Moon landed", "You"],
    ["A key was added.", "Outside Wheelhouse"],
    ["Close positions confirmed on chain", "You"],
    ["Trading key replaced", "Operator"],
    ["Changed: slippage, rules, prompts", "You"],
    ["Changed: plan, leverage, Agentic-Trade, name, moon", "You"],
    ["Agent created", "You"],
  ]);
});

it("can be loaded again after a failure", async () => {
  let isUp = false;
  const failure = { code: "unavailable", title: "Error", message: "down", requestId: "x" };
  open(() => (isUp ? Response.json([]) : Response.json(failure, { status: 503 })));
  expect(await screen.findByText("The history could not be loaded")).toBeDefined();
  isUp = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("list")).toBeDefined();
});

it("says that older changes could not be read, and loads them on retry", async () => {
  const page: AgentChange[] = Array.from({ length: 200 }, (_, n) => ({
    id: String(400 - n),
    at,
    what: "agent_saved",
    by: "owner",
  }));
  const failure = { code: "unavailable", title: "Error", message: "down", requestId: "x" };
  const answers = [
    Response.json(page),
    Response.json(failure, { status: 503 }),
    Response.json([{ ...page[0], id: "1" }]),
  ];
  open(() => answers.shift() ?? Response.json([]));
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Show older" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Older changes could not be loaded.");
  expect(screen.getAllByRole("listitem")).toHaveLength(200);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(201));
  expect(screen.queryByRole("alert")).toBeNull();
});
