import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { storedLayout } from "../lib/stored.ts";
import { chatHidden, LAYOUT_SAVE_MS, moveSplit, toggleChat } from "../lib/split-layout.ts";
import { SplitView } from "./split-view.tsx";

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

function show() {
  render(<SplitView main="tabs" chat="talk" />);
  const bar = screen.getByRole("separator", { name: "Width of the chat" });
  vi.spyOn(bar.parentElement!, "getBoundingClientRect").mockReturnValue(new DOMRect(100, 0, 1000));
  const widths = () => ["main", "chat"].map((id) => document.getElementById(id)?.style.flexGrow);
  return { bar, widths };
}

describe("the chat", () => {
  afterEach(() => {
    if (chatHidden.getState()) act(toggleChat);
  });

  it("gives its width back and takes it again, and the browser remembers", () => {
    const { widths } = show();
    const chat = document.getElementById("chat");
    act(toggleChat);
    expect(screen.queryByRole("separator")).toBeNull();
    expect(chat?.hidden).toBe(true);
    expect(localStorage.getItem("chat-hidden")).toBe("yes");
    act(toggleChat);
    expect(chat?.hidden).toBe(false);
    expect(widths()).toEqual(["65", "35"]);
    expect(localStorage.getItem("chat-hidden")).toBeNull();
  });

  it("is a page of its own on phones, hidden or not", () => {
    act(toggleChat);
    render(<SplitView main="tabs" chat="talk" page="chat" />);
    expect(document.getElementById("chat")?.hidden).toBe(false);
  });
});

describe("the bar between tabs and chat", () => {
  it("moves by keys in steps of ten up to its ends", () => {
    const { bar, widths } = show();
    expect(widths()).toEqual(["65", "35"]);
    const seen = ["ArrowLeft", "ArrowRight", "End", "ArrowRight", "Home", "ArrowLeft"].map(
      (key) => {
        fireEvent.keyDown(bar, { key });
        return bar.getAttribute("aria-valuenow");
      },
    );
    expect(seen).toEqual(["55", "65", "80", "80", "30", "30"]);
    expect(widths()).toEqual(["30", "70"]);
    expect(["min", "max"].map((end) => bar.getAttribute(`aria-value${end}`))).toEqual(["30", "80"]);
  });

  it("follows the pointer that grabbed it, and no other", () => {
    const { bar, widths } = show();
    fireEvent.pointerMove(bar, { pointerId: 1, clientX: 600 });
    expect(widths()).toEqual(["65", "35"]);
    fireEvent.pointerDown(bar, { pointerId: 1, button: 0 });
    expect(document.activeElement).toBe(bar);
    fireEvent.pointerMove(bar, { pointerId: 1, clientX: 600 });
    expect(widths()).toEqual(["50", "50"]);
    fireEvent.pointerMove(bar, { pointerId: 1, clientX: 110 });
    expect(widths()).toEqual(["30", "70"]);
    fireEvent.doubleClick(bar);
    expect(widths()).toEqual(["65", "35"]);
  });

  it("can be moved from the palette, and keeps its position", () => {
    const { widths } = show();
    act(() => moveSplit(-10));
    act(() => moveSplit(-10));
    expect(widths()).toEqual(["45", "55"]);
    vi.advanceTimersByTime(LAYOUT_SAVE_MS);
    expect(storedLayout.read()).toEqual({ main: 45, chat: 55 });
  });

  it("keeps both sides wide enough whatever was stored", () => {
    storedLayout.write({ main: 99, chat: 1 });
    expect(show().widths()).toEqual(["80", "20"]);
  });
});
