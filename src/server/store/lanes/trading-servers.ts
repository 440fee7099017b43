import { sql } from "kysely";
import type { TradingState } from "../../../domain/trading-state.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

/**
 * Says that a server trades until a time, unless another beat says so, and returns the names of the others that do. Those
 * whose time is over are removed.
 */
export async function beatTradingServer(
  db: Db,
  {
    name,
    nowMs,
    untilMs,
    state,
  }: {
    readonly name: string;
    readonly nowMs: number;
    readonly untilMs: number;
    /** What its switch files say. */
    readonly state: TradingState;
  },
): Promise<readonly string[]> {
  const now = new Date(nowMs);
  await deleteRows(
    db,
    "trading_servers",
    sql`select name from trading_servers where until <= ${now} and name <> ${name}`,
  );
  const others = await on(db).rows<{ readonly name: string }>`
    with own as (
      insert into trading_servers (name, until, state) values (${name}, ${new Date(untilMs)}, ${state})
      on conflict (name) do update set until = excluded.until, state = excluded.state
    )
    select name from trading_servers where until > ${now} and name <> ${name}`;
  return others.map((other) => other.name);
}

/** Removes a server that no longer trades, so that the others take its agents over at once. */
export async function leaveTradingServers(db: Db, name: string): Promise<void> {
  await deleteRows(db, "trading_servers", [name]);
}
