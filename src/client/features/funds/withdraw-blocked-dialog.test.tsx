import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { WithdrawBlockedDialog } from "./manage-funds.tsx";

it("stops the agent only if the owner asks for that", async () => {
  const [onClose, onStop] = [vi.fn(), vi.fn()];
  render(<WithdrawBlockedDialog open onClose={onClose} onStop={onStop} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect([onClose.mock.calls.length, onStop.mock.calls.length]).toEqual([1, 0]);
  await user.click(screen.getByRole("button", { name: "OK, I'll Stop the Agent First" }));
  expect([onClose.mock.calls.length, onStop.mock.calls.length]).toEqual([2, 1]);
});
