import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildAgent } from "../../../../test/shown-agent.ts";
import type { Chat } from "../../../contract/chats.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { ActionContext } from "../../actions/action.ts";
import { WorkspaceActions } from "../../actions/action-context.ts";
import { replaceFetch } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import FirstPage from "./first-page.tsx";
import { wallet } from "../../wallet/wallet.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

const STEPS = [
  "Connect a wallet",
  "Sign in",
  "Take practice money",
  "Create an agent",
  "Make the first deposit",
  "Receive the first alert",
];

const AGENT = buildAgent({ owner: OWNER });
const FUNDED = buildAgent({ owner: OWNER, isFunded: true });

const chatOf = (agent?: typeof AGENT): Chat => ({
  id: AGENT.chatId,
  title: "My New Chat",
  owner: OWNER,
  updatedAt: "2026-11-21T08:00:00.000Z",
  ...(agent && { agent }),
});

const NOTHING = { hasMadeAgent: false, hasDeposited: false, hasHeard: false };

let balances = { sol: "0", quote: "0" };
let done: object | null = NOTHING;

const context = (changes: Partial<ActionContext>) =>
  ({
    address: "",
    chats: undefined,
    chatId: "",
    agent: null,
    network: "practice",
    controller: { connectAndSignIn: () => {}, signIn: () => {}, disconnect: () => {} },
    ...changes,
  }) as unknown as ActionContext;

const signedIn = (agent?: typeof AGENT) =>
  context({ address: OWNER, chats: [chatOf(agent)], agent: agent ?? null });

const setWidth = (isWide: boolean) =>
  vi.stubGlobal("matchMedia", () => ({
    matches: isWide,
    addEventListener() {},
    removeEventListener() {},
  }));

