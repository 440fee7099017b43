// Started by confine-web.test.ts with the options of pages' process: calls every function of the modules it is told, and
// of what they make, as one who took the process over could, with paths and a process id that are not this process's.
import { Script } from "node:vm";
import { closeDoors } from "../../src/server/main/close-doors.ts";

/** Functions that end, replace or bind the walk itself, or compute for minutes. */
const LEFT_OUT = new Set(
  `abort exit reallyExit disconnect runMain removeAllListeners emit drop
  generatePrime generatePrimeSync checkPrime checkPrimeSync getHeapSnapshot`.split(/\s+/),
);

const { pid, file, secret, socket, allowed } = JSON.parse(process.env.WALK);
const send = process.send.bind(process);
const ARGUMENTS = [
  [],
  [file],
  [file, "text"],
  [file, file],
  ["--redirect-code-traces"],
  [`--redirect-code-traces-to=${file}`],
  ["--print-bytecode"],
  [secret],
  [secret, "utf8"],
  [pid],
  [pid, 9],
  [pid, 5],
  [socket],
  [{ path: file }],
  [{ path: socket }],
  [{ socketPath: socket }],
  [{ filename: file, path: file, directory: file }],
];

/** Tells of a result that has the secret's text, which nothing in this process has. */
async function tell(made, name) {
  const value = await made;
  const text = Buffer.isBuffer(value) || typeof value === "string" ? value.toString() : "";
  if (/(?:kept){9}/.test(text)) send({ leaked: name });
}

function attempt(call, name) {
  try {
    const made = call();
    void tell(made, name).catch(() => {});
    return made;
  } catch {
    return undefined;
  }
}

/** Counts what is done of a module, so that the walk goes on behind what ended its process. */
let step = 0;
let done = [];

/** Takes a step unless one ended a process; of those before the last such one only what is needed for later ones. */
function take(isNeededLater, work) {
  step += 1;
  if (done.includes(step) || (!isNeededLater && step < (done.at(-1) ?? 0))) return undefined;
  send({ at: step });
  return work();
}

/** Returns the functions of an object and of what it inherits. */
function functionsOf(object) {
  const found = [];
  for (
    let level = object;
    level !== null && level !== Object.prototype && level !== Function.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value === "function" && !LEFT_OUT.has(key)) found.push([key, value]);
    }
  }
  return found;
}

const partsOf = (module) =>
  Object.values(Object.getOwnPropertyDescriptors(module))
    .map(({ value }) => value)
    .filter((value) => value !== null && typeof value === "object" && value !== process.env);

const tried = new Set();

function walk(object, name) {
  for (const [key, found] of functionsOf(object)) {
    if (tried.has(found)) continue;
    tried.add(found);
    const title = `${name}.${key}`;
    const ways = [
      (given) => found.apply(object, given),
      ...(found.prototype === undefined ? [] : [(given) => Reflect.construct(found, given)]),
    ];
    for (const way of ways) {
      take(false, () => {
        for (const given of ARGUMENTS) attempt(() => way(given), title);
      });
      walkMade(() => way([]), title);
    }
  }
}

/** Calls each method of what is made, each time on a new one. */
function walkMade(make, title) {
  const made = take(true, () => attempt(make, title));
  if (made === null || typeof made !== "object") return;
  for (const [key, method] of functionsOf(made)) {
    if (tried.has(method)) continue;
    tried.add(method);
    take(false, () => {
      for (const given of ARGUMENTS) attempt(() => method.apply(make(), given), `${title}.${key}`);
    });
  }
}

process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
closeDoors([allowed]);
process.on("message", async ({ name, endedAt }) => {
  step = 0;
  done = endedAt;
  const found = await import(name.startsWith("node:") ? name : `node:${name}`).catch(() => null);
  if (found !== null) {
    walk(found.default, name);
    // What the inspector's parts tell ends a process that has none
    const parts = name.startsWith("inspector") ? [] : partsOf(found.default);
    for (const part of parts) walk(part, name);
  }
  // Flags of the engine tell of what is compiled after them
  new Script(`(() => ${Math.random()})()`).runInThisContext();
  send({ walked: name });
});
send({ ready: true });
