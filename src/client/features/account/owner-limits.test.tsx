import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { buildAgent } from "../../../../test/shown-agent.ts";
import { replaceFetch } from "../../lib/api.ts";
import { formOf, readForm, OwnerLimitsCard } from "./owner-limits-card.tsx";
import { session } from "../../lib/session.ts";

const AGENT = buildAgent({ isFunded: true, limits: { dayLossBps: 250, tradesPerDay: 5 } });

session.setState({ status: "signed-in", address: AGENT.owner });

describe("the form of limits", () => {
  it("reads back what it shows", () => {
    const form = formOf(AGENT.limits);
    expect(form).toMatchObject({ dayLossBps: "2.5", tradesPerDay: "5", fallBps: "" });
    expect(readForm(form)).toEqual({ ok: true, limits: AGENT.limits });
  });

  it.each([
    ["dayLossBps", "10.01", "From 0.1% to 10%, or empty for no limit."],
    ["tradesPerDay", "0", "From 1 to 500, or empty for no limit."],
    ["lossesInRow", "1.5", "From 1 to 50, or empty for no limit."],
  ] as const)("refuses %s of %s", (name, text, words) => {
    expect(readForm({ ...formOf({}), [name]: text })).toEqual({ ok: false, name, words });
  });
});

describe("the card of limits", () => {
  const sent: unknown[] = [];

  beforeEach(() => {
    sent.length = 0;
    replaceFetch((_input, init) => {
      sent.push(JSON.parse(init?.body as string));
      return Promise.resolve(Response.json(AGENT));
    });
    render(
      <QueryClientProvider client={new QueryClient()}>
        <OwnerLimitsCard agent={AGENT} />
      </QueryClientProvider>,
    );
  });

  it("sends every limit as entered, and no empty one", async () => {
    const user = userEvent.setup();
    await user.clear(screen.getByLabelText("Trades a day"));
    await user.type(screen.getByLabelText("Largest fall from the peak"), "15");
    await user.click(screen.getByRole("button", { name: "Save limits" }));
    await expect.poll(() => sent).toEqual([{ limits: { dayLossBps: 250, fallBps: 1_500 } }]);
  });

  it("says what is out of range beside its field and sends nothing", async () => {
    const user = userEvent.setup();
    const field = screen.getByLabelText("Largest loss a day");
    await user.clear(field);
    await user.type(field, "50");
    await user.click(screen.getByRole("button", { name: "Save limits" }));
    expect(screen.getByText("From 0.1% to 10%, or empty for no limit.")).toBeDefined();
    expect(sent).toEqual([]);
  });
});
