import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { parseOwner } from "../../domain/ids.ts";
import { replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import { TooltipProvider } from "../ui/tooltip-provider.tsx";
import { ApprovalButtons } from "./approval-buttons.tsx";
import { ApprovalProgress } from "./approval-progress.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });

/** With what a failed call says: it is for people to act on, and here there is nothing they may do. */
const UNREPORTED = {
  kind: "unreported",
  signature: "5".repeat(88),
  reason: "Network connection issue. Try again.",
} as const;

it("offers no retry for what must not be repeated", () => {
  render(
    <TooltipProvider>
      <ApprovalProgress phase={UNREPORTED} stopped={null} explorerUrl={null} />
    </TooltipProvider>,
  );
  const said = screen.getByRole("status").textContent;
  expect(said).toContain("Do not repeat; we keep trying.");
  expect(said).not.toMatch(/try again/i);
});

describe("an approval that stopped because the wallet lacks money", () => {
  const buttons = (isPractice: boolean, code: "set_up_balance_too_low" | "conflict") => {
    const phase = {
      kind: "stopped",
      outcome: "error",
      reason: "At least 0.2 SOL is required to set up a new agent.",
      problem: { code, title: "Insufficient Wallet Balance" },
    } as const;
    const start = vi.fn<() => Promise<void>>(async () => {});
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ApprovalButtons
          approval={{ start, approve: start }}
          phase={phase}
          walletName="Practice wallet"
          network={isPractice ? "practice" : "mainnet"}
          isRefused={false}
          onMoveInstead={undefined}
          onClose={() => {}}
        />
      </QueryClientProvider>,
    );
    return start;
  };

  it("offers practice money on practice, and continues once it has arrived", async () => {
    replaceFetch(() => Promise.resolve(Response.json({ signature: "5".repeat(88) })));
    const start = buttons(true, "set_up_balance_too_low");
    await userEvent.setup().click(screen.getByRole("button", { name: "Get practice money" }));
    await expect.poll(() => start.mock.calls).toEqual([[null]]);
  });

  it.each([
    ["on a network with real money", false, "set_up_balance_too_low"],
    ["after another failure", true, "conflict"],
  ] as const)("offers no money %s", (_name, isPractice, code) => {
    buttons(isPractice, code);
    expect(screen.queryByRole("button", { name: "Get practice money" })).toBeNull();
  });
});
