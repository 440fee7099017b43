import { describe, expect, it } from "vitest";
import { createEventParser, type ServerEvent } from "./sse.ts";

function parseAll(chunks: readonly string[]): readonly ServerEvent[] {
  const events: ServerEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  chunks.forEach(parse);
  return events;
}

describe("the event parser", () => {
  it("assembles events that arrive in pieces", () => {
    expect(parseAll(["event: sta", 'le\ndata: {"topic"', ':"chats"}\n', "\n"])).toEqual([
      { event: "stale", data: '{"topic":"chats"}' },
    ]);
  });

  it("ignores comments and holds back an unfinished event", () => {
    expect(parseAll([": open\n\n", ": still here\n\n", "data: a\n"])).toEqual([]);
  });

  it("joins data of several lines", () => {
    expect(parseAll(["data: a\r\ndata: b\r\n\r\n"])).toEqual([{ event: "message", data: "a\nb" }]);
  });

  it("handles a line end that is split between two chunks", () => {
    expect(parseAll(["data: a\r", "\ndata: b\r\n\r", "\n"])).toEqual([
      { event: "message", data: "a\nb" },
    ]);
  });
});
