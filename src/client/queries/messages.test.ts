import { expect, it } from "vitest";
import { joinMessages, type LoadedMessages } from "./messages.ts";

const messages = (from: number, to: number, isWhole = false): LoadedMessages => ({
  messages: Array.from({ length: to - from + 1 }, (_, at) => ({
    id: `${from + at}`,
    type: "user",
    content: "",
    at: "",
  })),
  isWhole,
});

it("keeps older messages that adjoin the newest page", () => {
  expect(joinMessages(messages(3, 6), messages(1, 5, true))).toEqual(messages(1, 6, true));
  expect(joinMessages(messages(3, 6), messages(2, 5))).toEqual(messages(2, 6));
});

it("leaves no gap when the newest page does not adjoin the loaded messages", () => {
  expect(joinMessages(messages(7, 9), messages(1, 5, true))).toEqual(messages(7, 9));
});

it("is the newest page where there is no other", () => {
  expect(joinMessages(messages(2, 3, true), messages(1, 3))).toEqual(messages(2, 3, true));
  expect(joinMessages(messages(1, 2), undefined)).toEqual(messages(1, 2));
});
