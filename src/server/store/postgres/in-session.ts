import { Client } from "pg";

/** Runs work in a dedicated session outside of every pool. Throws the error of connecting or of the work. */
export async function inSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that dies in use also fails the query; this listener only keeps the process alive
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
