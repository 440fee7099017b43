import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../../test/ids.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { requestPath } from "../../../../../test/request-path.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import { SignalsPanel } from "./signals-panel.tsx";
import { session } from "../../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const BOT = agentIdOf("a");
const WEBHOOK = {
  url: `https://trade.example/webhook/${BOT}`,
  token: "t",
  alertText: '{"alertName":"{{alertName}}"}',
  isSenderLimited: false,
};

function open(webhook: object, isTrading = true, condition?: object): void {
  const answers: Record<string, unknown> = {
    [`/api/agents/${BOT}/webhook`]: webhook,
    [`/api/alerts/${BOT}`]: [
      { _id: "b".repeat(32), name: "breakout", description: "", ...(condition && { condition }) },
    ],
    [`/api/agents/${BOT}/signals`]: [],
  };
  replaceFetch((input) => Promise.resolve(Response.json(answers[requestPath(input)])));
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <TooltipProvider>
        <SignalsPanel agentId={BOT} interval="1h" isTrading={isTrading} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

it("counts alerts with a replaced token, and says since when and what to do", async () => {
  const at = { since: "2026-11-21T08:00:00.000Z", lastAt: "2026-11-21T09:30:00.000Z" };
  open({ ...WEBHOOK, replacedToken: { alerts: 7, ...at } });
  const note = await screen.findByText(/^7 alerts with the old token were refused since/);
  expect(note.textContent).toMatch(/, the last on .+\. Paste the new text into every alert/);
  const times = [...note.querySelectorAll("time")].map((time) => time.dateTime);
  expect(times).toEqual([at.since, at.lastAt]);
});

it("does not mention tokens where none was replaced, and offers a test", async () => {
  open(WEBHOOK);
  expect(await screen.findByRole("button", { name: "Send test alert" })).toBeDefined();
  expect(screen.queryByText(/old token/)).toBeNull();
});

it("offers no test where only named addresses may send alerts", async () => {
  open({ ...WEBHOOK, url: `http://127.0.0.1:4600/webhook/${BOT}`, isSenderLimited: true });
  expect(await screen.findByText(/^This server takes alerts only from addresses/)).toBeDefined();
  expect(screen.getByText(/^This address is on your own machine/)).toBeDefined();
  expect(screen.queryByText(/test alert/i)).toBeNull();
});

const HOURLY = { kind: "every-bars", bars: 1 };

it("says when built-in conditions are next evaluated", async () => {
  open(WEBHOOK, true, HOURLY);
  expect(
    await screen.findByText(/^While Auto-Trade is on, looked at when a bar closes\./),
  ).toBeDefined();
});

it("says that built-in conditions are not evaluated while trading is off", async () => {
  open(WEBHOOK, false, HOURLY);
  expect(await screen.findByText(/^Not looked at while Auto-Trade is off/)).toBeDefined();
  expect(screen.queryByText(/The next bar closes/)).toBeNull();
});
