// Put into the processes of a copy of the build by hooked-build.ts: runs code that the test sends, as one who took the
// process over could. The product has nothing like it.
import { createRequire } from "node:module";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/** What the parent sent first. */
let given = null;
process.on("message", (message) => {
  if (message !== null && typeof message === "object" && "databaseUrl" in message) given = message;
});

const require = createRequire(import.meta.url);
const AsyncFunction = (async () => {}).constructor;
const control = connect(Number(process.env.ATTACK_PORT), "127.0.0.1");
control.on("error", () => {});
control.write(`${process.argv[1].replace(/^.*\//, "").replace(".js", "")}\n`);
createInterface({ input: control }).on("line", async (line) => {
  const { code, known } = JSON.parse(line);
  const run = new AsyncFunction("given", "known", "require", code);
  const said = await run(given, known, require).catch((error) => error.code ?? error.message);
  control.write(`${JSON.stringify(said ?? null)}\n`);
});
