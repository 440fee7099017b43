const LOOK_MS = 500;

/** Starts a server again that ended by itself, a crash or somebody's kill, until told to stop. */
export function keepRunning(server: {
  readonly isRunning: () => boolean;
  readonly start: () => Promise<void>;
  /** Hears that it ended, and why it could not be started; the next look tries again. */
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
