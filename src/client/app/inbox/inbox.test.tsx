import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentIdOf, chatIdOf } from "../../../../test/ids.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { ActionContext } from "../../actions/action.ts";
import { WorkspaceActions } from "../../actions/action-context.ts";
import { replaceFetch } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { toastProblem, toasts } from "../../lib/toast.ts";
import { shownDecision } from "../../tabs/handed-over.ts";
import { Toaster } from "../../ui/toaster.tsx";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import Inbox from "./inbox.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const CHAT = chatIdOf("c");

const trade = (id: string, at: string, changes: object = {}) => ({
  chatId: CHAT,
  botId: agentIdOf("a"),
  agent: "وكيل 🚀",
  entry: {
    _id: id.repeat(32),
    market: "SOL-PERP",
    size: "3.7",
    percentage: "100",
    total: "497.1",
    type: "market",
    side: "long",
    webhookSignal: "OPEN_LONG",
    timestamps: at,
    status: "success",
    price: "134.35",
    ...changes,
  },
});

const OLD = trade("1", "2026-11-21T08:00:00.000Z");
const NEW = trade("2", "2026-11-21T09:00:00.000Z");

let items: readonly object[] | null = [];
const selectChat = vi.fn();

beforeEach(() => {
  localStorage.clear();
  toasts.setState([], true);
  selectChat.mockClear();
  items = [];
  session.setState({ status: "signed-in", address: OWNER });
  replaceFetch(() =>
    Promise.resolve(
      items === null
        ? Response.json({ code: "unavailable", message: "down" }, { status: 503 })
        : Response.json(items),
    ),
  );
});
afterEach(() => act(() => session.setState({ status: "signed-out", address: "" })));

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const context = { address: OWNER, chatId: chatIdOf("d"), selectChat } as unknown as ActionContext;
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <WorkspaceActions value={context}>
          <Inbox />
          <Toaster />
        </WorkspaceActions>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  // Observers of a query are told in the next task
  const answered = () =>
    act(async () => {
      await client.refetchQueries();
      await new Promise((resolve) => setTimeout(resolve));
    });
  await answered();
  const come = async (next: readonly object[]) => {
    items = next;
    await answered();
  };
  return { come, user: userEvent.setup() };
}

describe("the first trade", () => {
  it("is told with price and size, stays, and leads to chart, reason and what is next", async () => {
    const { come, user } = await open();
    await come([OLD]);
    const toast = await screen.findByRole("group", { name: "Bought 3.70 SOL at $134.35" });
    expect(toasts.getState().at(-1)?.stays).toBe(true);
    const labels = within(toast)
      .getAllByRole("button")
      .map(({ textContent }) => textContent);
    expect(labels.slice(0, 3)).toEqual(["See chart", "See why", "What next"]);
    await user.click(within(toast).getByRole("button", { name: "What next" }));
    const next = await screen.findByRole("dialog", { name: "What next" });
    for (const name of ["Set limits", "Be told", "Plan the exit"]) {
      expect(within(next).getByRole("button", { name })).toBeDefined();
    }
  });

  it("leads to its decision in its own chat", async () => {
    const { come, user } = await open();
    await come([OLD]);
    await user.click(await screen.findByRole("button", { name: "See why" }));
    expect(selectChat).toHaveBeenCalledWith(CHAT);
    expect(shownDecision.getState()).toEqual({ chatId: CHAT, entryId: "1".repeat(32) });
    expect(toasts.getState()).toEqual([]);
  });

  it("is told once, and nothing that was there before", async () => {
    items = [OLD];
    const { come } = await open();
    expect(toasts.getState()).toEqual([]);
    await come([NEW, OLD]);
    expect(toasts.getState().at(-1)?.stays).toBe(false);
    act(() => toasts.setState([], true));
    await come([NEW, OLD]);
    expect(toasts.getState()).toEqual([]);
  });

  it("never hides an error that nobody has read", async () => {
    const { come } = await open();
    act(() => toastProblem({ title: "Deposit failed" }));
    await come([OLD]);
    expect(toasts.getState().at(-1)?.title).toBe("Deposit failed");
    expect(screen.getByRole("button", { name: "Inbox, 1 unread" })).toBeDefined();
  });
});

describe("the bell", () => {
  it("counts what is unread, lists it with its agent and links, and remembers that it was seen", async () => {
    items = [NEW, OLD];
    const { come, user } = await open();
    await user.click(await screen.findByRole("button", { name: "Inbox, 2 unread" }));
    const list = await screen.findByRole("list", { name: "Newest first" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(2);
    expect(list.textContent).toContain("وكيل 🚀");
    expect(screen.getByRole("button", { name: "Inbox" })).toBeDefined();
    await come([trade("3", "2026-11-21T10:00:00.000Z"), NEW, OLD]);
    expect(screen.getByRole("button", { name: "Inbox, 1 unread" })).toBeDefined();
  });

  it("says what it is for while it is empty", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Inbox" }));
    expect(await screen.findByText(/will be listed here/)).toBeDefined();
  });
});
