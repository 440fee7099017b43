import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { requestPath } from "../../../../../test/request-path.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { session } from "../../../lib/session.ts";
import { storedToken } from "../../../lib/storage.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import ProposalsDialog from "./proposals-dialog.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const TOKEN = `h.${btoa(JSON.stringify({ sub: OWNER, exp: Date.now() / 1000 + 600 }))}.s`;
const agent = buildAgent({ autoTrade: "off", limits: { dayLossBps: 1_000, tradesPerDay: 5 } });

const proposal = (id: string, act: object) => ({
  id: id.repeat(32),
  assistant: "Claude",
  agentId: agent.id,
  act,
  digest: "d".repeat(64),
  createdAt: "2026-11-21T08:00:00.000Z",
  expiresAt: "2026-11-22T08:00:00.000Z",
});

it("shows what an act would do beside the present state, and approves exactly that", async () => {
  session.setState({ status: "signed-in", address: OWNER });
  storedToken.write(TOKEN);
  const sent: string[] = [];
  replaceFetch((input, init) => {
    const path = requestPath(input);
    if (init?.method === "POST") sent.push(`${path} ${String(init.body as string)}`);
    return Promise.resolve(
      path === "/api/proposals"
        ? Response.json([
            proposal("a", { kind: "limits", limits: { dayLossBps: 500 } }),
            proposal("b", { kind: "auto_trade", autoTrade: "on" }),
            proposal("c", { kind: "prompts", buyReportPrompt: "Why?", sellReportPrompt: "" }),
          ])
        : Response.json({ code: "conflict", message: "Ended.", requestId: "x" }, { status: 409 }),
    );
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <ProposalsDialog agents={[agent]} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByText("largest loss a day: from 10% to 5%")).toBeDefined();
  expect(screen.getByText("trades a day: from 5 to no limit")).toBeDefined();
  expect(screen.getByText("Auto-trade from off to on")).toBeDefined();
  expect(screen.getByText("Text for buys: Why?")).toBeDefined();
  const [approve] = screen.getAllByRole("button", { name: "Approve and sign" });
  if (approve) await userEvent.click(approve);
  await vi.waitFor(() =>
    expect(sent).toEqual([
      `/api/proposals/${"a".repeat(32)}/approve {"digest":"${"d".repeat(64)}"}`,
    ]),
  );
});
