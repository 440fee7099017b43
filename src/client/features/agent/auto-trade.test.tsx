import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, renderHook, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import {
  type AgentChanges,
  answeredAgent,
  buildAgent as buildShown,
} from "../../../../test/shown-agent.ts";
import { parseOwner } from "../../../domain/ids.ts";
import type { Agent } from "../../../contract/agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import { toasts } from "../../lib/toast.ts";
import AutoTradeDialog from "./auto-trade-dialog.tsx";
import { stoppingAgents, useStoppingNotice } from "./stopping-agents.ts";
import { session } from "../../lib/session.ts";

const BOT = agentIdOf("a");
const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const CLOSED = "Positions Closed & Auto-Trade Disabled";

const buildAgent = (changes: AgentChanges = {}) =>
  buildShown({
    id: BOT,
    chatId: "c".repeat(32),
    owner: OWNER,
    autoTrade: "on",
    isFunded: true,
    ...changes,
  });

const STOPPING = buildAgent({ autoTrade: "stopping" });
const OFF = buildAgent({ autoTrade: "off" });
const CLOSED_OFF = buildAgent({ autoTrade: "off", closedByStop: true });

/** Answers the switch with the agent as the server then has it. */
const serve = (switched: Agent) =>
  replaceFetch(() => Promise.resolve(Response.json(answeredAgent(switched))));

async function flip(agent: Agent, button: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const onClose = vi.fn();
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <AutoTradeDialog agent={agent} onClose={onClose} />
    </QueryClientProvider>,
  );
  await expect.poll(() => client.isFetching()).toBe(0);
  await userEvent.setup().click(screen.getByRole("button", { name: button }));
  await expect.poll(() => onClose).toHaveBeenCalled();
  unmount();
}

describe("a stop that fails", () => {
  const refusal = async (code: string, message: string) => {
    replaceFetch(() =>
      Promise.resolve(Response.json({ code, message, requestId: "r" }, { status: 503 })),
    );
    await flip(buildAgent(), "Turn Off");
    return toasts.getState().map(({ message: said }) => said);
  };

  it.each([
    [
      "auto_trade_disable_failed",
      "Failed to disable auto-trade: the open positions could not be read. Auto-trade remains on.",
      "Failed to disable auto-trade: the open positions could not be read. Auto-trade remains on.",
    ],
    [
      "internal",
      "Something went wrong",
      "Failed to disable auto-trade: Something went wrong. Auto-trade remains on.",
    ],
    [
      "unavailable",
      "Try again in a moment.",
      "Failed to disable auto-trade: Try again in a moment. Auto-trade remains on.",
    ],
  ])("because of %s gives the reason once", async (code, message, said) => {
    expect(await refusal(code, message)).toEqual([said]);
  });
});

it("never shows the browser's own error text", async () => {
  replaceFetch(() => Promise.reject(new TypeError("Failed to fetch")));
  for (const [agent, button, reason] of [
    [buildAgent(), "Turn Off", "Network connection issue. Try again"],
    [OFF, "Turn On", "Network connection issue. Try again"],
  ] as const) {
    toasts.setState([], true);
    await flip(agent, button);
    expect(toasts.getState().at(-1)?.message).toContain(reason);
  }
});

const watch = (...first: readonly Agent[]) =>
  renderHook(({ agents }) => useStoppingNotice(agents), { initialProps: { agents: first } });

const titles = () => toasts.getState().map(({ title }) => title);

beforeEach(() => {
  localStorage.clear();
  stoppingAgents.setState([], true);
  toasts.setState([], true);
});

describe("the end of a stop", () => {
  it("is reported when the page saw the stop in progress", () => {
    const { rerender } = watch(STOPPING);
    expect(titles()).toEqual([]);
    rerender({ agents: [CLOSED_OFF] });
    expect(titles()).toEqual([CLOSED]);
  });

  it("is reported when the page sees the agent on and then off", async () => {
    serve(STOPPING);
    const { rerender } = watch(buildAgent());
    await flip(buildAgent(), "Turn Off");
    expect(titles()).toEqual(["Stopping"]);
    rerender({ agents: [buildAgent()] });
    expect(titles()).toEqual(["Stopping"]);
    rerender({ agents: [CLOSED_OFF] });
    expect(titles()).toEqual([CLOSED]);
  });

  it("is reported when the answer arrives after the page has seen the agent off", async () => {
    serve(STOPPING);
    watch(CLOSED_OFF);
    await flip(buildAgent(), "Turn Off");
    expect(titles()).toEqual([CLOSED]);
  });

  it("is reported after a reload in between", async () => {
    watch(STOPPING).unmount();
    vi.resetModules();
    const reloaded = await import("./stopping-agents.ts");
    expect(reloaded.stoppingAgents.getState()).toEqual([BOT]);
  });

  it("is reported once for an agent that is not on screen", () => {
    watch(STOPPING).unmount();
    const other = buildAgent({ id: agentIdOf("b") });
    const { rerender } = watch(other, CLOSED_OFF);
    expect(titles()).toEqual([CLOSED]);
    toasts.setState([], true);
    rerender({ agents: [other, { ...CLOSED_OFF }] });
    expect(titles()).toEqual([]);
  });

  it("is reported with the answer when the server has already finished", async () => {
    serve(CLOSED_OFF);
    await flip(buildAgent(), "Turn Off");
    expect(titles()).toEqual([CLOSED]);
  });

  it("mentions no closing where the server knows of none", () => {
    const { rerender } = watch(STOPPING);
    rerender({ agents: [OFF] });
    expect(titles()).toEqual(["Auto-Trade Disabled"]);
  });

  it("is not reported for an agent that had nothing to close", async () => {
    serve(OFF);
    const { rerender } = watch(buildAgent());
    await flip(buildAgent(), "Turn Off");
    rerender({ agents: [OFF] });
    expect(titles()).toEqual(["Auto-Trade Disabled"]);
  });

  it("is not reported for an agent that was turned on again", async () => {
    watch(STOPPING).unmount();
    serve(buildAgent());
    await flip(OFF, "Turn On");
    watch(OFF);
    expect(titles()).toEqual(["Auto-Trade Enabled"]);
  });
});
