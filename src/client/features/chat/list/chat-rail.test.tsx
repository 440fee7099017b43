import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ownerNamed } from "../../../../../test/ids.ts";
import { parseChatId } from "../../../../domain/ids.ts";
import { TooltipProvider } from "../../../ui/tooltip-provider.tsx";
import { ChatRail } from "./chat-rail.tsx";

const idAt = (at: number) => parseChatId(at.toString(16).padStart(32, "0"));

const chats = Array.from({ length: 25 }, (_, at) => ({
  id: idAt(at),
  owner: ownerNamed("owner"),
  title: at % 2 === 0 ? `Idea ${at}` : `Watch ${at}`,
  updatedAt: "2026-11-21T07:26:00.000Z",
}));

it("distinguishes 25 chats and keeps New Chat outside the scrolling list", () => {
  render(
    <TooltipProvider>
      <ChatRail
        chats={chats}
        currentChatId={idAt(3)}
        isConnected
        isSignedIn
        onSelect={() => {}}
        onCreate={() => {}}
      />
    </TooltipProvider>,
  );
  const rail = within(screen.getByRole("navigation", { name: "Chat rail" }));
  const scrolling = (name: string) =>
    rail.getByRole("button", { name }).closest(".overflow-y-auto");
  expect(scrolling("Idea 24")).not.toBeNull();
  expect(scrolling("New Chat")).toBeNull();
  const marks = chats.map(({ title }) => {
    const mark = rail.getByRole("button", { name: title }).querySelector("span");
    return `${mark?.style.background} ${mark?.dataset["initials"]}`;
  });
  expect(marks[0]).toContain("I0");
  expect(marks[1]).toContain("W1");
  expect(new Set(marks).size).toBeGreaterThan(20);
});
