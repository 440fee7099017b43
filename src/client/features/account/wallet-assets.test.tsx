import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { WalletAssets } from "./wallet-panel.tsx";

it("lists assets moved out of a vault, wrapped SOL under its name", () => {
  render(
    <WalletAssets
      assets={[
        { symbol: "NVDAx", amount: "0.25" },
        { symbol: "SOL", amount: "1.5" },
      ]}
    />,
  );
  const list = screen.getByRole("region", { name: "Assets in your wallet" });
  expect(within(list).getByText("NVDAx")).toBeDefined();
  expect(within(list).getByText("SOL (wrapped)")).toBeDefined();
});

it("is hidden when the wallet holds none", () => {
  const { container } = render(<WalletAssets assets={[]} />);
  expect(container.textContent).toBe("");
});
