import { Client } from "pg";

/** Works in one session of its own with a database, outside of every pool. Throws what connecting or the work threw. */
export async function inSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that dies while we talk to it also fails the query; this only keeps the process alive
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
