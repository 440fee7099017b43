import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertWorld, createAlertWorld } from "../../../test/alert-world.ts";
import { hashTables } from "../../../test/table-hashes.ts";

let world: AlertWorld;

beforeAll(async () => {
  world = await createAlertWorld({
    limits: { alertsPerMinute: 100_000, deliveriesPerMinute: 100_000 },
  });
});

afterAll(() => world.close());

/** What was refused is counted for the owner, and nothing else changes. */
const hashes = async () => ({ ...(await hashTables(world.database)), unreadable_deliveries: null });

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Sends a body as it is; `null` sends no content type at all. */
const send = (
  raw: string | Uint8Array<ArrayBuffer>,
  options: { type?: string; query?: string } = {},
) =>
  world.server.send("POST", `/webhook/${world.agentId}${options.query ?? ""}`, {
    raw: typeof raw === "string" ? bytesOf(raw) : raw,
    headers: options.type === undefined ? {} : { "content-type": options.type },
  });

describe("a refused webhook body changes nothing", () => {
  const alert = (changes: Record<string, unknown> = {}) => JSON.stringify(world.message(changes));
  const filler = (size: number) => {
    const text = alert();
    return `${text}${" ".repeat(size - text.length)}`;
  };

  it.each<[string, () => Parameters<typeof send>, number]>([
    ["a query parameter that stands twice", () => [alert(), { query: "?a=1&a=2" }], 400],
    ["bad UTF-8", () => [Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])], 400],
    ["a half character in UTF-8", () => [Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])], 400],
    ["UTF-16", () => [new Uint8Array(Buffer.from(alert(), "utf16le"))], 400],
    ["depth 21", () => [`{"agentId":${"[".repeat(21)}${"]".repeat(21)}}`], 400],
    ["depth 8,000", () => ["[".repeat(8_000)], 400],
    ["16,385 bytes", () => [filler(16_385)], 413],
    ["16,385 bytes of plain text", () => [filler(16_385), { type: "text/plain" }], 413],
    ["plain text that is no JSON", () => ["BUY SOL", { type: "text/plain" }], 400],
    ["two byte order marks", () => [`\ufeff\ufeff${alert()}`, { type: "text/plain" }], 400],
    ["a key that stands twice", () => [alert().replace("{", '{"token":"x",')], 400],
    ["a key that stands twice, escaped", () => [alert().replace("{", '{"tok\\u0065n":"x",')], 400],
    ["a wrong type of agentId", () => [alert({ agentId: { $gt: "" } })], 400],
    ["a wrong type of alertName", () => [alert({ alertName: ["breakout"] })], 400],
    ["a wrong type of token", () => [alert({ token: 7 })], 400],
    ["a wrong type of timestamp", () => [alert({ timestamp: true })], 400],
    ["another agent's id", () => [alert({ agentId: "0".repeat(32) })], 404],
    ["a token of nobody", () => [alert({ token: "x".repeat(45) })], 404],
  ])("%s", async (_name, sent, status) => {
    const before = await hashes();
    const answer = await send(...sent());
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.keys(answer.body)).toEqual(
      expect.arrayContaining(["message", "code", "requestId"]),
    );
    expect(await hashes()).toEqual(before);
  });

  it("ignores a query parameter", async () => {
    expect((await send(alert(), { query: "?source=chart" })).status).toBe(202);
  });
});
