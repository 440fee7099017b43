import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { createConditionRunner } from "../src/server/alert-sources/conditions/condition-runner.ts";
import { createPracticeHistory } from "../src/server/market-data/practice-history.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { createAlertReceiver } from "../src/server/trading/intake/receive-alerts.ts";
import { newTestId } from "./world.ts";

/**
 * A server process that does nothing but evaluate conditions, for tests that kill it: `condition-server.ts <database>
 * <time>`. A later time comes as a message; `done` goes back when everything that closed by then is evaluated.
 */
const [url = "", start = "0"] = process.argv.slice(2);
let nowMs = Number(start);
const clock = { now: () => nowMs };
const database = openDatabase({ url, maxConnections: 4 });
const history = createPracticeHistory(createPracticeMarket(), clock);
const onError = () => {};
const receiver = createAlertReceiver({
  database,
  newId: newTestId,
  onStored: () => {},
  onError,
});
const runner = createConditionRunner({
  db: database.db,
  clock,
  historyOf: () => history,
  receive: (delivery) => receiver.receive(delivery),
  publisher: { publish() {} },
  log: { warn: onError },
});

let work = Promise.resolve();
process.on("message", (timeMs: number) => {
  work = work.then(async () => {
    nowMs = timeMs;
    await runner.round();
    process.send?.({ doneToMs: timeMs });
  });
});
process.on("disconnect", () => process.exit());
