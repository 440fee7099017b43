import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chatIdOf } from "../../../../../test/ids.ts";
import {
  type AgentChanges,
  answeredAgent,
  buildAgent as buildShown,
} from "../../../../../test/shown-agent.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { toasts } from "../../../lib/toast.ts";
import { getAgentByChat } from "../../../../contract/agents.ts";
import { keyOf } from "../../../queries/read.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import AgentDialog from "./agent-dialog.tsx";
import { session, type SignedInWallet } from "../../../lib/session.ts";

const id = (digit: string) => digit.repeat(32);
const CHAT = chatIdOf("c");
const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

const buildAgent = (changes: AgentChanges = {}) =>
  buildShown({ id: id("a"), chatId: CHAT, owner: OWNER, ...changes });

const venueRow = (venue: string) => ({
  venue,
  status: "available",
  quoteSymbol: "USDC",
  quoteDecimals: 6,
});

const deploymentWith = (jupiter: object) => ({
  networks: [
    {
      network: "practice",
      explorerUrl: null,
      venues: [venueRow("drift"), { ...venueRow("jupiter"), ...jupiter }],
    },
  ],
});

const DEPLOYMENT = deploymentWith({ status: "paused", reason: "Paused for the test." });

let sent: { method: string; path: string; body: unknown }[] = [];

/** Answers like the server; an unexpected call fails the test that makes it. */
function serve(
  answers: Record<string, (body: unknown) => readonly [status: number, body: unknown]>,
) {
  replaceFetch((input, init) => {
    const path = (input as string).split("?")[0] ?? "";
    const method = init?.method ?? "GET";
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    sent.push({ method, path, body });
    const answer = answers[`${method} ${path}`];
    if (answer === undefined) return Promise.reject(new Error(`unexpected ${method} ${path}`));
    const [status, content] = answer(body);
    return Promise.resolve(Response.json(content, { status }));
  });
}

const reads = (agent: Agent | null) => ({
  "GET /api/deployment": () => [200, DEPLOYMENT] as const,
  [`GET /api/agents/get-agentBychatId/${CHAT}`]: () =>
    [200, agent && answeredAgent(agent)] as const,
  [`GET /api/alerts/${id("a")}`]: () =>
    [200, [{ _id: id("1"), name: "buy", description: "" }]] as const,
  [`GET /api/rules/${id("a")}`]: () =>
    [
      200,
      [
        {
          _id: id("2"),
          agentId: id("a"),
          conditions: [{ alertName: "buy", requiredCount: 3, count: 2 }],
          action: "OPEN_LONG",
        },
      ],
    ] as const,
  [`GET /api/agents/${id("a")}/webhook/state`]: () =>
    [
      200,
      {
        url: "https://host.example/webhook/a",
        alertText: '{"alertName":"{{alertName}}"}',
      },
    ] as const,
});

const queryClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

function open(
  isSignedIn = true,
  hasWallet = true,
  client = queryClient(),
  takenNames: readonly string[] = [],
) {
  const saved: { agent: Agent; isNew: boolean }[] = [];
  const onClose = vi.fn();
  const authenticate = vi.fn(() => Promise.resolve(isSignedIn));
  const signIn = (address: SignedInWallet) => session.setState({ status: "signed-in", address });
  signIn(OWNER);
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <AgentDialog
          chatId={CHAT}
          takenNames={takenNames}
          authenticate={authenticate}
          ensureWallet={() => Promise.resolve(hasWallet)}
          ensureChat={() => Promise.resolve(CHAT)}
          onClose={onClose}
          onSimulate={() => {}}
          onKeep={() => {}}
          onSaved={(agent, before) => saved.push({ agent, isNew: before === null })}
          onShowOnChart={() => {}}
          renderCondition={() => null}
        />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return {
    user: userEvent.setup(),
    saved,
    onClose,
    authenticate,
    changeAddress: (address: SignedInWallet) => act(() => signIn(address)),
  };
}

const nameField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Agent name" });
const ageField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Alert age" });
const create = () => screen.findByRole("button", { name: "Create" });

beforeEach(() => {
  sent = [];
});

