import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useDatabase } from "../../../../test/database.ts";
import { openOperatorKey, readOperatorCheck } from "../../data-folder/operator-key.ts";
import { setTradingState } from "../../store/operator/trading-state.ts";
import { createSwitchReader } from "./hold-switch.ts";

const database = useDatabase();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-switch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The signer's reading, as of a process that starts anew each time. */
const read = () => createSwitchReader(() => readOperatorCheck(folder))(database.db);

const write = (text: string) => database.pool.query(text);

it("lifts a halt only with an order of the operator's key that is newer than it", async () => {
  await setTradingState(database.db, "halted", 1_000);
  await setTradingState(database.db, "active", 1_001);
  expect(await read()).toBe("active");

  const sign = openOperatorKey(folder);
  expect(await read()).toBe("active");
  await setTradingState(database.db, "halted", 2_000, sign);
  expect(await read()).toBe("halted");
  await write("update installation set trading_state = 'active'");
  expect(await read()).toBe("halted");
  await write("delete from operator_orders");
  expect(await read()).toBe("halted");
  await setTradingState(database.db, "active", 3_000);
  expect(await read()).toBe("halted");
  const other = mkdtempSync(join(folder, "other-"));
  await setTradingState(database.db, "active", 4_000, openOperatorKey(other));
  expect(await read()).toBe("halted");
  // The operator's clock is behind: the number of his order is newer all the same
  await setTradingState(database.db, "active", 0, sign);
  expect(await read()).toBe("active");

  const { rows } = await database.pool.query(
    "select n, signature from operator_orders where n = 4001",
  );
  await write("update installation set trading_state = 'reducing'");
  expect(await read()).toBe("reducing");
  await write("update installation set trading_state = 'active'");
  await write("delete from operator_orders");
  await database.pool.query("insert into operator_orders values ($1, 'active', $2)", [
    rows[0].n,
    rows[0].signature,
  ]);
  expect(await read()).toBe("reducing");
  await setTradingState(database.db, "active", 5_000, sign);
  expect(await read()).toBe("active");
});
