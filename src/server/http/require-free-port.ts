import { once } from "node:events";
import { createServer } from "node:net";
import { ConfigError } from "../config.ts";

/** Throws `ConfigError` when the address cannot be listened on; called before anything is created. */
export async function requireFreePort(address: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const { host, port } = address;
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") throw new ConfigError(`PORT: ${port} is taken on ${host}.`);
    if (code === "EACCES") {
      throw new ConfigError(`PORT: ${port} needs more rights than this user has.`);
    }
    if (code === "EMFILE") throw error;
    throw new ConfigError(`HOST: cannot listen on ${host} (${code ?? "unknown"}).`);
  }
  probe.close();
  await once(probe, "close");
}
