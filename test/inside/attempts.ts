/** An attempt of code inside a process: its name, the code, and what comes of it. */
export type Attempt = readonly [name: string, code: string, refusal: unknown];

/** Says on a socket of the signer first a word, then one message; returns what is answered, null when cut off. */
const ASK = `
const { connect } = require("node:net");
const frame = (message) => {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
};
const ask = (path, word, message) => new Promise((resolve) => {
  const socket = connect(path);
  let heard = Buffer.alloc(0);
  const end = (answer) => { socket.destroy(); resolve(answer); };
  socket.on("error", (error) => end(error.code));
  socket.on("close", () => end(null));
  socket.on("connect", () => socket.write(Buffer.concat([...(word === null ? [] : [frame({ word })]), ...(message === null ? [] : [Buffer.isBuffer(message) ? message : frame(message)])])));
  socket.on("data", (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    while (heard.length >= 4 && heard.length >= 4 + heard.readUInt32BE()) {
      const answer = JSON.parse(heard.subarray(4, 4 + heard.readUInt32BE()));
      heard = heard.subarray(4 + heard.readUInt32BE());
      if (answer.welcome !== true) end(answer.welcome === false ? "not welcome" : (answer.error?.kind ?? answer.value));
    }
  });
});
const own = given.sockets[0];
const folder = own.path.replace(/[^/]*$/, "");
const order = (agentId) => ({ id: 1, call: { kind: "sign", agentId, purpose: "order", isUrgent: false, tables: [],
  instructions: [{ programAddress: "11111111111111111111111111111111", accounts: [], data: { bytes: "AgAAAAEAAAAAAAAA" } }],
  lifetime: { blockhash: "11111111111111111111111111111111", slot: { bigint: "1" }, lastValidBlockHeight: { bigint: "1" } } } });
`;

/** Connects to the database as somebody and runs a statement; returns the code of its refusal. */
const SQL = `
const query = async (change, text) => {
  const { Client } = require("pg");
  const url = new URL(given.databaseUrl);
  change(url.searchParams);
  const client = new Client({ connectionString: url.href });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(text);
    return "done";
  } catch (error) {
    return error.code ?? "no password";
  } finally {
    await client.end().catch(() => {});
  }
};
const asSelf = () => {};
`;

/** Tries to run code in another process through its debugger. */
const DEBUG = `
const debug = async (pid) => {
  process.kill(pid, "SIGUSR1");
  // Longer than a debugger takes to listen
  for (let tries = 0; tries < 20; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const found = await fetch("http://127.0.0.1:9229/json/list").then((answer) => answer.json(), () => null);
    if (found !== null) return "the debugger listens";
  }
  return "no debugger";
};
`;

const sql = (text: string) => `${SQL} return query(asSelf, ${JSON.stringify(text)});`;

/** What the database refuses each of its roles that do not own the tables. */
const DATABASE: readonly Attempt[] = [
  [
    "become the superuser without a password",
    `${SQL} return query((as) => { as.set("user", "postgres"); as.delete("password"); }, "select 1");`,
    "no password",
  ],
  [
    "become the superuser with one's own password",
    `${SQL} return query((as) => as.set("user", "postgres"), "select 1");`,
    "28P01",
  ],
  ["make oneself superuser", sql("alter role current_user superuser"), "42501"],
  ["give the superuser another password", sql("alter role postgres password 'mine'"), "42501"],
  ["run a program in the database", sql("copy (select 1) to program 'cat'"), "42501"],
  ["read a file in the database", sql("select pg_read_file('/etc/passwd')"), "42501"],
  ["alter an audit row", sql("update audit_log set wallet = null"), "42501"],
  ["delete audit rows", sql("truncate audit_log"), "42501"],
  ["switch the audit log's guard off", sql("alter table audit_log disable trigger all"), "42501"],
  [
    "lift the halt in the database",
    sql("update installation set trading_state = 'active'"),
    "42501",
  ],
  [
    "switch the halt's guard off",
    sql("drop trigger installation_keeps_halt on installation"),
    "42501",
  ],
];

/** What the signer refuses whoever calls. */
const SIGNER: readonly Attempt[] = [
  [
    "ask the signer for its secret",
    `${ASK} return ask(own.path, own.word, { id: 1, call: { kind: "secret" } });`,
    "refused",
  ],
  [
    "ask for an agent's private key",
    `${ASK} return Object.keys((await ask(own.path, own.word, { id: 1, call: { kind: "of", agentId: known.agentId } })).tradingKey);`,
    ["address"],
  ],
  [
    "have bytes signed that are no transaction",
    `${ASK} return ask(own.path, own.word, { id: 1, call: { kind: "coSign", agentId: known.agentId, transaction: { bytes: "AAAA" } } });`,
    "failed",
  ],
  ["call without a word", `${ASK} return ask(own.path, null, order(known.agentId));`, null],
  [
    "call with a guessed word",
    `${ASK} return ask(own.path, "0".repeat(64), order(known.agentId));`,
    "not welcome",
  ],
  [
    "send the signer 16 MB at once",
    `${ASK} return ask(own.path, own.word, Buffer.from([1, 0, 0, 0]));`,
    null,
  ],
];

