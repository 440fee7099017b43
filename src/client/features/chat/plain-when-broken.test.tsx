import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { PlainWhenBroken } from "./message-answer.tsx";

function Broken(): never {
  throw new RangeError("Maximum call stack size exceeded");
}

it("shows a message that cannot be drawn as plain text, beside its neighbours", () => {
  const silenced = vi.spyOn(console, "error").mockReturnValue(undefined);
  render(
    <>
      <p>beside</p>
      <PlainWhenBroken text="**as written**">
        <Broken />
      </PlainWhenBroken>
    </>,
  );
  silenced.mockRestore();
  expect(screen.getByText("**as written**")).toBeTruthy();
  expect(screen.getByText("beside")).toBeTruthy();
});
