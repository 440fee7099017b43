import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { parseAgentId, parseOwner } from "../../../domain/ids.ts";
import { answerApprovals } from "../../../../test/approval-answers.ts";
import { type AgentChanges, buildAgent as buildShown } from "../../../../test/shown-agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import { toasts } from "../../lib/toast.ts";
import type { getCustodyAccess } from "../../../contract/custody.ts";
import type { PositionSummary } from "../../../contract/trade.ts";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import { CustodyPanel } from "./custody-panel.tsx";
import { session } from "../../lib/session.ts";

const BOT = "a".repeat(32);
const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
type Access = NonNullable<z.input<typeof getCustodyAccess.response>>;

const TRADING_KEY = "11111111111111111111111111111112";
const STRANGER = "11111111111111111111111111111113";

const buildAgent = (changes: AgentChanges = {}) =>
  buildShown({
    id: BOT,
    chatId: "c".repeat(32),
    marketId: "SOL",
    venue: "jupiter",
    owner: OWNER,
    ...changes,
  });

const limit = (symbol: string, amount: string, remaining: string, destination = TRADING_KEY) => ({
  symbol,
  amount,
  remaining,
  period: "day" as const,
  destinations: [destination],
  account: OWNER,
});

const buildAccess = (limits: Access["limits"]): Access => ({
  owner: OWNER,
  multisig: OWNER,
  vault: OWNER,
  delegate: TRADING_KEY,
  delegateOnChain: TRADING_KEY,
  delegateState: "ours",
  vaultLamports: "100000000",
  vaultQuote: "0",
  venueQuote: "400",
  quoteSymbol: "USDC",
  assets: [],
  limits,
  unrecoverable: [],
  notices: [],
});

const LIMITS = [
  limit("USDC", "1000", "749.5"),
  { ...limit("SOL", "6.451612904", "6.451612904"), account: TRADING_KEY },
];

function open(
  limits: Access["limits"],
  agent = buildAgent(),
  changes: Partial<Access> = {},
  position: PositionSummary | null = null,
) {
  const approvals = answerApprovals(parseAgentId(BOT));
  replaceFetch(
    (input, init) =>
      approvals.answer((input as string).split("?")[0] ?? "", init) ??
      ((input as string).startsWith("/api/trade/get-drift-position") && position !== null
        ? Promise.resolve(Response.json({ response: position }))
        : (input as string).startsWith(`/api/agents/${BOT}/custody/access`)
          ? Promise.resolve(Response.json({ ...buildAccess(limits), ...changes }))
          : Promise.resolve(Response.json({ networks: [] }))),
  );
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <TooltipProvider>
        <CustodyPanel agent={agent} onWithdrawAll={null} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), asked: approvals.asked, land: approvals.land };
}

const limitRows = async () => {
  const list = await screen.findByRole("region", { name: "Spending limits" });
  return within(list)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
};

beforeEach(() => toasts.setState([], true));

