import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { type OpenWork, readOpenWork } from "../store/health/open-work.ts";
import { shareReading } from "./share-reading.ts";

const DAY_MS = 24 * 3_600_000;

/** Adds gauges for open work in the database; while the database is unavailable the last figures are kept. */
export function addOpenWorkGauges(
  registry: Registry,
  deps: { readonly db: Db; readonly clock: Clock },
): void {
  const read = shareReading(deps.clock, (nowMs) =>
    readOpenWork(deps.db, new Date(nowMs - DAY_MS), new Date(nowMs)),
  );
  const gauge = (
    name: string,
    help: string,
    show: (gauge: Gauge<"state">, work: OpenWork) => void,
  ): void => {
    const made = new Gauge({
      name,
      help,
      labelNames: ["state"] as const,
      registers: [registry],
      async collect() {
        const work = await read();
        if (work !== null) show(made, work);
      },
    });
  };

  gauge("orders", "Orders planned within the last day, by state.", (orders, { ordersByState }) => {
    orders.reset();
    for (const [state, count] of Object.entries(ordersByState)) orders.set({ state }, count);
  });
  gauge("lanes_waiting", "Agents with orders that are not final.", (lanes, { lanesWaiting }) => {
    lanes.set(lanesWaiting);
  });
  gauge("custody_open", "Owners' transactions that are not settled.", (open, work) => {
    for (const [state, count] of Object.entries(work.custodyByState)) open.set({ state }, count);
  });
  gauge(
    "notices",
    "Owners' notices that wait, and those given up within the last day.",
    (notices, work) => {
      for (const [state, count] of Object.entries(work.noticesByState)) {
        notices.set({ state }, count);
      }
    },
  );
}
