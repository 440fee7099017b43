import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../..");

/** A copy of the built product whose processes web and trading run what a test sends. */
export interface HookedBuild {
  readonly main: string;
  readonly signer: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs code in the newest process of a role; resolves to what it returned, or the code of its error. */
  run(role: "web" | "trading", code: string, known: object): Promise<unknown>;
  close(): void;
}

/** Makes it beside the checkout's packages. */
export async function makeHookedBuild(): Promise<HookedBuild> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache", "hooked-"));
  // Its processes may run as other accounts
  chmodSync(folder, 0o755);
  cpSync(join(root, "dist"), folder, { recursive: true });
  const server = join(folder, "server");
  cpSync(join(import.meta.dirname, "hook.mjs"), join(server, "hook.mjs"));
  for (const role of ["web", "trading"]) {
    const file = join(server, `${role}.js`);
    writeFileSync(file, `import "./hook.mjs";\n${readFileSync(file, "utf8")}`);
  }
  const connected = new Map<string, { socket: Socket; lines: AsyncIterator<string> }>();
  const control = createServer((socket) => {
    socket.on("error", () => {});
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    void lines.next().then(({ value }) => connected.set(String(value), { socket, lines }));
  });
  control.listen(0, "127.0.0.1");
  await once(control, "listening");
  return {
    main: join(server, "main.js"),
    signer: join(server, "signer.js"),
    env: { ATTACK_PORT: String((control.address() as AddressInfo).port) },
    async run(role, code, known) {
      const process = connected.get(role);
      if (process === undefined) throw new Error(`No process ${role} is connected.`);
      process.socket.write(`${JSON.stringify({ code, known })}\n`);
      const { value, done } = await process.lines.next();
      return done === true ? "the process ended" : JSON.parse(value);
    },
    close() {
      for (const { socket } of connected.values()) socket.destroy();
      control.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
