import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { SafeLink } from "./safe-link.tsx";

describe("a link in an answer", () => {
  it.each([
    // The first letter is Cyrillic
    ["https://\u0430pple.com/account", "xn--pple-43d.com", true],
    ["https://login.xn--pple-43d.com:8443/", "login.xn--pple-43d.com:8443", true],
    ["https://apple.com/xn--pple", "apple.com", false],
  ])("%s says whether its name may imitate another", async (href, host, isMarked) => {
    render(<SafeLink href={href}>Sign in</SafeLink>);
    const link = screen.getByRole("link");
    expect(link.textContent).toContain(`(${host})`);
    expect(link.textContent.includes("may imitate another name")).toBe(isMarked);
    fireEvent.click(link);
    expect(await screen.findByText(`Open ${host}?`)).toBeDefined();
    expect(screen.queryAllByText(/it may imitate another site/)).toHaveLength(isMarked ? 1 : 0);
  });
});
