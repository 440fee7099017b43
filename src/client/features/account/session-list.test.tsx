import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { requestPath } from "../../../../test/request-path.ts";
import { storedToken } from "../../lib/stored.ts";
import { SessionList } from "./wallet-panel.tsx";
import { session } from "../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const TOKEN = `h.${btoa(JSON.stringify({ sub: OWNER, exp: Date.now() / 1000 + 600 }))}.s`;
const AT = "2026-11-21T08:00:00.000Z";

const token = { scopes: ["read"], createdAt: AT, expiresAt: AT, lastUsedAt: AT };
const TOKENS = [
  { ...token, id: "1".repeat(32), name: "Claude", connectedFrom: "claude.ai" },
  { ...token, id: "2".repeat(32), name: "Spreadsheet" },
];

function open(endStatus: number) {
  storedToken.write(TOKEN);
  const sent: string[] = [];
  replaceFetch((input, init) => {
    const path = requestPath(input);
    sent.push(`${init?.method ?? "GET"} ${path}${init?.body ? ` ${init.body as string}` : ""}`);
    const rows = [
      { browser: "Chrome on Linux", openedAt: AT, lastUsedAt: AT, isCurrent: true },
      { browser: "Safari on iOS", openedAt: AT, lastUsedAt: AT, isCurrent: false },
    ];
    const end = () =>
      endStatus === 204
        ? new Response(null, { status: 204 })
        : Response.json({ code: "internal", message: "Something went wrong" }, { status: 500 });
    if (path === "/api/read-tokens") return Promise.resolve(Response.json(TOKENS));
    return Promise.resolve(path.endsWith("/sessions") ? Response.json(rows) : end());
  });
  const onSignedOut = vi.fn<() => void>();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionList onSignedOut={onSignedOut} />
    </QueryClientProvider>,
  );
  return { sent, onSignedOut };
}

it("names the browsers that are signed in and marks this one", async () => {
  open(204);
  await screen.findByText("Safari on iOS");
  const [list] = screen.getAllByRole("list");
  const rows = [...(list?.children ?? [])];
  expect(rows.map((row) => row.textContent?.includes("This browser"))).toEqual([true, false]);
  expect(rows[1]?.textContent).toContain("Safari on iOS");
});

it("lists the assistants that were let in with their last use, and ends one", async () => {
  const { sent } = open(204);
  const end = await screen.findByRole("button", { name: "Disconnect Claude" });
  expect(end.closest("li")?.textContent).toMatch(/From claude\.ai, may read, last used/);
  expect(screen.queryByText("Spreadsheet")).toBeNull();
  await userEvent.click(end);
  await waitFor(() => expect(sent).toContain(`DELETE /api/read-tokens/${"1".repeat(32)}`));
});

it("ends every session with one click and signs out the page", async () => {
  const { sent, onSignedOut } = open(204);
  await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
  await waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce());
  expect(sent).toContain('POST /api/auth/sign-out-everywhere {"tokens":"replace"}');
});

it("leaves the agents' tokens as they are where the box is cleared", async () => {
  const { sent, onSignedOut } = open(204);
  await userEvent.click(
    await screen.findByRole("checkbox", { name: /^Replace my agents' webhook/ }),
  );
  await userEvent.click(screen.getByRole("button", { name: "Sign out everywhere" }));
  await waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce());
  expect(sent).toContain('POST /api/auth/sign-out-everywhere {"tokens":"keep"}');
});

it("keeps the session when the server could not end it", async () => {
  const { sent, onSignedOut } = open(500);
  await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
  await waitFor(() => expect(sent.at(-1)).toContain("POST /api/auth/sign-out-everywhere"));
  expect(onSignedOut).not.toHaveBeenCalled();
});
