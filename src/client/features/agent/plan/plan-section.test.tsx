import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { plan as wirePlan } from "../../../../contract/plan.ts";
import type { Plan } from "../../../../domain/plan/plan.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { type AgentForm, newAgentForm } from "../agent-form.ts";
import { checkForm, planFault } from "../form/check-form.ts";
import { describeChanges } from "../form/difference-list.tsx";
import { completeDraftOf } from "../form/form-draft.ts";
import PlanSection from "./plan-section.tsx";

const FORM: AgentForm = {
  ...newAgentForm("practice"),
  alerts: [{ key: "1", name: "up", description: "", condition: null }],
  rules: [{ key: "2", action: "OPEN_LONG", triggers: [{ alertKey: "1", requiredCount: 1 }] }],
};

const WATCHED = "Watched by this server. Does not hold while it is off.";

const SOL = { network: "practice", asset: "SOL", intervalMinutes: 60 } as const;

/** The form as it was changed last. */
const last = { form: FORM };

function Page({ plan = null, market = null }: { plan?: Plan | null; market?: typeof SOL | null }) {
  const [form, setForm] = useState({ ...FORM, plan });
  useEffect(() => {
    last.form = form;
  }, [form]);
  return (
    <PlanSection
      plan={form.plan}
      sides={["long"]}
      market={market}
      isResting={false}
      network="practice"
      leverage={null}
      fault={planFault(form)}
      onChange={(plan) => setForm({ ...form, plan })}
    />
  );
}

const line = (name: string) => screen.getByRole("listitem", { name: `Plan: ${name}` });

it.each([
  ["mainnet", "Rests at the exchange. Holds while this server is off."],
  [
    "practice",
    "Rests at the exchange, which is part of this server here and stands still while it is off.",
  ],
] as const)(
  "says on %s what a stop at the exchange is worth, and what is watched",
  (network, words) => {
    last.form = { ...FORM, plan: { stop: { at: { kind: "percent", bps: 300 } } } };
    render(
      <PlanSection
        plan={last.form.plan}
        sides={["long"]}
        market={null}
        isResting
        network={network}
        leverage={null}
        fault={null}
        onChange={() => {}}
      />,
    );
    expect(screen.getByText(`The stop: ${words} All else: ${WATCHED}`)).toBeTruthy();
  },
);

it("is written as sentences, saved as the contract says and removed line by line", async () => {
  const user = userEvent.setup();
  render(<Page />);
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  expect(completeDraftOf(last.form).agent.plan).toBeNull();
  // By keyboard alone
  screen.getByRole("button", { name: "Stop" }).focus();
  await user.keyboard("{Enter}");
  expect(line("stop").textContent).toContain("below the average entry.");
  expect(screen.getByText(WATCHED)).toBeTruthy();
  await press("Target");
  await press("Target");
  expect(screen.getByLabelText<HTMLInputElement>("Target 2, % profit").value).toBe("8");
  await press("Trailing");
  await press("Break-even");
  await press("Time");
  expect(checkForm(last.form)).toBeNull();
  const { plan } = completeDraftOf(last.form).agent;
  expect(plan && z.encode(wirePlan, plan)).toEqual({
    stop: {
      at: { percent: 3 },
      breakEvenAfter: 2,
      trail: { after: 4, by: { percent: 2 }, step: 0.25 },
    },
    targets: [
      { at: { percent: 4 }, close: 50 },
      { at: { percent: 8 }, close: 50 },
    ],
    hold: 48,
  });
  expect(describeChanges(FORM, last.form)).toMatchObject([{ label: "Plan", before: "" }]);
  expect(screen.queryByRole("button", { name: "Target" })).toBeNull();
  for (const name of ["trailing", "break-even", "target 2", "target 1", "time", "stop"]) {
    await press(`Delete ${name}`);
  }
  expect(last.form.plan).toBeNull();
});

