import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import os from "node:os";
import v8 from "node:v8";

/** Takes a property for good: nothing in this process can bring back what was there. */
const fix = (owner: object, name: string, value: unknown) =>
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });

function refuse(): never {
  throw Object.assign(new Error("This process may not do that."), { code: "ERR_ACCESS_DENIED" });
}

/**
 * Takes from this process what Node's permissions leave to it: listening at a path and connecting to others than those
 * given, signals and priorities of other processes, and flags of the engine, some of which write files anywhere.
 */
export function closeDoors(sockets: readonly string[]): void {
  // No method of anything that code in this process could have changed since
  const paths: Record<string, unknown> = Object.assign(
    Object.create(null),
    Object.fromEntries(sockets.map((path) => [path, true])),
  );
  const { apply } = Reflect;
  const own = process.pid;
  // Node's public functions go through these two
  const raw = process as unknown as { _kill: (pid: unknown, signal: unknown) => unknown };
  const kill = raw._kill.bind(process);
  fix(process, "_kill", (pid: unknown, signal: unknown) =>
    pid === own ? kill(pid, signal) : refuse(),
  );
  fix(process, "_debugProcess", refuse);
  fix(os, "setPriority", refuse);
  fix(v8, "setFlagsFromString", refuse);
  syncBuiltinESMExports();
  const pipe = pipeMethods();
  const reach = pipe.connect;
  fix(pipe, "bind", refuse);
  fix(pipe, "connect", function (this: object, request: unknown, path: unknown) {
    if (typeof path !== "string" || paths[path] !== true) refuse();
    return apply(reach, this, [request, path]);
  });
}

interface PipeMethods {
  connect(request: unknown, path: unknown): unknown;
}

/** Returns what all sockets with a path of this process share. */
function pipeMethods(): PipeMethods {
  const socket = connect({ path: "/" });
  socket.on("error", () => {});
  const { _handle: handle } = socket as unknown as { _handle: object };
  socket.destroy();
  return Object.getPrototypeOf(handle) as PipeMethods;
}