beforeEach(() => {
  setWidth(true);
  balances = { sol: "0", quote: "0" };
  done = NOTHING;
  session.setState({ status: "signed-out", address: "" });
  replaceFetch((input) => {
    const { pathname } = new URL(input as string, "http://page.test");
    if (pathname.endsWith("/balances")) {
      return Promise.resolve(Response.json({ ...balances, quoteSymbol: "USDC", assets: [] }));
    }
    if (pathname.endsWith("/first-steps") && done !== null) {
      return Promise.resolve(Response.json(done));
    }
    // The sample and the alert's guide are parts with tests of their own
    return Promise.reject(new TypeError("Failed to fetch"));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  act(() => {
    session.setState({ status: "signed-out", address: "" });
    wallet.store.setState({ status: "disconnected", address: "" });
  });
});

function connect(): void {
  act(() => {
    wallet.store.setState({ status: "connected", address: OWNER });
    session.setState({ status: "signed-in", address: OWNER });
  });
}

function open(first: ActionContext) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (shown: ActionContext) => (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <WorkspaceActions value={shown}>
          <FirstPage moneyAction={<button type="button">Get practice money</button>}>
            <p>The portfolio</p>
          </FirstPage>
        </WorkspaceActions>
      </TooltipProvider>
    </QueryClientProvider>
  );
  const { rerender, container } = render(page(first));
  return { client, container, show: (next: ActionContext) => rerender(page(next)) };
}

const current = async () =>
  within(await screen.findByRole("region", { name: /six steps/ }))
    .getAllByRole("listitem")
    .find((item) => item.getAttribute("aria-current") === "step")?.textContent;

describe("the first page", () => {
  it("names the six steps in their order, the first one to do now", async () => {
    open(context({}));
    const steps = within(await screen.findByRole("region", { name: /six steps/ }));
    const items = steps.getAllByRole("listitem").map((item) => item.textContent);
    expect(items.map((text, at) => text.includes(STEPS[at] ?? "?"))).toEqual(STEPS.map(() => true));
    expect(await current()).toContain("Connect a wallet");
  });

  it.each([
    ["beside each other the sample comes first", true, ["sample-agent", "get-started"]],
    ["below each other the steps come first", false, ["get-started", "sample-agent"]],
  ] as const)("on a screen where the two are %s", async (_, isWide, order) => {
    setWidth(isWide);
    const { container } = open(context({}));
    await screen.findByRole("heading", { name: "Sample agent" });
    const shown = [...container.querySelectorAll("#sample-agent, #get-started")];
    expect(shown.map(({ id }) => id)).toEqual(order);
  });

  it("asks for practice money where the wallet has none", async () => {
    connect();
    open(signedIn());
    expect(await screen.findByRole("button", { name: "Get practice money" })).toBeDefined();
    expect(await current()).toContain("Take practice money");
  });

  it("goes from step to step and takes the focus along when a step's button is gone", async () => {
    balances = { sol: "10", quote: "10000" };
    connect();
    const { show } = open(signedIn());
    const create = await screen.findByRole("button", { name: "Create agent" });
    expect(await current()).toContain("Create an agent");
    create.focus();
    show(signedIn(AGENT));
    expect(await screen.findByRole("button", { name: "Deposit" })).toBeDefined();
    expect(await current()).toContain("Make the first deposit");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Deposit"));
  });

  it("takes the focus to Done when the first alert takes the test's button away", async () => {
    balances = { sol: "10", quote: "10000" };
    connect();
    const { client, show } = open(signedIn());
    await screen.findByRole("button", { name: "Create agent" });
    show(signedIn(FUNDED));
    await screen.findByText("Let a built-in condition fire it", { exact: false });
    act(() => (document.activeElement as HTMLElement | null)?.blur());
    done = { ...NOTHING, hasHeard: true };
    act(() => void client.invalidateQueries());
    await screen.findByRole("button", { name: "Done" });
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Done"));
  });

  it("leaves the focus where the user has put it", async () => {
    balances = { sol: "10", quote: "10000" };
    connect();
    const other = document.body.appendChild(document.createElement("input"));
    const { show } = open(signedIn());
    await screen.findByRole("button", { name: "Create agent" });
    other.focus();
    show(signedIn(AGENT));
    await screen.findByRole("button", { name: "Deposit" });
    expect(document.activeElement).toBe(other);
    other.remove();
  });

  it("ends with Done after the first alert, and then shows what is below it alone", async () => {
    connect();
    const { client } = open(signedIn(FUNDED));
    expect(await current()).toContain("Receive the first alert");
    expect(screen.queryByRole("button", { name: "Done" })).toBeNull();
    done = { ...NOTHING, hasHeard: true };
    act(() => void client.invalidateQueries());
    await userEvent.click(await screen.findByRole("button", { name: "Done" }));
    expect(screen.queryByRole("region", { name: /six steps/ })).toBeNull();
    expect(screen.getByText("The portfolio")).toBeDefined();
  });

  it("is not shown to an owner whose agent has heard an alert before", async () => {
    connect();
    done = { hasMadeAgent: true, hasDeposited: true, hasHeard: true };
    open(signedIn(FUNDED));
    expect(await screen.findByText("The portfolio")).toBeDefined();
    expect(screen.queryByText(/six steps/)).toBeNull();
  });

  it("is not shown again when the last agent was deleted, nor when the newest has not begun", async () => {
    connect();
    done = { hasMadeAgent: true, hasDeposited: true, hasHeard: true };
    const { show } = open(signedIn());
    expect(await screen.findByText("The portfolio")).toBeDefined();
    expect(screen.queryByText(/six steps/)).toBeNull();
    show(signedIn(AGENT));
    expect(screen.queryByText(/six steps/)).toBeNull();
  });

  it("goes on where it was after a deletion, above what the deleted agent made", async () => {
    connect();
    done = { hasMadeAgent: true, hasDeposited: true, hasHeard: false };
    open(signedIn());
    expect(await current()).toContain("Receive the first alert");
    expect(screen.getByRole("button", { name: "Create agent" })).toBeDefined();
    expect(screen.getByText("The portfolio")).toBeDefined();
  });

  it("hides nothing where what was done cannot be read", async () => {
    connect();
    done = null;
    open(signedIn());
    expect(await screen.findByText("The portfolio")).toBeDefined();
  });
});