it("says beside the field what is wrong, and is not saved then", async () => {
  const user = userEvent.setup();
  render(<Page />);
  const faultIn = (name: string) => within(line(name)).getByRole("alert").textContent;
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await user.clear(screen.getByLabelText("Stop, %"));
  expect(faultIn("stop")).toBe("Choose 0.1 % to 50 %.");
  expect(checkForm(last.form)?.place).toEqual({ kind: "plan" });
  await user.type(screen.getByLabelText("Stop, %"), "3");
  await user.click(screen.getByRole("button", { name: "Trailing" }));
  await user.clear(screen.getByLabelText("Trailing behind, %"));
  await user.type(screen.getByLabelText("Trailing behind, %"), "0.1");
  expect(faultIn("trailing")).toBe(
    "That is tighter than the spread of 0.1 %: it would close at once.",
  );
  await user.click(screen.getByRole("button", { name: "Delete trailing" }));
  await user.click(screen.getByRole("button", { name: "Target" }));
  await user.click(screen.getByRole("button", { name: "Target" }));
  await user.clear(screen.getByLabelText("Part of target 2, %"));
  await user.type(screen.getByLabelText("Part of target 2, %"), "60");
  expect(faultIn("target 2")).toBe("The targets close 110 % together; at most 100 % is held.");
  await user.click(screen.getByRole("button", { name: "Delete target 2" }));
  await user.click(screen.getByRole("button", { name: "Adding" }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Largest position/).value).toBe("100");
  expect(faultIn("adding")).toMatch(/^With all adds the position is 150 % of the collateral/);
});

it("moves its levels with the arrow keys and by dragging, as a slider says", async () => {
  const user = userEvent.setup();
  render(<Page />);
  for (const name of ["Stop", "Break-even", "Target"]) {
    await user.click(screen.getByRole("button", { name }));
  }
  const level = (name: string) => screen.getByRole("slider", { name: `${name}, level` });
  const said = (name: string) => level(name).getAttribute("aria-valuetext");
  expect(said("Stop")).toBe("3 % below the average entry");
  level("Stop").focus();
  await user.keyboard("{ArrowDown}{PageDown}");
  expect(said("Stop")).toBe("4.1 % below the average entry");
  expect(level("Stop").getAttribute("aria-valuenow")).toBe("-4.1");
  expect(screen.getByLabelText<HTMLInputElement>("Stop, %").value).toBe("4.1");
  await user.keyboard("{ArrowUp}");
  expect(last.form.plan?.stop?.at).toEqual({ kind: "percent", bps: 400 });
  level("Target 1").focus();
  await user.keyboard("{PageUp}{ArrowLeft}");
  expect(said("Target 1")).toBe("closes 50 % at 4.9 % profit");
  await user.click(screen.getByRole("button", { name: "Adding" }));
  level("Adding").focus();
  await user.keyboard("{ArrowDown}");
  expect(said("Adding")).toBe("adds 50 % of the first entry every 1.9 % in profit");
  await user.click(screen.getByRole("button", { name: "Delete adding" }));
  // No further than the field allows
  level("Break-even").focus();
  await user.keyboard("{PageDown}{PageDown}{PageDown}");
  expect(said("Break-even")).toBe("from 0.1 % profit on");
  expect(level("Break-even").getAttribute("aria-valuemin")).toBe("0.1");
  expect(document.activeElement).toBe(level("Break-even"));

  // The picture shows 8.9 % on 152 pixels; it stands still while a level is dragged
  const stop = level("Stop");
  stop.setPointerCapture = () => {};
  fireEvent.pointerDown(stop, { clientY: 100, pointerId: 1 });
  fireEvent.pointerMove(stop, { clientY: 117, pointerId: 1 });
  expect(said("Stop")).toBe("5 % below the average entry");
  fireEvent.pointerMove(stop, { clientY: 66, pointerId: 1 });
  expect(said("Stop")).toBe("2 % below the average entry");
  fireEvent.pointerUp(stop, { pointerId: 1 });
  fireEvent.pointerMove(stop, { clientY: 100, pointerId: 1 });
  expect(said("Stop")).toBe("2 % below the average entry");
});