describe("AgentDialog, a new agent", () => {
  it("names the missing alert beside the alerts and saves nothing", async () => {
    serve(reads(null));
    const { user } = open();
    await user.click(await create());
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Please create at least one alert before saving the agent. Alerts are required for the trading system.",
    );
    expect(sent.some(({ method }) => method === "POST")).toBe(false);
  });

  it("counts its name up where another agent has it, also after another interval was chosen", async () => {
    serve(reads(null));
    const { user } = open(true, true, queryClient(), ["Agent ** SOL-1h", "Agent ** SOL-4h"]);
    await create();
    expect(nameField().value).toBe("Agent ** SOL-1h (2)");
    await user.click(screen.getByRole("combobox", { name: "Time interval" }));
    await user.click(await screen.findByRole("option", { name: "4 hours" }));
    expect(nameField().value).toBe("Agent ** SOL-4h (2)");
    await user.clear(nameField());
    await user.type(nameField(), "Agent ** SOL-4h");
    expect(nameField().value).toBe("Agent ** SOL-4h");
  });

  it("asks for authentication before anything else", async () => {
    serve(reads(null));
    const { user, saved } = open(false);
    await user.click(await create());
    expect(screen.queryByRole("alert")).toBeNull();
    expect(saved).toEqual([]);
    expect(sent.some(({ method }) => method === "POST")).toBe(false);
  });

  it("sends alert and rule together once both exist", async () => {
    serve({
      ...reads(null),
      "POST /api/agents/create-complete-agent": () => [
        201,
        {
          agent: answeredAgent(buildAgent()),
          alerts: [],
          rules: [],
          dropped: { alerts: 0, rules: [] },
        },
      ],
    });
    const { user, saved } = open();
    await create();
    await user.click(screen.getByRole("tab", { name: /Alerts/ }));
    await user.type(screen.getByPlaceholderText("Alert name"), "buy");
    await user.click(screen.getByRole("button", { name: "Add rule" }));
    await user.click(screen.getByRole("checkbox", { name: "buy" }));
    await user.click(await create());
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Each rule must have a trade action selected.",
    );
    await user.click(screen.getByRole("combobox", { name: "THEN" }));
    await user.click(await screen.findByRole("option", { name: "Long" }));
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(await create());
    expect(saved).toMatchObject([{ isNew: true }]);
    expect(sent.find(({ method }) => method === "POST")?.body).toMatchObject({
      agent: { agentName: "Agent ** SOL-1h", assetPair: "SOL-PERP", chatId: CHAT },
      alerts: [{ name: "buy" }],
      rules: [{ action: "OPEN_LONG", conditions: [{ alertName: "buy", requiredCount: 1 }] }],
    });
  });

  it("lets a closing rule close part of the position, and says what is wrong beside it", async () => {
    serve({
      ...reads(buildAgent({ isFunded: true })),
      [`PUT /api/agents/update-complete-agent/${id("a")}`]: () => [
        200,
        {
          agent: answeredAgent(buildAgent()),
          alerts: [],
          rules: [],
          dropped: { alerts: 0, rules: [] },
        },
      ],
    });
    const { user } = open();
    await user.click(await screen.findByRole("tab", { name: /Alerts/ }));
    expect(screen.queryByLabelText(/^Part of the position/)).toBeNull();
    await user.click(screen.getByRole("combobox", { name: "THEN" }));
    await user.click(await screen.findByRole("option", { name: "Close long" }));
    const part = screen.getByLabelText("Part of the position rule 1 closes, in percent");
    expect(part).toHaveProperty("value", "100");
    await user.clear(part);
    await user.type(part, "140");
    expect(screen.getByRole("alert").textContent).toBe("Choose 1 to 100.");
    await user.clear(part);
    await user.type(part, "40");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Save" }));
    await expect
      .poll(() => sent.find(({ method }) => method === "PUT")?.body)
      .toMatchObject({ rules: [{ action: "CLOSE_LONG", portion: 40 }] });
  });

  it("keeps the form when the server refuses", async () => {
    serve({
      ...reads(null),
      "POST /api/agents/create-complete-agent": () => [
        409,
        { code: "agent_already_exists", message: "An agent already exists.", requestId: "r" },
      ],
    });
    const { user, saved } = open();
    await create();
    await user.click(screen.getByRole("tab", { name: /Alerts/ }));
    await user.type(screen.getByPlaceholderText("Alert name"), "buy");
    await user.click(await create());
    expect(saved).toEqual([]);
    // The name is taken, and that is where it can be changed
    expect((await screen.findByRole("alert")).textContent).toContain("choose a different name");
    await user.clear(nameField());
    await user.type(nameField(), "Moon");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("tab", { name: /Alerts/ }));
    expect((screen.getByPlaceholderText("Alert name") as HTMLInputElement).value).toBe("buy");
  });

  it("offers venues by their health and announces the others", async () => {
    serve(reads(null));
    const { user } = open();
    await create();
    await user.click(screen.getByRole("combobox", { name: "Venue" }));
    const list = await screen.findByRole("listbox");
    const option = (name: RegExp) => within(list).getByRole("option", { name });
    expect(option(/^Drift/).getAttribute("aria-disabled")).not.toBe("true");
    expect(option(/Jupiter.*Paused/).getAttribute("aria-disabled")).toBe("true");
    for (const name of [/MarginFi/, /Kamino/, /DyDx/]) {
      expect(option(name).textContent).toContain("Coming Soon");
      expect(option(name).getAttribute("aria-disabled")).toBe("true");
    }
  });
});

