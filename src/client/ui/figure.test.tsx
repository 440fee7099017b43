import { render } from "@testing-library/react";
import type { ComponentProps } from "react";
import { expect, it } from "vitest";
import { Figure } from "./figure.tsx";

const shown = (props: ComponentProps<typeof Figure>) =>
  render(<Figure {...props} />).container.textContent;

it("rounds gains and losses alike, halves away from zero", () => {
  expect(shown({ value: "999.999999", unit: " USDC" })).toBe("1,000.00 USDC");
  expect(shown({ value: "1.399", signed: true })).toBe("+1.40");
  expect(shown({ value: "-0.354", toned: true })).toBe("−0.35");
  expect(shown({ value: "-1.395", toned: true })).toBe("−1.40");
  expect(shown({ value: "-0.001", toned: true })).toBe("0.00");
});

it("groups and rounds amounts, and shows unknown ones as a dash", () => {
  expect(shown({ value: "1234567.891", prefix: "$" })).toBe("$1,234,567.89");
  expect(shown({ value: "-9.175", unit: " SOL" })).toBe("−9.18 SOL");
  expect(shown({ value: null, unit: " USDC" })).toBe("–");
});

it("distinguishes a tiny amount from zero", () => {
  expect(shown({ value: "0", unit: " USDC" })).toBe("0.00 USDC");
  expect(shown({ value: "0.000001", unit: " USDC" })).toBe("<0.01 USDC");
  expect(shown({ value: "0.000000001", decimals: 4, unit: " SOL" })).toBe("<0.0001 SOL");
  expect(shown({ value: "0.000001", prefix: "$" })).toBe("<$0.01");
  expect(shown({ value: "-0.00001", decimals: 4, unit: " SOL" })).toBe("−<0.0001 SOL");
});

it("shows a gain or loss below the display precision as zero, without a sign", () => {
  expect(shown({ value: "0.001", signed: true })).toBe("0.00");
  expect(shown({ value: "1.5", signed: true })).toBe("+1.50");
});

it("is seen to change when what it shows changes, and only then", () => {
  const { container, rerender } = render(<Figure value="1.001" />);
  const isFlashing = () => container.querySelector("span")?.className.includes("animate-[flash");
  expect(isFlashing()).toBe(false);
  rerender(<Figure value="1.002" />);
  expect(isFlashing()).toBe(false);
  rerender(<Figure value="1.01" />);
  expect(isFlashing()).toBe(true);
  expect(container.querySelector("span")?.className).toContain("motion-safe:");
  rerender(<Figure value={null} />);
  rerender(<Figure value="1.02" />);
  expect(isFlashing()).toBe(false);
});
