import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useEffect } from "react";
import { expect, it } from "vitest";
import { requestPath } from "../../../../../test/request-path.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { openDialog, type OpenDialog, useDialogs } from "../../../lib/dialogs.ts";
import { session } from "../../../lib/session.ts";
import { storedToken } from "../../../lib/stored.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import { answeredAgent, buildAgent } from "../../../../../test/shown-agent.ts";
import ProposalsDialog from "./proposals-dialog.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const TOKEN = `h.${btoa(JSON.stringify({ sub: OWNER, exp: Date.now() / 1000 + 600 }))}.s`;
const running = buildAgent({ id: "b".repeat(32), name: "Running", autoTrade: "on" });
const agent = buildAgent({ autoTrade: "off", limits: { dayLossBps: 1_000, tradesPerDay: 5 } });

const proposal = (
  id: string,
  act: { readonly kind: string; readonly [field: string]: unknown },
) => ({
  id: id.repeat(32),
  assistant: "Claude",
  ...(act.kind !== "stop_all" && { agentId: agent.id }),
  act,
  digest: "d".repeat(64),
  createdAt: "2026-11-21T08:00:00.000Z",
  expiresAt: "2026-11-22T08:00:00.000Z",
});

let shown: OpenDialog = { kind: "none" };

function Opened() {
  const { open } = useDialogs();
  useEffect(() => {
    shown = open;
  }, [open]);
  return null;
}

/** Shows the dialog with these proposals; returns the calls that change something. */
function show(proposals: readonly object[], approved: () => Response): readonly string[] {
  session.setState({ status: "signed-in", address: OWNER });
  storedToken.write(TOKEN);
  const sent: string[] = [];
  replaceFetch((input, init) => {
    const path = requestPath(input);
    if (init?.method === "POST") sent.push(`${path} ${String(init.body as string)}`);
    return Promise.resolve(path === "/api/proposals" ? Response.json(proposals) : approved());
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <ProposalsDialog agents={[agent, running]} />
        <Opened />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return sent;
}

it("shows what an act would do beside the present state, and approves exactly that", async () => {
  const sent = show(
    [
      proposal("a", { kind: "limits", limits: { dayLossBps: 500 } }),
      proposal("b", { kind: "auto_trade", autoTrade: "on" }),
      proposal("c", { kind: "prompts", buyReportPrompt: "Why?", sellReportPrompt: "" }),
      proposal("d", { kind: "stop_all" }),
    ],
    () => Response.json({ code: "conflict", message: "Ended.", requestId: "x" }, { status: 409 }),
  );
  expect(await screen.findByText("largest loss a day: from 10% to 5%")).toBeDefined();
  expect(screen.getByText("trades a day: from 5 to no limit")).toBeDefined();
  expect(screen.getByText("Auto-trade from off to on")).toBeDefined();
  expect(screen.getByText("Text for buys: Why?")).toBeDefined();
  expect(screen.getByText("Auto-trade of Running off, its position closed")).toBeDefined();
  const [approve] = screen.getAllByRole("button", { name: "Approve and sign" });
  if (approve) await userEvent.click(approve);
  await waitFor(() =>
    expect(sent).toEqual([
      `/api/proposals/${"a".repeat(32)}/approve {"digest":"${"d".repeat(64)}"}`,
    ]),
  );
});

const { chatId } = agent;

it.each([
  [
    { kind: "deposit", amount: "200" },
    "Deposit 200 USDC from your wallet into its vault",
    { kind: "deposit", chatId, amount: "200" },
  ],
  [
    { kind: "withdraw", amount: "8.5" },
    "Withdraw 8.5 USDC from it to your wallet",
    { kind: "withdrawal", chatId, amount: "8.5" },
  ],
  [
    { kind: "delete" },
    "Delete the agent, its rules, its log and its chat",
    { kind: "delete-chat", chatId },
  ],
])("goes on with the page's own dialog once %o is agreed to", async (act, words, dialog) => {
  show([proposal("a", act)], () => Response.json(answeredAgent(agent)));
  expect(await screen.findByText(words)).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Approve and sign" }));
  await waitFor(() => expect(shown).toEqual(dialog));
});

it.each(["Approve and sign", "Decline"])("closes once %s has decided the last", async (button) => {
  openDialog({ kind: "proposals" });
  show([proposal("a", { kind: "stop_all" })], () =>
    button === "Decline" ? new Response(null, { status: 204 }) : Response.json(null),
  );
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await waitFor(() => expect(shown).toEqual({ kind: "none" }));
});

it("stays open while others are to be decided", async () => {
  openDialog({ kind: "proposals" });
  const sent = show(
    [proposal("a", { kind: "stop_all" }), proposal("b", { kind: "stop_all" })],
    () => Response.json(null),
  );
  const [approve] = await screen.findAllByRole("button", { name: "Approve and sign" });
  if (approve) await userEvent.click(approve);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(approve?.getAttribute("aria-busy")).not.toBe("true"));
  expect(shown).toEqual({ kind: "proposals" });
});