/** Answers with hourly bars of SOL that all close at 100 and have a range of 2. */
function answerWithBars(): void {
  replaceFetch((input) => {
    const { searchParams } = new URL(input as string, "http://page.test");
    const [from, to] = [Number(searchParams.get("from")), Number(searchParams.get("to"))];
    const openTimeMs = Array.from(
      { length: (to - from) / 3_600_000 },
      (_, at) => from + at * 3.6e6,
    );
    const all = (figure: number) => openTimeMs.map(() => figure);
    const bars = {
      openTimeMs,
      open: all(100),
      high: all(101),
      low: all(99),
      close: all(100),
      volume: all(1),
    };
    const answer = { source: "practice market", bars, gaps: [], contradictions: [] };
    return Promise.resolve(Response.json({ ...answer, nextFromMs: null }));
  });
}

const OF_ATR: Plan = {
  stop: { at: { kind: "atr", length: 14, timesHundredths: 200 }, breakEvenAfterBps: 300 },
  targets: [{ at: { kind: "r", timesHundredths: 200 }, closePercent: 50 }],
};

const showOn = (plan: Plan) =>
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <Page plan={plan} market={SOL} />
    </QueryClientProvider>,
  );

it("moves levels in multiples of the ATR and of the stop over the market's last prices", async () => {
  const user = userEvent.setup();
  answerWithBars();
  const { container } = showOn(OF_ATR);
  const level = (name: string) => screen.findByRole("slider", { name: `${name}, level` });
  const said = async (name: string) => (await level(name)).getAttribute("aria-valuetext");
  // The ATR of these bars is 2: 2 % of the last close
  expect(await said("Stop")).toBe("2 times the ATR of 14 bars, 4 % below the average entry");
  expect(screen.getByText("SOL, last 80 closes; as if entered at the last one.")).toBeTruthy();
  expect(container.querySelector("polyline")?.getAttribute("points")?.split(" ")).toHaveLength(80);
  (await level("Stop")).focus();
  await user.keyboard("{ArrowDown}");
  expect((await level("Stop")).getAttribute("aria-valuenow")).toBe("-4.2");
  expect(screen.getByLabelText<HTMLInputElement>("Stop, times the ATR").value).toBe("2.1");
  const target = await level("Target 1");
  target.focus();
  await user.keyboard("{PageUp}");
  expect(await said("Target 1")).toBe("closes 50 % at 3 times the stop's distance, 12.6 % profit");
  // The picture shows 16.8 % on 152 pixels: 10 of them are 1.1 %, a quarter of the stop's distance
  target.setPointerCapture = () => {};
  fireEvent.pointerDown(target, { clientY: 100, pointerId: 1 });
  fireEvent.pointerMove(target, { clientY: 90, pointerId: 1 });
  fireEvent.pointerUp(target, { pointerId: 1 });
  expect(last.form.plan).toEqual({
    stop: { at: { kind: "atr", length: 14, timesHundredths: 210 }, breakEvenAfterBps: 300 },
    targets: [{ at: { kind: "r", timesHundredths: 330 }, closePercent: 50 }],
  });
});

it("stands without the last prices, and says so where they cannot be loaded", async () => {
  replaceFetch(() => Promise.reject(new TypeError("offline")));
  const { container } = showOn(OF_ATR);
  expect(await screen.findByText("The last prices could not be loaded.")).toBeTruthy();
  const names = screen.getAllByRole("slider").map((each) => each.getAttribute("aria-label"));
  expect(names).toEqual(["Break-even, level"]);
  expect(container.querySelector("polyline")).toBeNull();
});

it("moves the levels of a short the other way", async () => {
  const user = userEvent.setup();
  const moved: unknown[] = [];
  render(
    <PlanSection
      plan={{ stop: { at: { kind: "percent", bps: 300 } } }}
      sides={["short"]}
      market={null}
      isResting={false}
      network="practice"
      leverage={null}
      fault={null}
      onChange={(plan) => moved.push(plan?.stop?.at)}
    />,
  );
  screen.getByRole("slider", { name: "Stop, level" }).focus();
  await user.keyboard("{ArrowUp}");
  expect(moved).toEqual([{ kind: "percent", bps: 310 }]);
});
