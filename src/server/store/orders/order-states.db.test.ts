import { sql } from "kysely";
import { expect, it } from "vitest";
import { useDatabase } from "../../../../test/database.ts";
import { OPEN_ORDER_STATES, ORDER_STATES } from "../../../domain/order/order-states.ts";

const database = useDatabase();

const quoted = (text: string): string[] =>
  [...text.matchAll(/'([a-z_]+)'::text/g)].flatMap(([, state]) => state ?? []).toSorted();

it("the database knows the states of the domain's table, and finds open orders by an index", async () => {
  const check = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'orders_state_check'`.execute(
    database.db,
  );
  expect(quoted(check.rows[0]?.text ?? "")).toEqual([...ORDER_STATES].toSorted());
  const index = await sql<{ text: string }>`
    select indexdef as text from pg_indexes where indexname = 'orders_open'`.execute(database.db);
  expect(quoted(index.rows[0]?.text ?? "")).toEqual([...OPEN_ORDER_STATES].toSorted());
});
