import { useEffect } from "react";
import { getPosition } from "../../contract/trade.ts";
import type { Agent } from "../../contract/agent.ts";
import { displayDecimal } from "../lib/format.ts";
import { useRead } from "../queries/read.ts";

const PRODUCT = "Wheelhouse";

/** Poll interval of the title's figure in milliseconds; a title is mostly read while the page is in the background. */
const POLL_MS = 30_000;

const STATES = { on: "On", stopping: "Stopping", off: "Off" } as const;

/** Colours of the sign's dot by what the agent does, as the header has them; a favicon knows no theme. */
const DOTS = { on: "#16a34a", limited: "#d97706", off: "#dc2626" } as const;

/** Marks in the dot: gain, loss, and nothing open. */
const MARKS = { gain: "M19 26.5 24 19l5 7.5Z", loss: "M19 20.5 24 28l5-7.5Z", flat: "" } as const;

const signOf = (dot: string, mark: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5364ec"/><g fill="none" stroke="#fff" stroke-width="2.4"><circle cx="14" cy="14" r="7"/><path d="M14 3.5v21M3.5 14h21M6.6 6.6l14.8 14.8M21.4 6.6 6.6 21.4"/></g><circle cx="24" cy="24" r="8" fill="${dot}" stroke="#fff"/><path d="${mark}" fill="#fff"/></svg>`,
  )}`;

/** Sets title and sign of the page: the agent, what its position makes, and whether it trades. */
export default function PageTitle({ agent }: { readonly agent: Agent }) {
  const { data } = useRead(
    getPosition,
    { query: { agentId: agent.subAccountId === undefined ? "" : agent.id } },
    { refetchInterval: POLL_MS, refetchIntervalInBackground: true },
  );
  const pnl = data?.available === true && data.side !== undefined ? data.pnl : undefined;
  const state = agent.trading !== undefined ? "Limited" : STATES[agent.autoTrade];
  const made = pnl === undefined ? "" : displayDecimal(pnl, 2);
  const gain = made.startsWith("−") || made === "" ? made : `+${made}`;
  const title = [...(gain === "" ? [] : [`${gain}%`]), agent.name, state].join(" · ");
  const mark = pnl === undefined || Number(pnl) === 0 ? "flat" : Number(pnl) > 0 ? "gain" : "loss";
  const dot = agent.trading !== undefined ? "limited" : agent.autoTrade === "off" ? "off" : "on";
  const sign = signOf(DOTS[dot], MARKS[mark]);
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
    return () => {
      document.title = PRODUCT;
    };
  }, [title]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const plain = link?.href;
    if (!link || plain === undefined) return;
    link.href = sign;
    return () => {
      link.href = plain;
    };
  }, [sign]);
  return null;
}