describe("AgentDialog, a venue that accepts no entries", () => {
  const notice = async (health: object) => {
    const drift = {
      ...venueRow("drift"),
      status: "paused",
      reason: "Paused for the test.",
      ...health,
    };
    const networks = [{ network: "practice", explorerUrl: null, venues: [drift] }];
    serve({ ...reads(null), "GET /api/deployment": () => [200, { networks }] as const });
    open();
    return screen.findByText(/takes no new entries|has not been read yet/);
  };

  it("says how old its reading is", async () => {
    const readAt = "2026-11-21T08:10:00.000Z";
    const shown = await notice({ readAt });
    expect(shown.textContent).toMatch(/: Paused for the test\. \(as of .+\)$/);
    expect(shown.querySelector("time")?.dateTime).toBe(readAt);
  });

  it("does not call a venue paused that has not been read yet", async () => {
    const shown = await notice({ status: "unread", reason: undefined });
    expect(shown.textContent).toBe(
      "Drift has not been read yet. It can be chosen as soon as it answers.",
    );
  });

  it("shows no age for a fresh reading", async () => {
    expect((await notice({})).textContent).toMatch(/: Paused for the test\.$/);
  });
});

describe("AgentDialog, another venue", () => {
  const pick = async (user: ReturnType<typeof userEvent.setup>, select: string, option: RegExp) => {
    await user.click(screen.getByRole("combobox", { name: select }));
    await user.click(await screen.findByRole("option", { name: option }));
  };
  const asset = () => screen.getByRole("combobox", { name: "Asset" }).textContent;

  async function openOnJupiter(market: RegExp) {
    toasts.setState([], true);
    serve({ ...reads(null), "GET /api/deployment": () => [200, deploymentWith({})] as const });
    const { user } = open();
    await create();
    await pick(user, "Venue", /^Jupiter/);
    await pick(user, "Asset", market);
    return user;
  }

  it.each([
    [/^BTC/, "BTC-PERP"],
    [/^ETH/, "ETH-PERP"],
  ])("keeps an asset that both venues trade: %s", async (market, after) => {
    const user = await openOnJupiter(market);
    await pick(user, "Venue", /^Drift/);
    expect(asset()).toBe(after);
    await pick(user, "Venue", /^Jupiter/);
    expect(asset()).toBe(after.replace("-PERP", ""));
    expect(toasts.getState()).toEqual([]);
  });

  it.each([
    ["a stock", /^NVDAx/, "Drift supports crypto only."],
    ["a coin", /^JUP/, "Drift does not trade JUP."],
  ])("clears %s that Drift does not trade, and says so", async (_kind, market, message) => {
    const user = await openOnJupiter(market);
    await pick(user, "Venue", /^Drift/);
    expect(asset()).toBe("Select an asset");
    expect(toasts.getState()).toMatchObject([{ title: "Asset Cleared", message }]);
  });
});

