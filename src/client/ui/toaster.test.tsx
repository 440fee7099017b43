import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toastDone, toastProblem, toasts, TOAST_MS } from "../lib/toast.ts";
import { SWIPE_PX, Toaster } from "./toaster.tsx";

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

describe("the toaster", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    toasts.setState([], true);
    render(<Toaster />);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("shows a toast for 5 s", () => {
    expect(TOAST_MS).toBe(5000);
    act(() => toastDone({ title: "Saved" }));
    pass(TOAST_MS - 1);
    expect(screen.getByRole("status").textContent).toContain("Saved");
    pass(1);
    expect(screen.queryByText("Saved")).toBeNull();
  });

  it("keeps a toast while the pointer is on it", () => {
    act(() => toastDone({ title: "Saved" }));
    fireEvent.pointerEnter(screen.getByText("Saved"));
    pass(TOAST_MS * 10);
    expect(screen.getByText("Saved")).toBeTruthy();
    fireEvent.pointerLeave(screen.getByText("Saved"));
    pass(TOAST_MS);
    expect(screen.queryByText("Saved")).toBeNull();
  });

  it("keeps a problem until it is closed, announced at once", () => {
    act(() => toastProblem({ title: "Deposit failed" }));
    pass(TOAST_MS * 100);
    expect(screen.getByRole("alert").textContent).toContain("Deposit failed");
    fireEvent.click(screen.getByRole("button", { name: "Close notification" }));
    expect(screen.queryByText("Deposit failed")).toBeNull();
  });

  it("dismisses a toast dragged 50 px, not less, and focuses it with F8", () => {
    expect(SWIPE_PX).toBe(50);
    act(() => toastProblem({ title: "Deposit failed" }));
    fireEvent.keyDown(document.body, { key: "F8" });
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Close notification");
    const text = screen.getByText("Deposit failed");
    fireEvent.pointerDown(text, { clientX: 10 });
    fireEvent.pointerMove(text, { clientX: 59, buttons: 1 });
    expect(screen.getByText("Deposit failed")).toBeTruthy();
    fireEvent.pointerMove(text, { clientX: 60, buttons: 1 });
    expect(screen.queryByText("Deposit failed")).toBeNull();
  });
});
