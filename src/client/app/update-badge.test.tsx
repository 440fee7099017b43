import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { health } from "../lib/health.ts";
import { UpdateBadge } from "./update-badge.tsx";

afterEach(() => health.setState(health.getInitialState()));

const offer = () => screen.queryByRole("button", { name: "Reload" });

describe("after a deployment", () => {
  it("the page offers a reload, but not while the user types", () => {
    render(
      <>
        <textarea aria-label="Message" />
        <UpdateBadge />
      </>,
    );
    expect(offer()).toBeNull();
    act(() => health.setState({ isOutdated: true }));
    expect(offer()).not.toBeNull();
    const message = screen.getByLabelText("Message");
    fireEvent.input(message, { target: { value: "Buy when" } });
    expect(offer()).toBeNull();
    fireEvent.input(message, { target: { value: "" } });
    expect(offer()).not.toBeNull();
  });

  it("the offer waits until dialogs are closed and the server answers", () => {
    const { rerender } = render(<UpdateBadge />);
    act(() => health.setState({ isOutdated: true, isOnline: false }));
    expect(offer()).toBeNull();
    rerender(
      <>
        <div role="dialog" />
        <UpdateBadge />
      </>,
    );
    act(() => health.setState({ isOnline: true }));
    expect(offer()).toBeNull();
    rerender(<UpdateBadge />);
    act(() => health.setState({ isChecking: true }));
    expect(offer()).not.toBeNull();
  });
});
