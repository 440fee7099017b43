import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { chatIdOf } from "../../../../../test/ids.ts";
import { type AgentChanges, buildAgent as buildShown } from "../../../../../test/shown-agent.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { Backtest } from "./backtest.tsx";
import { session } from "../../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const CHAT = chatIdOf("c");

const buildAgent = (changes: AgentChanges = {}) =>
  buildShown({ id: "a".repeat(32), chatId: CHAT, owner: OWNER, isFunded: true, ...changes });

const trade = (digit: string) => ({
  _id: digit.repeat(32),
  market: "SOL-PERP",
  size: "1",
  percentage: "100",
  total: "150",
  type: "market",
  side: "buy",
  webhookSignal: "OPEN_LONG",
  timestamps: "2026-11-22T00:00:00.000Z",
  status: "success",
});

function open(agent: Agent, unexplained: readonly object[]) {
  const { length: count } = unexplained;
  replaceFetch((input) => {
    const isCount = (input as string).startsWith("/api/hypothesis/unexplained/");
    return Promise.resolve(Response.json(isCount ? { count, oldest: unexplained[0] } : []));
  });
  const onOpenHypothesis = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Backtest
        chatId={CHAT}
        agent={agent}
        onOpenHypothesis={onOpenHypothesis}
        onShowDecision={() => {}}
      />
    </QueryClientProvider>,
  );
  return onOpenHypothesis;
}

const START = "Start trading to generate hypotheses about your trading decisions";

it("suggests trading when there are no trades", async () => {
  open(buildAgent(), []);
  expect(await screen.findByText(START)).toBeTruthy();
});

it("offers to turn on Auto-Hypothesis when trades have no hypothesis", async () => {
  const onOpenHypothesis = open(buildAgent(), [trade("1"), trade("2")]);
  expect(await screen.findByText("No trading hypotheses available")).toBeTruthy();
  expect(screen.getByText("Your 2 trades have none: Auto-Hypothesis is off.")).toBeTruthy();
  expect(screen.queryByText(START)).toBeNull();
  await userEvent.setup().click(screen.getByRole("button", { name: "Turn on Auto-Hypothesis" }));
  expect(onOpenHypothesis).toHaveBeenCalledOnce();
});

it("says when hypotheses are written once Auto-Hypothesis is on", async () => {
  open(buildAgent({ writesHypotheses: true }), [trade("1")]);
  expect(await screen.findByText(/Your trade has none yet\./)).toBeTruthy();
});