/** Attempts of the process that answers the internet, under `npm start`. */
export const FROM_WEB: readonly Attempt[] = [
  [
    "read the secret of the keys",
    `require("node:fs").readFileSync(known.secretFile);`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "read the database's passwords",
    `require("node:fs").readFileSync(known.dataDir + "/database.secret");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "read the signer's memory",
    `require("node:fs").openSync("/proc/" + known.signer + "/mem");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "read the signer's environment",
    `require("node:fs").readFileSync("/proc/" + known.signer + "/environ");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "read the main process's memory",
    `require("node:fs").openSync("/proc/" + known.main + "/mem");`,
    "ERR_ACCESS_DENIED",
  ],
  ["list the data folder", `require("node:fs").readdirSync(known.dataDir);`, "ERR_ACCESS_DENIED"],
  [
    "write a core of the heap beside the keys",
    `require("node:v8").writeHeapSnapshot(known.dataDir + "/heap");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "run a program",
    `require("node:child_process").execFileSync("cat", [known.secretFile]);`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "become another program",
    `process.execve("/bin/cat", ["cat", known.secretFile]);`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "start a thread",
    `new (require("node:worker_threads").Worker)("", { eval: true });`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "load native code",
    `process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6");`,
    "ERR_DLOPEN_DISABLED",
  ],
  ["reach the runtime's insides", `process.binding("spawn_sync");`, "ERR_ACCESS_DENIED"],
  ["debug the signer", `${DEBUG} return debug(known.signer);`, "ERR_ACCESS_DENIED"],
  ["debug the main process", `${DEBUG} return debug(known.main);`, "ERR_ACCESS_DENIED"],
  [
    "write a file by the built-in database",
    `const { DatabaseSync } = require("node:sqlite"); new DatabaseSync(known.dataDir + "/written").exec("create table a (b)");`,
    "ERR_UNKNOWN_BUILTIN_MODULE",
  ],
  [
    "listen at a path",
    `require("node:net").createServer().listen(known.dataDir + "/written");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "listen at a path past the module",
    `const socket = require("node:net").connect(given.sockets[0].path);
    new socket._handle.constructor(1).bind(known.dataDir + "/written");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "connect to another's socket",
    `await new Promise((resolve, reject) => require("node:net").connect("/run/dbus/system_bus_socket").on("error", reject));`,
    "ERR_ACCESS_DENIED",
  ],
  ["end the signer", `process.kill(known.signer, "SIGKILL");`, "ERR_ACCESS_DENIED"],
  ["stop the signer past the check", `process._kill(known.signer, 19);`, "ERR_ACCESS_DENIED"],
  ["end what has no debugger", `process._debugProcess(known.signer);`, "ERR_ACCESS_DENIED"],
  ["starve the signer", `require("node:os").setPriority(known.signer, 19);`, "ERR_ACCESS_DENIED"],
  [
    "write a file by flags of the engine",
    `require("node:v8").setFlagsFromString("--redirect-code-traces-to=" + known.dataDir + "/written");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "do so by what a module imports",
    `(await import("node:v8")).setFlagsFromString("--redirect-code-traces-to=" + known.dataDir + "/written");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "have an order signed at one's own socket",
    `${ASK} return ask(own.path, own.word, order(known.agentId));`,
    "refused",
  ],
  [
    "have one signed at trading's socket with one's own word",
    `${ASK} return ask(folder + "trading.socket", own.word, order(known.agentId));`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "have one signed through the parent",
    `${ASK}
    // The parent's next question comes after an answer would have
    const next = new Promise((resolve) => process.once("message", resolve));
    process.send(order(known.agentId));
    return next.then((message) => Object.keys(message).filter((key) => key === "value"));`,
    [],
  ],
  [
    "remove the file HALT",
    `require("node:fs").rmSync(known.dataDir + "/HALT");`,
    "ERR_ACCESS_DENIED",
  ],
  [
    "rename the data folder",
    `require("node:fs").renameSync(known.dataDir, known.dataDir + "-away");`,
    "ERR_ACCESS_DENIED",
  ],
  ...SIGNER,
  ...DATABASE,
];

/** Attempts of the trading process beside a signer under an account of its own. */
export const FROM_TRADING: readonly Attempt[] = [
  ["read the secret of the keys", `require("node:fs").readFileSync(known.secretFile);`, "EACCES"],
  [
    "read the signer's memory",
    `require("node:fs").openSync("/proc/" + known.signer + "/mem");`,
    "EACCES",
  ],
  [
    "read the signer's environment",
    `require("node:fs").readFileSync("/proc/" + known.signer + "/environ");`,
    "EACCES",
  ],
  ["debug the signer", `${DEBUG} return debug(known.signer);`, "EPERM"],
  ["end the signer", `process.kill(known.signer, "SIGKILL");`, "EPERM"],
  [
    "put a socket of one's own in the signer's place",
    `require("node:fs").rmSync(known.sockets + "/web.socket");`,
    "EACCES",
  ],
  [
    "remove the signer's file HALT",
    `require("node:fs").rmSync(known.signerDir + "/HALT");`,
    "EACCES",
  ],
  [
    "have money sent by a trading key",
    `${ASK} return ask(own.path, own.word, order(known.agentId));`,
    "refused",
  ],
  ...SIGNER,
  ...DATABASE,
];
