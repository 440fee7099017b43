import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../../test/ids.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { onConfirmation, replaceFetch } from "../../../lib/api.ts";
import { requestPath } from "../../../../../test/request-path.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import { SignalsPanel } from "./signals-panel.tsx";
import { session } from "../../../lib/session.ts";
import { CONFIRMATION_HEADER } from "../../../../contract/route.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const BOT = agentIdOf("a");
const WEBHOOK = {
  url: `https://trade.example/webhook/${BOT}`,
  alertText: '{"alertName":"{{alertName}}","token":"{{token}}"}',
};

function open(
  webhook: object,
  isTrading = true,
  condition?: object,
  signals: readonly object[] = [],
): string[] {
  const answers: Record<string, unknown> = {
    [`/api/agents/${BOT}/webhook/state`]: webhook,
    [`/api/alerts/${BOT}`]: [
      { _id: "b".repeat(32), name: "breakout", description: "", ...(condition && { condition }) },
    ],
    [`/api/agents/${BOT}/signals`]: signals,
  };
  const signed: string[] = [];
  onConfirmation((message) => {
    signed.push(message);
    return Promise.resolve("s");
  });
  replaceFetch((input, init) => {
    const path = requestPath(input);
    if (path === `/api/agents/${BOT}/test-alert`) {
      const isSigned = new Headers(init?.headers).get(CONFIRMATION_HEADER) === "n s";
      const asked = { nonce: "n", message: "Fire the alert" };
      return Promise.resolve(
        isSigned
          ? Response.json({ status: "accepted", eventId: "e".repeat(32) })
          : Response.json(
              { code: "confirmation_needed", message: "", confirm: asked },
              { status: 403 },
            ),
      );
    }
    if (path === `/api/agents/${BOT}/webhook/preview`) {
      const { text } = JSON.parse(init?.body as string) as { readonly text: string };
      const words = `it is no alert: ${text}`;
      return Promise.resolve(Response.json({ outcome: "refused", words }));
    }
    if (path !== `/api/agents/${BOT}/webhook`) return Promise.resolve(Response.json(answers[path]));
    const proof = new Headers(init?.headers).get(CONFIRMATION_HEADER);
    const confirm = { nonce: "n", message: "Show the webhook token" };
    return Promise.resolve(
      proof === "n s"
        ? Response.json({ ...webhook, token: "t", alertText: '{"token":"t"}' })
        : Response.json({ code: "confirmation_needed", message: "", confirm }, { status: 403 }),
    );
  });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <TooltipProvider>
        <SignalsPanel agentId={BOT} interval="1h" isTrading={isTrading} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return signed;
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

it("has the wallet sign the test as what it is, and shows no token for it", async () => {
  const signed = open(WEBHOOK);
  await userEvent.click(await screen.findByRole("button", { name: "Send test alert" }));
  expect(await screen.findByText("The agent took the alert.")).toBeDefined();
  expect(signed).toEqual(["Fire the alert"]);
  expect(screen.getByRole("button", { name: "Show alert texts" })).toBeDefined();
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

const UNREAD = {
  deliveries: 3,
  since: "2026-11-21T08:00:00.000Z",
  lastAt: "2026-11-21T09:30:00.000Z",
  problem: "there is a comma too many before the last brace.",
  sample: '{"agentId":"a","token":"(hidden)",}',
  isPast: false,
};

it("says why the last delivery could not be read, with its text, and that anybody may have sent it", async () => {
  open({ ...WEBHOOK, unreadable: UNREAD });
  const note = await screen.findByText(/^The last delivery at/);
  expect(note.textContent).toMatch(/ could not be read: there is a comma too many/);
  expect(screen.getByText(UNREAD.sample)).toBeDefined();
  expect(screen.getByText(/^Anybody who knows the address/)).toBeDefined();
  expect(screen.getByText(/^3 such deliveries since/)).toBeDefined();
});

it("hides the text of a delivery with a wrong token, and marks one as past", async () => {
  open({ ...WEBHOOK, unreadable: { ...UNREAD, deliveries: 1, sample: null, isPast: true } });
  const note = await screen.findByText(/^An earlier delivery, at/);
  expect(note.textContent).toMatch(/A later alert was taken\.$/);
  expect(screen.getByText(/^Its text is hidden/)).toBeDefined();
  expect(screen.queryByText(/such deliveries/)).toBeNull();
});

it("says what a pasted text would do, and forgets the answer when the text changes", async () => {
  open(WEBHOOK);
  await userEvent.click(await screen.findByText(/^Paste what you send, and/));
  const box = await screen.findByLabelText("Paste what you send");
  await userEvent.type(box, "BUY");
  await userEvent.click(screen.getByRole("button", { name: "What would happen?" }));
  expect(await screen.findByText("It would be refused: it is no alert: BUY")).toBeDefined();
  await userEvent.type(box, "!");
  expect(screen.queryByText(/^It would be refused/)).toBeNull();
});

it("asks the wallet before it shows the texts with the token, and only when told to", async () => {
  const signed = open(WEBHOOK, false, HOURLY);
  const show = await screen.findByRole("button", { name: "Show alert texts" });
  expect(screen.queryByRole("button", { name: "Copy text of breakout" })).toBeNull();
  expect(signed).toEqual([]);
  await userEvent.click(show);
  expect(await screen.findByRole("button", { name: "Copy text of breakout" })).toBeDefined();
  expect(signed).toEqual(["Show the webhook token"]);
  expect(screen.queryByRole("button", { name: "Show alert texts" })).toBeNull();
});

it("tells the two orders of a reversal apart", async () => {
  const order = { signal: "OPEN_LONG", status: "filled" };
  const received = {
    eventId: "c".repeat(32),
    alertName: "up",
    receivedAt: "2026-11-21T08:00:00.000Z",
    outcome: "accepted",
    orders: [
      { ...order, orderId: "d".repeat(32), closesFirst: true },
      { ...order, orderId: "e".repeat(32) },
    ],
  };
  open(WEBHOOK, true, HOURLY, [received]);
  expect(await screen.findByText("open long, closes the short first: filled")).toBeDefined();
  expect(screen.getByText("open long: filled")).toBeDefined();
});
