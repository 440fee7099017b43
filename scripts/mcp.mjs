// Bridge for assistants that only start programs: lines of JSON-RPC on stdin go to /mcp, answers to stdout.
// Runs on any Node from 20 and loads nothing, so that it starts at once.
import { createInterface } from "node:readline";

const { WHEELHOUSE_URL = "http://127.0.0.1:4600", WHEELHOUSE_TOKEN } = process.env;

if (WHEELHOUSE_TOKEN === undefined) {
  console.error("Set WHEELHOUSE_TOKEN to a read-only token made for an assistant.");
  process.exit(1);
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Returns the headers by which HTTP names what the message says. */
function headersOf({ method, params }) {
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const named = params?.name ?? params?.uri;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${WHEELHOUSE_TOKEN}`,
    ...(version === undefined ? {} : { "mcp-protocol-version": version, "mcp-method": method }),
    ...(version === undefined || named === undefined ? {} : { "mcp-name": named }),
  };
}

/** Returns the messages of an answer, which is JSON or one event per message. */
function messagesOf(type, text) {
  if (text === "") return [];
  if (!type.includes("text/event-stream")) return [JSON.parse(text)].flat();
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:") && line.slice(5).trim() !== "")
    .map((line) => JSON.parse(line.slice(5)));
}

async function forward(line) {
  const message = JSON.parse(line);
  const fail = (text) => {
    console.error(text);
    if (message.id !== undefined) {
      say({ jsonrpc: "2.0", id: message.id, error: { code: -32_000, message: text } });
    }
  };
  try {
    const response = await fetch(new URL("/mcp", WHEELHOUSE_URL), {
      method: "POST",
      headers: headersOf(message),
      body: line,
    });
    const answers = messagesOf(response.headers.get("content-type") ?? "", await response.text());
    for (const answer of answers) {
      if (answer.jsonrpc === "2.0") say(answer);
      else fail(answer.message ?? `Wheelhouse answered ${response.status}.`);
    }
  } catch (error) {
    fail(`Wheelhouse does not answer at ${WHEELHOUSE_URL}: ${error.message}`);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() !== "") void forward(line);
});
