import * as z from "zod/mini";
import { defineChannel } from "./channel.ts";

export const telegram = defineChannel({
  kind: "telegram",
  title: "Telegram",
  icon: "send",
  shape: {
    token: z.string().check(z.regex(/^\d{3,20}:[A-Za-z0-9_-]{20,80}$/, "Not a bot token.")),
    chatId: z.string().check(z.regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{4,40})$/, "Not a chat.")),
  },
  form: [
    {
      name: "token",
      label: "Bot token",
      hint: "Make a bot with @BotFather and paste its token. It is kept encrypted and never shown again.",
      placeholder: "123456789:AA…",
      wrong: "That is not a bot token.",
    },
    {
      name: "chatId",
      label: "Chat",
      hint: "Write to your bot once, then enter your chat's number, or the @name of a channel it may post in.",
      placeholder: "123456789",
      wrong: "A chat is a number or an @name.",
    },
  ],
  labelOf: ({ chatId }) => `Chat ${chatId}`,
  placeOf: ({ chatId, token }) =>
    `the Telegram chat ${chatId} through the bot ${token.split(":")[0] ?? ""}`,
});
