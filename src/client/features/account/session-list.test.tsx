import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { ChangeOfSession } from "../../../contract/auth.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { requestPath } from "../../../../test/request-path.ts";
import { storedToken } from "../../lib/stored.ts";
import SignedOutDialog from "./signed-out-dialog.tsx";
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

const BROWSER = {
  isAssistant: false,
  name: "Chrome on Linux",
  since: AT,
  isCurrent: false,
  fields: [],
  intent: null,
  subject: null,
  times: 1,
  at: AT,
};
const CHANGES: ChangeOfSession[] = [
  { ...BROWSER, what: "quiet_hours_set", times: 2 },
  { ...BROWSER, what: "agent_saved", subject: "Trend", fields: ["buyReportPrompt"] },
  { ...BROWSER, isAssistant: true, name: "Claude", what: "proposal_made", intent: "withdraw" },
  { ...BROWSER, name: null, since: null, what: "moon_landed" },
  { ...BROWSER, name: "Safari on iOS", isCurrent: true, what: "chat_created" },
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
      endStatus === 200
        ? Response.json({ changes: CHANGES })
        : Response.json({ code: "internal", message: "Something went wrong" }, { status: 500 });
    if (path === "/api/read-tokens") return Promise.resolve(Response.json(TOKENS));
    return Promise.resolve(path.endsWith("/sessions") ? Response.json(rows) : end());
  });
  const onSignedOut = vi.fn<(changes: readonly unknown[]) => void>();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionList onSignedOut={onSignedOut} />
    </QueryClientProvider>,
  );
  return { sent, onSignedOut };
}

it("names the browsers that are signed in and marks this one", async () => {
  open(200);
  await screen.findByText("Safari on iOS");
  const [list] = screen.getAllByRole("list");
  const rows = [...(list?.children ?? [])];
  expect(rows.map((row) => row.textContent?.includes("This browser"))).toEqual([true, false]);
  expect(rows[1]?.textContent).toContain("Safari on iOS");
});

it("lists the assistants that were let in with their last use, and ends one", async () => {
  const { sent } = open(200);
  const end = await screen.findByRole("button", { name: "Disconnect Claude" });
  expect(end.closest("li")?.textContent).toMatch(/From claude\.ai, may read, last used/);
  expect(screen.queryByText("Spreadsheet")).toBeNull();
  await userEvent.click(end);
  await waitFor(() => expect(sent).toContain(`DELETE /api/read-tokens/${"1".repeat(32)}`));
});

it("ends every session with one click and signs out the page", async () => {
  const { sent, onSignedOut } = open(200);
  await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
  await waitFor(() => expect(onSignedOut).toHaveBeenCalledExactlyOnceWith(CHANGES));
  expect(sent).toContain('POST /api/auth/sign-out-everywhere {"tokens":"replace"}');
});

it("leaves the agents' tokens as they are where the box is cleared", async () => {
  const { sent, onSignedOut } = open(200);
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

it("says afterwards in plain words what each browser and assistant changed", () => {
  render(<SignedOutDialog changes={CHANGES} />);
  const lines = screen
    .getAllByRole("listitem")
    .map((line) => [...(line.lastChild?.childNodes ?? [])].map((part) => part.textContent));
  expect(lines).toEqual([
    ["Quiet hours set (2 times)", expect.stringMatching(/^Chrome on Linux, signed in .*21/)],
    ["Trend: Changed: prompts", expect.stringMatching(/^Chrome on Linux, signed in /)],
    ["Change proposed", expect.stringMatching(/^Claude, an assistant or token let in .*21/)],
    ["Moon landed", "A browser or assistant that ended some days ago"],
    ["Chat created", expect.stringMatching(/^This browser \(Safari on iOS\), signed in /)],
  ]);
});
