import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import type { TradingCondition } from "../../../contract/agent.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { type Deployment, type Node, troubledNodes } from "../../queries/deployment.ts";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { replaceFetch } from "../../lib/api.ts";
import { toasts } from "../../lib/toast.ts";
import { timesIn } from "../../lib/time-zone.ts";
import ConditionBar from "./condition-bar.tsx";
import { ConditionPanel } from "./current-condition.tsx";
import { nodeParts } from "./health-words.ts";

const TIMES = timesIn("UTC");
const ASKED_AT = "2026-11-21T09:00:00.000Z";
const NEXT_AT = "2026-11-21T09:05:30.000Z";

const EXIT: TradingCondition["exits"][number] = {
  market: "SOL-PERP",
  side: "long",
  askedAt: ASKED_AT,
  askedBy: "owner",
  attempts: 3,
  nextAttemptAt: NEXT_AT,
  lastReason: "The price is too old.",
  limitPercent: "1.5",
};

const BOT = {
  address: parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn"),
  agentId: agentIdOf("a"),
};

const HALTED: TradingCondition = {
  state: "halted",
  reason: "The operator stopped all trading.",
  since: ASKED_AT,
  endsWhen: "Ends when the operator allows trading again.",
  exits: [EXIT],
};

describe("the condition of an agent", () => {
  it.each([
    ["halted", "Halted"],
    ["exiting", "Closing"],
    ["reducing", "Reducing"],
    ["no_candles", "No candles"],
  ] as const)("%s is shown as text, not only by colour", (state, word) => {
    const { container } = render(<ConditionBadge condition={{ ...HALTED, state }} />);
    expect(container.textContent).toBe(word);
  });

  it("is shown in the header with its reason, its end and a link to the details", async () => {
    const onDetails = vi.fn();
    const { rerender } = render(
      <ConditionBar
        address=""
        condition={HALTED}
        nearLimits={undefined}
        nodes={null}
        onDetails={onDetails}
      />,
    );
    expect(screen.getByRole("status").textContent).toBe(
      "HaltedThe operator stopped all trading.Ends when the operator allows trading again.",
    );
    expect(screen.queryByText(/^Next try/)).toBeNull();
    const exiting: TradingCondition = { ...HALTED, state: "exiting" };
    rerender(
      <ConditionBar
        address=""
        condition={exiting}
        nearLimits={undefined}
        nodes={null}
        onDetails={onDetails}
      />,
    );
    expect(screen.getByText(`Next try at ${TIMES.clock(NEXT_AT)}.`)).toBeDefined();
    await userEvent.setup().click(screen.getByRole("button", { name: "Details" }));
    expect(onDetails).toHaveBeenCalledOnce();
  });

  it("offers to revoke a trading key that may be stolen, before everything else", async () => {
    const stolen: TradingCondition = { ...HALTED, state: "reducing", mayBeStolen: true, exits: [] };
    const bar = (condition: TradingCondition) => (
      <ConditionBar
        address=""
        condition={condition}
        nearLimits={undefined}
        nodes={null}
        onDetails={() => {}}
      />
    );
    const { rerender } = render(bar(stolen));
    expect(screen.getByRole("status").textContent).toContain("Key may be stolen");
    expect(screen.getByRole("button", { name: "Revoke the trading key" })).toBeDefined();
    rerender(bar(HALTED));
    expect(screen.queryByRole("button", { name: "Revoke the trading key" })).toBeNull();
  });

  it("shows market, tries, reason, next try and price limit of every exit in progress", () => {
    const first = { ...EXIT, market: "BTC-PERP", side: "short", attempts: 0 } as const;
    const exits: TradingCondition["exits"] = [EXIT, { ...first, askedBy: "alert" }];
    const exiting: TradingCondition = { ...HALTED, state: "exiting", exits };
    const { rerender } = render(<ConditionPanel {...BOT} condition={exiting} nodes={null} />);
    const [one, other] = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(one).toBe(
      "Closing the long position in SOL-PERP" +
        "The price is too old." +
        `You asked for it at ${TIMES.clock(ASKED_AT)}. Tried 3 times, next try at ${TIMES.clock(NEXT_AT)}. ` +
        "The price may be up to 1.5% worse than the market's.",
    );
    expect(other).toMatch(/short position in BTC-PERP.*An alert asked for it.*Not tried yet/);
    rerender(<ConditionPanel {...BOT} condition={{ ...exiting, state: "halted" }} nodes={null} />);
    expect(screen.queryByText(/next try at/)).toBeNull();
    expect(screen.getAllByText(/tried again once trading is allowed/)).toHaveLength(2);
  });

  it("says of an exit of a part how much of the position is closed", () => {
    const exits: TradingCondition["exits"] = [{ ...EXIT, portion: 40 }];
    render(<ConditionPanel {...BOT} condition={{ ...HALTED, exits }} nodes={null} />);
    expect(screen.getByText("Closing 40% of the long position in SOL-PERP")).toBeDefined();
  });

  it("shows no exits where none is in progress", () => {
    const reducing: TradingCondition = { ...HALTED, state: "reducing", exits: [] };
    render(<ConditionPanel {...BOT} condition={reducing} nodes={null} />);
    expect(screen.queryByRole("list")).toBeNull();
    expect(screen.getByText("Reducing")).toBeDefined();
  });
});

