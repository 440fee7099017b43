import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { TradingCondition } from "../../../contract/trading-condition.ts";
import type { Deployment } from "../../queries/deployment.ts";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { formatClock, formatShort } from "../../lib/format.ts";
import ConditionBar from "./condition-bar.tsx";
import { ConditionPanel } from "./condition-panel.tsx";
import { describeNodes } from "./node-words.ts";

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
  ] as const)("%s is a word, not a colour alone", (state, word) => {
    const { container } = render(<ConditionBadge condition={{ ...HALTED, state }} />);
    expect(container.textContent).toBe(word);
  });

  it("is said in the header with its reason, its end and a way to the details", async () => {
    const onDetails = vi.fn();
    const { rerender } = render(
      <ConditionBar condition={HALTED} nodes={null} onDetails={onDetails} />,
    );
    expect(screen.getByRole("status").textContent).toBe(
      "HaltedThe operator stopped all trading.Ends when the operator allows trading again.",
    );
    expect(screen.queryByText(/^Next try/)).toBeNull();
    const exiting: TradingCondition = { ...HALTED, state: "exiting" };
    rerender(<ConditionBar condition={exiting} nodes={null} onDetails={onDetails} />);
    expect(screen.getByText(`Next try at ${formatClock(NEXT_AT)}.`)).toBeDefined();
    await userEvent.setup().click(screen.getByRole("button", { name: "Details" }));
    expect(onDetails).toHaveBeenCalledOnce();
  });

  it("tells of every exit in work: market, tries, why it waits, when next, how far the price may go", () => {
    const first = { ...EXIT, market: "BTC-PERP", side: "short", attempts: 0 } as const;
    const exits: TradingCondition["exits"] = [EXIT, { ...first, askedBy: "alert" }];
    const exiting: TradingCondition = { ...HALTED, state: "exiting", exits };
    const { rerender } = render(<ConditionPanel condition={exiting} nodes={null} />);
    const [one, other] = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(one).toBe(
      "Closing the long position in SOL-PERP" +
        "The price is too old." +
        `You asked for it at ${formatClock(ASKED_AT)}. Tried 3 times, next try at ${formatClock(NEXT_AT)}. ` +
        "The price may be up to 1.5% worse than the market's.",
    );
    expect(other).toMatch(/short position in BTC-PERP.*An alert asked for it.*Not tried yet/);
    rerender(<ConditionPanel condition={{ ...exiting, state: "halted" }} nodes={null} />);
    expect(screen.queryByText(/next try at/)).toBeNull();
    expect(screen.getAllByText(/tried again once trading is allowed/)).toHaveLength(2);
  });

  it("shows nothing of exits where none is in work", () => {
    const reducing: TradingCondition = { ...HALTED, state: "reducing", exits: [] };
    render(<ConditionPanel condition={reducing} nodes={null} />);
    expect(screen.queryByRole("list")).toBeNull();
    expect(screen.getByText("Reducing")).toBeDefined();
  });
});

type Nodes = Deployment["networks"][number]["nodes"];

const deploymentWith = (nodes: Nodes): Deployment => ({
  networks: [{ network: "mainnet", explorerUrl: null, venues: [], nodes }],
  aiOrigins: [],
});

const WELL = { name: "Node 2", isUsed: true, trouble: null } as const;
const LIMITED = {
  name: "Node 1",
  isUsed: false,
  trouble: { kind: "limited", since: ASKED_AT },
} as const;

describe("trouble with nodes", () => {
  it("is nothing to tell while every node is well, and none where there are no nodes", () => {
    expect(describeNodes(deploymentWith([WELL]), "mainnet")).toBeNull();
    expect(describeNodes(deploymentWith([]), "mainnet")).toBeNull();
    expect(describeNodes(deploymentWith([LIMITED]), "practice")).toBeNull();
    expect(describeNodes(undefined, "mainnet")).toBeNull();
  });

  it("names the node, since when, and the one that is used instead", () => {
    expect(describeNodes(deploymentWith([LIMITED, WELL]), "mainnet")).toBe(
      `Node 1 has refused requests as too many since ${formatShort(ASKED_AT)}. Node 2 is used now.`,
    );
  });

  it("says what happens when no node is left", () => {
    const used = { ...LIMITED, isUsed: true };
    expect(describeNodes(deploymentWith([used]), "mainnet")).toMatch(
      /^Node 1 .* Nothing is traded until a node answers; what was asked for is kept\.$/,
    );
  });

  it("stands in the header beside what limits the agent", () => {
    render(<ConditionBar condition={undefined} nodes="Node 1 is away." onDetails={() => {}} />);
    expect(screen.getByRole("status").textContent).toBe("Node troubleNode 1 is away.");
    expect(screen.queryByRole("button")).toBeNull();
  });
});
