import * as z from "zod/mini";
import { NotDelivered, type SendNotice } from "../channel.ts";
import type { PostOutside } from "../post-outside.ts";
import { delivered } from "./webhook.ts";

export const telegramTarget = z.strictObject({ token: z.string(), chatId: z.string() });

/** The parts of Telegram's answer that are used. */
const answerShape = z.object({
  description: z.optional(z.string()),
  parameters: z.optional(
    z.object({
      retry_after: z.optional(z.number()),
      /** A group that became a supergroup has another number from then on. */
      migrate_to_chat_id: z.optional(z.int()),
    }),
  ),
});

/** Sends notices as messages of the owner's bot. */
export function createTelegramSender(post: PostOutside, apiUrl: string): SendNotice {
  return async (target, { title, body, url }) => {
    const { token, chatId } = telegramTarget.parse(JSON.parse(target));
    const sendTo = (chat: string) =>
      delivered(
        post(
          `${apiUrl}/bot${token}/sendMessage`,
          { "content-type": "application/json" },
          JSON.stringify({
            chat_id: chat,
            text: `${title}\n${body}\n${url}`,
            link_preview_options: { is_disabled: true },
          }),
        ),
      );
    let answer = await sendTo(chatId);
    const moved = readAnswer(answer.text).parameters?.migrate_to_chat_id;
    if (answer.status === 400 && moved !== undefined) answer = await sendTo(String(moved));
    if (answer.status === 200) return;
    const { description, parameters } = readAnswer(answer.text);
    // 401: no such bot; 403: it was blocked; 404: no such token
    const isFinal = [401, 403, 404].includes(answer.status);
    throw new NotDelivered(
      `Telegram answered ${answer.status}${description && `: ${description}`}`,
      {
        isFinal,
        waitMs: (parameters?.retry_after ?? 0) * 1_000,
      },
    );
  };
}

function readAnswer(text: string) {
  try {
    const parsed = answerShape.safeParse(JSON.parse(text));
    if (parsed.success) return { ...parsed.data, description: parsed.data.description ?? "" };
  } catch {
    // Not JSON, for instance a proxy's error page
  }
  return { description: "", parameters: undefined };
}