describe("stopping to close", () => {
  const asked: string[] = [];

  const renderPanel = (status: number, body: unknown) => {
    asked.length = 0;
    toasts.setState([], true);
    replaceFetch((input, init) => {
      asked.push(`${init?.method} ${new URL(input as string, "http://page.test").pathname}`);
      return Promise.resolve(Response.json(body, { status }));
    });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <ConditionPanel {...BOT} condition={HALTED} nodes={null} />
      </QueryClientProvider>,
    );
    return userEvent.setup();
  };

  it("needs a confirmation", async () => {
    const user = renderPanel(200, {});
    await user.click(screen.getByRole("button", { name: "Stop closing" }));
    const question = screen.getByRole("alertdialog", { name: "Stop Closing?" });
    await user.click(within(question).getByRole("button", { name: "Go on closing" }));
    expect(asked).toEqual([]);
  });

  it.each([
    [409, { code: "conflict", message: "Nothing is being closed.", requestId: "r" }],
    [503, { code: "unavailable", message: "Try again in a moment.", requestId: "r" }],
  ])("asks the server once and shows its refusal, %d", async (status, problem) => {
    const user = renderPanel(status, problem);
    await user.click(screen.getByRole("button", { name: "Stop closing" }));
    const question = screen.getByRole("alertdialog");
    await user.click(within(question).getByRole("button", { name: "Stop closing" }));
    await expect
      .poll(() => toasts.getState().map(({ message }) => message))
      .toEqual([problem.message]);
    expect(asked).toEqual([`POST /api/agents/${BOT.agentId}/end-exits`]);
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

const deploymentWith = (nodes: readonly Node[]): Deployment => ({
  networks: [{ network: "mainnet", explorerUrl: null, venues: [], nodes: [...nodes] }],
  aiOrigins: [],
});

const WELL: Node = { name: "Node 2", isUsed: true, trouble: null };
const LIMITED: Node = {
  name: "Node 1",
  isUsed: false,
  trouble: { kind: "limited", since: ASKED_AT },
};

describe("trouble with nodes", () => {
  it("is not shown while every node is healthy, nor where there are no nodes", () => {
    expect(troubledNodes(deploymentWith([WELL]), "mainnet")).toBeNull();
    expect(troubledNodes(deploymentWith([]), "mainnet")).toBeNull();
    expect(troubledNodes(deploymentWith([LIMITED]), "practice")).toBeNull();
    expect(troubledNodes(undefined, "mainnet")).toBeNull();
    expect(troubledNodes(deploymentWith([LIMITED, WELL]), "mainnet")).toEqual([LIMITED, WELL]);
  });

  it("names the node, since when it fails, and its replacement", () => {
    expect(nodeParts([LIMITED, WELL], TIMES)).toEqual([
      {
        tone: "fault",
        text: `Node 1 has refused requests as too many since ${TIMES.short(ASKED_AT)}`,
      },
      { tone: "well", text: "Node 2 is used now" },
    ]);
  });

  it("explains the consequence when no node is left", () => {
    expect(nodeParts([{ ...LIMITED, isUsed: true }], TIMES)[1]).toEqual({
      tone: "fault",
      text: "Nothing is traded until a node answers; what was asked for is kept",
    });
  });

  it("is shown in the header beside the agent's limits", () => {
    render(
      <ConditionBar
        address=""
        condition={undefined}
        nearLimits={undefined}
        nodes={[LIMITED, WELL]}
        onDetails={() => {}}
      />,
    );
    expect(screen.getByRole("status").textContent).toBe(
      `Node trouble${nodeParts([LIMITED, WELL], TIMES)
        .map(({ text }) => text)
        .join("")}`,
    );
    expect(screen.queryByRole("button")).toBeNull();
  });
});
