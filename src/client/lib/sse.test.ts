import { describe, expect, it } from "vitest";
import { createEventParser, type ServerEvent } from "./sse.ts";

function parseAll(chunks: readonly string[]): readonly ServerEvent[] {
  const events: ServerEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  chunks.forEach(parse);
  return events;
}

describe("the event parser", () => {
  it("puts together events that arrive in pieces", () => {
    expect(parseAll(["event: sta", 'le\ndata: {"topic"', ':"chats"}\n', "\n"])).toEqual([
      { event: "stale", data: '{"topic":"chats"}' },
    ]);
  });

  it("passes over comments and keeps an unfinished event back", () => {
    expect(parseAll([": open\n\n", ": still here\n\n", "data: a\n"])).toEqual([]);
  });

  it("joins data of several lines", () => {
    expect(parseAll(["data: a\r\ndata: b\r\n\r\n"])).toEqual([{ event: "message", data: "a\nb" }]);
  });

  it("joins lines whose end is cut between its two characters", () => {
    expect(parseAll(["data: a\r", "\ndata: b\r\n\r", "\n"])).toEqual([
      { event: "message", data: "a\nb" },
    ]);
  });
});
