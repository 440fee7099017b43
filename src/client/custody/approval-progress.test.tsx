import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { TooltipProvider } from "../ui/tooltip-provider.tsx";
import { ApprovalProgress } from "./approval-progress.tsx";

/** With what a failed call says: it is for people to act on, and here there is nothing they may do. */
const UNREPORTED = {
  kind: "unreported",
  signature: "5".repeat(88),
  reason: "Network connection issue. Try again.",
} as const;

it("never asks to try again what must not be repeated", () => {
  render(
    <TooltipProvider>
      <ApprovalProgress
        phase={UNREPORTED}
        stopped={null}
        walletName="Practice wallet"
        explorerUrl={null}
      />
    </TooltipProvider>,
  );
  const said = screen.getByRole("status").textContent;
  expect(said).toContain("Do not repeat; we keep trying.");
  expect(said).not.toMatch(/try again/i);
});
