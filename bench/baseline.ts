import { createServer, type ServerResponse } from "node:http";
import { Pool } from "pg";

/** Baseline: one durable insert per request, without checks or evaluation; whoever listens to the path is told of it. */
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 16 });
await pool.query(
  "create table if not exists bench_events (id bigint generated always as identity primary key, body jsonb not null)",
);

const listening = new Map<string, ServerResponse[]>();

const server = createServer((request, response) => {
  const { url = "" } = request;
  if (request.method === "GET") {
    listening.set(url, [...(listening.get(url) ?? []), response]);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    pool
      .query({
        name: "insert",
        text: "insert into bench_events (body) values ($1) returning id",
        values: [Buffer.concat(chunks).toString("utf8")],
      })
      .then(() => {
        response.writeHead(202, { "content-type": "application/json" }).end("{}");
        for (const each of listening.get(url) ?? []) each.write("event: stale\ndata: {}\n\n");
      })
      .catch(() => response.writeHead(503).end());
  });
});
server.listen(parseInt(process.env["PORT"] ?? "0", 10), "127.0.0.1", () => {
  process.stdout.write(`ready at http://127.0.0.1:${process.env["PORT"]}\n`);
});
