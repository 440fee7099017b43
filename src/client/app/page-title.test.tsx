import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { parseOwner } from "../../domain/ids.ts";
import { buildAgent } from "../../../test/shown-agent.ts";
import { replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import PageTitle from "./page-title.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

const POSITION = {
  position: "1.5",
  portfolioValue: "500",
  positionValue: "200",
  pnl: "1.2399",
  side: "long",
  available: true,
};

let answered: object = POSITION;

beforeEach(() => {
  document.title = "Wheelhouse";
  document.head.innerHTML = `<link rel="icon" href="http://page.test/icon.svg">`;
  session.setState({ status: "signed-in", address: OWNER });
  answered = POSITION;
  replaceFetch(() => Promise.resolve(Response.json({ response: answered })));
});

const AGENT = buildAgent({ owner: OWNER, isFunded: true });
const sign = () => document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";

const show = (agent: typeof AGENT) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PageTitle agent={agent} />
    </QueryClientProvider>,
  );

it("puts profit, agent and state into the title and the sign, and takes them out again", async () => {
  const { unmount } = show({ ...AGENT, name: "Mine", autoTrade: "on" });
  await waitFor(() => expect(document.title).toBe("+1.24% · Mine · On · Wheelhouse"));
  const gain = sign();
  expect(gain).toMatch(/^data:image\/svg\+xml,/);
  unmount();
  expect(document.title).toBe("Wheelhouse");
  expect(sign()).toBe("http://page.test/icon.svg");

  answered = { ...POSITION, pnl: "-0.5" };
  show({ ...AGENT, name: "Mine", autoTrade: "off" });
  await waitFor(() => expect(document.title).toBe("−0.50% · Mine · Off · Wheelhouse"));
  expect(sign()).not.toBe(gain);
});

it("says no figure where nothing is open or the venue cannot be read", async () => {
  answered = { ...POSITION, available: false };
  show({ ...AGENT, name: "Mine", autoTrade: "on" });
  await waitFor(() => expect(document.title).toBe("Mine · On · Wheelhouse"));
});