describe("CustodyPanel", () => {
  it("lists the vault's assets, and moves one of them by name", async () => {
    const { user, asked } = open(LIMITS, buildAgent(), {
      assets: [{ symbol: "NVDAx", amount: "0.25" }],
    });
    const list = await screen.findByRole("region", { name: "Assets in the vault" });
    expect(within(list).getByText("0.25 NVDAx")).toBeTruthy();
    await user.click(within(list).getByRole("button", { name: "Move NVDAx to your wallet" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "move-assets", market: "NVDAx" });
  });

  it("offers no transfer while the agent trades", async () => {
    open(LIMITS, buildAgent({ autoTrade: "on" }), {
      assets: [{ symbol: "NVDAx", amount: "0.25" }],
    });
    const list = await screen.findByRole("region", { name: "Assets in the vault" });
    expect(within(list).queryByRole("button")).toBeNull();
    expect(within(list).getByText(/turn Auto-Trade off first/)).toBeTruthy();
  });

  const held = (position: string): PositionSummary => ({
    position,
    pnl: "1.00",
    portfolioValue: "500.00",
    positionValue: "77.50",
    freeCollateral: "400.00",
    available: true,
  });

  it("warns before a revocation that a position stays open, and closes it first on request", async () => {
    const { user, asked, land } = open(LIMITS, buildAgent(), {}, held("0.5"));
    await user.click(await screen.findByRole("button", { name: "Revoke the trading key" }));
    const dialog = await screen.findByRole("dialog", { name: "A position is open" });
    expect(within(dialog).getByText(/0\.5 SOL stays open/)).toBeTruthy();
    expect(asked).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Close it first" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "close-positions" });
    land();
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "revoke" });
  });

  it("revokes with an open position if the owner wants that, and at once without a position", async () => {
    const { user, asked } = open(LIMITS, buildAgent(), {}, held("-0.5"));
    await user.click(await screen.findByRole("button", { name: "Revoke the trading key" }));
    await user.click(await screen.findByRole("button", { name: "Revoke and keep it open" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "revoke" });
    cleanup();
    const flat = open(LIMITS, buildAgent(), {}, held("0"));
    await flat.user.click(await screen.findByRole("button", { name: "Revoke the trading key" }));
    await expect.poll(() => flat.asked.at(-1)).toMatchObject({ intent: "revoke" });
  });

  it("does not count a swap venue's vault twice", async () => {
    open(LIMITS);
    expect(await screen.findByText(/With the asset, worth in all: 400 USDC/)).toBeTruthy();
  });

  it("shows how much the trading key may move, in what period, to where, and what is left", async () => {
    open(LIMITS);
    const where =
      "only to the trading key's own account; the server swaps it on in the same transaction, a thief would keep it";
    expect(await limitRows()).toEqual([
      `1000 USDC a day749.5 USDC left today${where}`,
      expect.stringContaining(`6.451612904 SOL a day6.451612904 SOL left today${where}`),
    ]);
  });

  it.each([
    ["jupiter", "SOL", /can draw the day's limit of each token and keep it/],
    ["drift", "SOL-PERP", /can lose all of a perpetuals account to himself within seconds/],
  ] as const)(
    "says what a thief of the trading key can do on %s",
    async (venue, marketId, text) => {
      open(venue === "jupiter" ? LIMITS : [], buildAgent({ venue, marketId }));
      expect(await screen.findByText(text)).toBeTruthy();
    },
  );

  it("marks a destination other than the trading key, and a missing one", async () => {
    open([
      limit("USDC", "1000", "1000", STRANGER),
      { ...limit("SOL", "1", "1"), destinations: [], account: TRADING_KEY },
    ]);
    const [stranger, anybody] = await limitRows();
    expect(stranger).toContain(`to ${STRANGER}`);
    expect(anybody).toContain("to anybody");
  });

  it("shows no limits and no button to lower them where the venue has none", async () => {
    open([], buildAgent({ venue: "drift", marketId: "SOL-PERP" }));
    await screen.findByText("Trading key");
    expect(screen.queryByRole("region", { name: "Spending limits" })).toBeNull();
    expect(screen.queryByRole("button", { name: /limit/i })).toBeNull();
  });

  it("offers to allow an agent's leverage only where its exchange account takes less", async () => {
    const levered = buildAgent({ venue: "drift", marketId: "SOL-PERP", leverage: 3 });
    const { user, asked, land } = open([], levered, { leverageAllowed: 2 });
    await user.click(await screen.findByRole("button", { name: "Allow leverage 3" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "update-limits" });
    expect(screen.getByRole("dialog", { name: "Allow leverage 3" })).toBeTruthy();
    land();
    await expect.poll(() => toasts.getState().at(-1)).toMatchObject({ title: "Leverage Allowed" });
    cleanup();
    open([], levered, { leverageAllowed: 3 });
    await screen.findByText("Trading key");
    expect(screen.queryByRole("button", { name: /leverage/ })).toBeNull();
  });

  it("offers to take leverage back that the agent no longer has", async () => {
    const unlevered = buildAgent({ venue: "drift", marketId: "SOL-PERP" });
    const { user, asked } = open([], unlevered, { leverageAllowed: 3 });
    await user.click(await screen.findByRole("button", { name: "Lower to leverage 1" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "update-limits" });
  });

  it("asks the owner to approve a lower limit of the entered amount", async () => {
    const { user, asked, land } = open(LIMITS);
    await user.click(await screen.findByRole("button", { name: "Lower the daily limit" }));
    const field = screen.getByLabelText("USDC a day");
    const go = () => user.click(screen.getByRole("button", { name: "Continue" }));
    for (const [amount, words] of [
      ["0.5", "A daily limit is from 1 to 1,000,000 USDC."],
      ["1000000.01", "A daily limit is from 1 to 1,000,000 USDC."],
      ["1000.00", "That is the limit already."],
    ] as const) {
      await user.clear(field);
      await user.type(field, amount);
      await go();
      expect(screen.getByRole("alert").textContent).toBe(words);
    }
    expect(asked).toEqual([]);
    await user.clear(field);
    await user.type(field, "250");
    await go();
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "update-limits", amount: "250" });
    land();
    await expect
      .poll(() => toasts.getState().at(-1))
      .toMatchObject({ title: "Spending Limits Updated" });
  });

  it("lowers only with the lower button and raises only with the raise button", async () => {
    const { user, asked } = open(LIMITS);
    const give = async (amount: string) => {
      const field = screen.getByLabelText("USDC a day");
      await user.clear(field);
      await user.type(field, amount);
      await user.click(screen.getByRole("button", { name: "Continue" }));
    };
    await user.click(await screen.findByRole("button", { name: "Lower the daily limit" }));
    await give("2000");
    expect(screen.getByRole("alert").textContent).toBe(
      "That is more than now. To allow more, raise the daily limit.",
    );
    expect(asked).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Raise the daily limit" }));
    expect(screen.getByText(/The trading key could move more in a day/)).toBeTruthy();
    await give("250");
    expect(screen.getByRole("alert").textContent).toBe(
      "That is less than now. To allow less, lower the daily limit.",
    );
    await give("2000");
    await expect
      .poll(() => asked.at(-1))
      .toMatchObject({ intent: "update-limits", amount: "2000" });
  });

  it("offers matching limits when the agent now trades another asset", async () => {
    const { user, asked } = open(LIMITS, buildAgent({ marketId: "BTC" }));
    await user.click(await screen.findByRole("button", { name: "Update the limits to BTC" }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ intent: "update-limits" });
    expect(asked.at(-1)).not.toHaveProperty("amount");
  });
});
