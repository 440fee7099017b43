import type { ChildProcess } from "node:child_process";
import type { SignerState } from "../custody/signer/signer-calls.ts";

/** Delay before a dead signer is restarted, in milliseconds; doubles while it dies before its first answer. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

type Child = Pick<ChildProcess, "send" | "on" | "kill" | "connected">;

/**
 * Keeps a signer running beside the server and forwards their messages unread. Returns the function that stops it.
 *
 * The server is told when the signer is up and when it is gone: calls to one that died are never answered. A signer
 * that the server reports as hung is killed and restarted.
 */
export function superviseSigner(server: Child, start: () => Child): () => void {
  let signer: Child | undefined;
  let isUp = false;
  let isStopped = false;
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;

  const tell = (message: SignerState | object): void => {
    if (server.connected) server.send(message);
  };

  const begin = (): void => {
    const started = start();
    signer = started;
    started.on("message", (message) => {
      if ("signer" in (message as object)) {
        isUp = true;
        waitMs = FIRST_WAIT_MS;
      }
      tell(message as object);
    });
    started.on("exit", () => {
      isUp = false;
      if (isStopped) return;
      tell({ signer: "down" });
      timer = setTimeout(begin, waitMs);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    });
  };

  server.on("message", (message) => {
    if ("hello" in (message as object)) {
      if (isUp) tell({ signer: "up" });
    } else if ("hangs" in (message as object)) {
      signer?.kill("SIGKILL");
    } else if (isUp && signer?.connected) signer.send(message as object);
  });
  begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    signer?.kill("SIGKILL");
  };
}
