import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { chatIdOf, ownerNamed } from "../../../../../test/ids.ts";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import type { Chat } from "../../../../contract/chats.ts";
import ChatList from "./chat-list.tsx";

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function buildChat(digit: string, title: string, autoTrade?: "on" | "off"): Chat {
  const chat: Chat = {
    id: chatIdOf(digit),
    owner: ownerNamed("owner"),
    title,
    updatedAt: "2026-11-21T07:26:00.000Z",
  };
  if (!autoTrade) return chat;
  return {
    ...chat,
    agent: buildAgent({
      id: digit.repeat(32),
      chatId: digit.repeat(32),
      name: `Agent ** ${title}-1h`,
      autoTrade,
    }),
  };
}

const CHATS = [buildChat("a", "SOL", "on"), buildChat("b", "BTC", "off"), buildChat("c", "Notes")];

function show(
  chats: readonly Chat[] = CHATS,
  excerpts: ReadonlyMap<string, string> = new Map<string, string>(),
) {
  const acts: string[] = [];
  render(
    <ChatList
      chats={chats}
      currentChatId={chatIdOf("b")}
      isSignedIn
      excerpts={excerpts}
      onSearch={(text) => acts.push(`search ${text}`)}
      onSelect={(id) => acts.push(`select ${id}`)}
      onLeave={() => acts.push("leave")}
      onCreate={() => acts.push("create")}
      onRename={(id, title) => acts.push(`rename ${id} to ${title}`)}
      onDelete={(id) => acts.push(`delete ${id}`)}
      onApiKey={() => acts.push("api key")}
    />,
  );
  return { acts, user: userEvent.setup() };
}

describe("the chat list", () => {
  it("puts agents under On and Off, and chats without an agent under neither", () => {
    show();
    const on = screen.getByRole("region", { name: "On agents" });
    const off = screen.getByRole("region", { name: "Off agents" });
    expect(within(on).getByText("Agent ** SOL-1h")).toBeTruthy();
    expect(within(off).getByText("Agent ** BTC-1h")).toBeTruthy();
    expect(within(off).queryByText("Notes")).toBeNull();
    const none = screen.getByRole("region", { name: "Chats without agent" });
    expect(within(none).getByText("Notes")).toBeTruthy();
  });

  it("says when a group is empty", () => {
    show([]);
    expect(screen.getByText("No on agents.")).toBeTruthy();
    expect(screen.getByText("No off agents.")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Chats without agent" })).toBeNull();
  });

  it("finds chats by title and by agent name", async () => {
    const { user } = show();
    await user.type(screen.getByRole("searchbox", { name: "Search chats" }), "  btc-1");
    expect(screen.queryByText("Agent ** SOL-1h")).toBeNull();
    expect(screen.getByText("Agent ** BTC-1h")).toBeTruthy();
  });

  it("finds chats by their messages, and shows the match", async () => {
    const { acts, user } = show(
      CHATS,
      new Map([[chatIdOf("c"), "when the zebra crosses\n\n```wheelhouse-answer\n{"]]),
    );
    expect(screen.queryByText(/zebra/)).toBeNull();
    await user.type(screen.getByRole("searchbox", { name: "Search chats" }), "zebra");
    expect(acts.at(-1)).toBe("search zebra");
    expect(screen.getByText("Notes")).toBeTruthy();
    expect(screen.getByText("…when the zebra crosses…")).toBeTruthy();
    expect(screen.queryByText("Agent ** BTC-1h")).toBeNull();
  });

  it("renames with the pencil and Enter", async () => {
    const { acts, user } = show();
    await user.click(screen.getByRole("button", { name: "Rename Notes" }));
    await user.clear(screen.getByRole("textbox", { name: "New name of Notes" }));
    await user.type(screen.getByRole("textbox", { name: "New name of Notes" }), " Ideas {Enter}");
    expect(acts).toEqual([`rename ${chatIdOf("c")} to Ideas`]);
  });

  it("renames on a double click although a single click opens the chat", () => {
    vi.useFakeTimers();
    const { acts } = show();
    const name = () => screen.getByText("Notes");
    fireEvent.click(name(), { detail: 1 });
    fireEvent.click(name(), { detail: 2 });
    fireEvent.dblClick(name(), { detail: 2 });
    vi.runAllTimers();
    expect(acts).toEqual([`select ${chatIdOf("c")}`]);
    expect(screen.getByRole("textbox", { name: "New name of Notes" })).toBeTruthy();
  });

  it("opens a chat after a single click, and at once by keyboard", () => {
    vi.useFakeTimers();
    const { acts } = show();
    fireEvent.click(screen.getByText("Notes"), { detail: 1 });
    expect(acts).toEqual([`select ${chatIdOf("c")}`]);
    vi.runAllTimers();
    expect(acts).toEqual([`select ${chatIdOf("c")}`, "leave"]);
    fireEvent.click(screen.getByText("Agent ** SOL-1h"), { detail: 0 });
    expect(acts.slice(2)).toEqual([`select ${chatIdOf("a")}`, "leave"]);
  });

  it("does not rename to an empty title, nor after Escape", async () => {
    const { acts, user } = show();
    await user.click(screen.getByRole("button", { name: "Rename Notes" }));
    await user.clear(screen.getByRole("textbox", { name: "New name of Notes" }));
    await user.type(screen.getByRole("textbox", { name: "New name of Notes" }), "   {Enter}");
    await user.dblClick(screen.getByText("Notes"));
    await user.type(screen.getByRole("textbox", { name: "New name of Notes" }), "Other{Escape}");
    expect(acts.filter((act) => act.startsWith("rename"))).toEqual([]);
    expect(screen.getByText("Notes")).toBeTruthy();
  });

  it("asks for deletion of the chat whose bin was clicked", async () => {
    const { acts, user } = show();
    await user.click(screen.getByRole("button", { name: "Delete Agent ** BTC-1h" }));
    expect(acts).toEqual([`delete ${chatIdOf("b")}`]);
  });
});
