const LOOK_MS = 500;

/** Restarts a server that ended without being stopped, until told to stop. */
export function keepRunning(server: {
  readonly isRunning: () => boolean;
  readonly start: () => Promise<void>;
  /** Called when it ended, and with the reason when a restart failed; the next poll retries. */
  readonly onNotice: (line: string) => void;
}): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  let isStopped = false;

  const look = async (): Promise<void> => {
    if (server.isRunning()) return;
    server.onNotice("The database ended by itself and is started again.");
    await server.start().catch((error: unknown) => server.onNotice((error as Error).message));
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      work = look().then(() => {
        if (!isStopped) lookLater();
      });
    }, LOOK_MS).unref();
  };
  lookLater();

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await work;
    },
  };
}
