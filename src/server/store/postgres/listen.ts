import { Client, escapeIdentifier } from "pg";

const RECONNECT_MS = 500;

/** One connection that listens on channels. */
export interface Listening {
  isUp(): boolean;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly url: string;
  readonly channels: readonly string[];
  readonly onPayload: (channel: string, payload: string) => void;
  /** Called when the connection is back after it was lost. */
  readonly onBack: () => void;
  readonly onError: (error: unknown) => void;
}

/** Listens until closed, connecting again half a second after the connection was lost; resolves when it hears. */
export async function openListening(options: ListenOptions): Promise<Listening> {
  let client: Client | null = null;
  let isClosed = false;
  let reconnectTimer: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const candidate = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: "wheelhouse listener",
    });
    candidate.on("notification", ({ channel, payload = "" }) =>
      options.onPayload(channel, payload),
    );
    candidate.on("error", () => lose(candidate));
    candidate.on("end", () => lose(candidate));
    try {
      await candidate.connect();
      for (const channel of options.channels) {
        await candidate.query(`listen ${escapeIdentifier(channel)}`);
      }
      client = candidate;
    } catch (error) {
      await candidate.end().catch(() => {});
      throw error;
    }
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = null;
    void lost.end().catch(() => {});
    scheduleReconnect();
  }

  function scheduleReconnect(): void {
    if (isClosed) return;
    reconnectTimer = setTimeout(() => void reconnect(), RECONNECT_MS);
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
    } catch (error) {
      options.onError(error);
      scheduleReconnect();
      return;
    }
    if (isClosed) await client?.end();
    else options.onBack();
  }

  await connect();
  return {
    isUp: () => client !== null,
    async close() {
      isClosed = true;
      if (reconnectTimer !== null) clearTimeout(reconnectTimer);
      const last = client;
      client = null;
      await last?.end();
    },
  };
}