describe("AgentDialog without a wallet", () => {
  it("says that a new agent needs one, and saves nothing", async () => {
    serve(reads(null));
    const { user, saved } = open(true, false);
    await create();
    await user.click(screen.getByRole("tab", { name: /Alerts/ }));
    await user.type(screen.getByPlaceholderText("Alert name"), "buy");
    await user.click(await create());
    await expect.poll(() => toasts.getState().at(-1)?.title).toBe("Wallet Connection Required");
    expect(saved).toEqual([]);
  });
});

describe("AgentDialog, a saved agent", () => {
  it("locks the venue after the first deposit and says why", async () => {
    serve(reads(buildAgent({ isFunded: true, autoTrade: "on" })));
    open();
    expect(await screen.findByText("Venue cannot be changed after initial deposit")).toBeTruthy();
    expect(screen.getByText("Active")).toBeTruthy();
  });

  it("locks the venue once the trading key is set up on it and says why", async () => {
    const custody = { status: "active", hasTradingKey: true } as const;
    serve(reads(buildAgent({ custody })));
    open();
    await screen.findByText("Venue cannot be changed after the trading key is set up");
    expect(screen.getByRole("combobox", { name: "Venue" })).toHaveProperty("disabled", true);
  });

  it("says Create agent first until there is a trading account, and offers to continue", async () => {
    serve(reads(buildAgent()));
    open();
    expect(await screen.findByText("Create agent first")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Continue set-up" })).toBeTruthy();
  });

  it("shows live counts and asks before deleting an alert that rules use", async () => {
    serve(reads(buildAgent({ isFunded: true })));
    const { user } = open();
    await user.click(await screen.findByRole("tab", { name: /Alerts/ }));
    expect(screen.getByText("2 of 3")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Delete buy" }));
    const dialog = await screen.findByRole("alertdialog");
    expect(dialog.textContent).toContain(
      "This alert is used by 1 rule(s). Deleting it will also remove it from those rules. Continue?",
    );
    await user.click(within(dialog).getByRole("button", { name: "Delete alert" }));
    expect(screen.queryByPlaceholderText("Alert name")).toBeNull();
    expect(screen.queryByRole("checkbox", { name: "buy" })).toBeNull();
  });

  it("offers a retry when the agent cannot be read", async () => {
    serve({ "GET /api/deployment": () => [200, DEPLOYMENT] });
    open();
    expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

describe("AgentDialog and changes from elsewhere", () => {
  const SAVE = `PUT /api/agents/update-complete-agent/${id("a")}`;
  const changedAt = (second: number) => `2026-11-22T00:00:0${second}.000Z`;
  const refuse = () =>
    [409, { code: "agent_changed", message: "Changed.", requestId: "r" }] as const;
  const accept = (agent: Agent) =>
    [
      200,
      { agent: answeredAgent(agent), alerts: [], rules: [], dropped: { alerts: 0, rules: [] } },
    ] as const;

  /** A server on which the agent was changed after the dialog was opened; it takes only saves over that. */
  async function openThenChange(changes: AgentChanges) {
    const now = buildAgent({ isFunded: true, updatedAt: changedAt(2), ...changes });
    serve(reads(buildAgent({ isFunded: true, updatedAt: changedAt(1) })));
    const opened = open();
    await screen.findByRole("button", { name: "Save" });
    serve({
      ...reads(now),
      [SAVE]: (body) =>
        (body as { updatedAt: string }).updatedAt === now.updatedAt ? accept(now) : refuse(),
    });
    return opened;
  }
  const lastSave = () => sent.findLast(({ method }) => method === "PUT")?.body;

  it("opens with a name that was changed in the sidebar a moment ago", async () => {
    const client = queryClient();
    client.setQueryData(
      keyOf(OWNER, getAgentByChat, { params: { chatId: CHAT } }),
      buildAgent({ isFunded: true }),
    );
    serve(reads(buildAgent({ isFunded: true, name: "Moon" })));
    open(true, true, client);
    expect(
      (await screen.findByRole<HTMLInputElement>("textbox", { name: "Agent name" })).value,
    ).toBe("Moon");
  });

  it("names changes saved elsewhere, and keeps both versions", async () => {
    const { user, saved } = await openThenChange({ name: "Moon", slippagePercent: 1 });
    await user.clear(ageField());
    await user.type(ageField(), "60");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const conflict = await screen.findByRole("dialog", { name: "Changed Elsewhere" });
    const listOf = (name: string) => within(conflict).getByRole("region", { name }).textContent;
    expect(listOf("Saved elsewhere")).toContain("Moon");
    expect(listOf("Saved elsewhere")).toContain("1%");
    expect(listOf("Your changes")).toContain("60 s");
    expect(listOf("Your changes")).not.toContain("Moon");
    expect(saved).toEqual([]);
    await user.click(within(conflict).getByRole("button", { name: "Keep both" }));
    expect([nameField().value, ageField().value]).toEqual(["Moon", "60"]);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await expect.poll(() => saved.length).toBe(1);
    expect(lastSave()).toMatchObject({
      updatedAt: changedAt(2),
      agent: { agentName: "Moon", slippageTolerance: "1", maxSignalAgeSeconds: 60 },
    });
  });

  it("drops the changes only on request, and decides nothing on Escape", async () => {
    const { user, saved } = await openThenChange({ maxSignalAgeSeconds: 120 });
    await user.clear(ageField());
    await user.type(ageField(), "60");
    const save = async () => {
      await user.click(screen.getByRole("button", { name: "Save" }));
      return screen.findByRole("dialog", { name: "Changed Elsewhere" });
    };
    expect((await save()).textContent).toContain("yours stays: Alert age");
    await user.keyboard("{Escape}");
    expect(ageField().value).toBe("60");
    await user.click(within(await save()).getByRole("button", { name: "Drop my changes" }));
    expect(ageField().value).toBe("120");
    expect(saved).toEqual([]);
  });

  it("saves without a question when nothing of the form changed", async () => {
    const { user, saved } = await openThenChange({ autoTrade: "on" });
    await user.clear(ageField());
    await user.type(ageField(), "60");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await expect.poll(() => saved.length).toBe(1);
    expect(screen.queryByRole("dialog", { name: "Changed Elsewhere" })).toBeNull();
  });
});

describe("AgentDialog and unsaved input", () => {
  const begin = async () => {
    serve(reads(buildAgent({ isFunded: true })));
    const opened = open();
    await screen.findByRole("button", { name: "Save" });
    return opened;
  };

  it.each(["Escape", "Close", "Cancel"])("is not dropped by %s without a question", async (way) => {
    const { user, onClose } = await begin();
    const leave = () =>
      way === "Escape"
        ? user.keyboard("{Escape}")
        : user.click(screen.getByRole("button", { name: way }));
    await user.type(nameField(), " II");
    await leave();
    const asked = await screen.findByRole("alertdialog");
    await user.click(within(asked).getByRole("button", { name: "Keep editing" }));
    expect(onClose).not.toHaveBeenCalled();
    expect(nameField().value).toBe("Agent ** SOL-1h II");
    await leave();
    await user.click(await screen.findByRole("button", { name: "Discard" }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("causes no question when nothing would be lost", async () => {
    const { user, onClose } = await begin();
    await user.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledOnce();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("survives the session, and signing in again continues", async () => {
    const { user, changeAddress, authenticate, saved } = await begin();
    await user.type(nameField(), " II");
    changeAddress("");
    expect((await screen.findByRole("status")).textContent).toContain("Your session has ended");
    expect(nameField().value).toBe("Agent ** SOL-1h II");
    serve({
      [`PUT /api/agents/update-complete-agent/${id("a")}`]: () => [
        200,
        {
          agent: answeredAgent(buildAgent()),
          alerts: [],
          rules: [],
          dropped: { alerts: 0, rules: [] },
        },
      ],
    });
    authenticate.mockImplementationOnce(() => {
      changeAddress(OWNER);
      return Promise.resolve(true);
    });
    await user.click(screen.getByRole("button", { name: "Save" }));
    await expect.poll(() => saved.length).toBe(1);
  });

  it("offers the name typed by hand after a new interval replaced it", async () => {
    serve(reads(buildAgent({ isFunded: true, name: "Moon" })));
    const { user } = open();
    await screen.findByRole("button", { name: "Save" });
    await user.click(screen.getByRole("combobox", { name: "Time interval" }));
    await user.click(await screen.findByRole("option", { name: "4 hours" }));
    expect(nameField().value).toBe("Agent ** SOL-4h");
    await user.click(screen.getByRole("button", { name: "Keep the name Moon" }));
    expect(nameField().value).toBe("Moon");
  });
});
