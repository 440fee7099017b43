import type { ChatId } from "../../domain/ids.ts";
/** Palette for chats; a chat's colour marks it and the user's messages in it. */
export const CHAT_COLOURS = [
  "#2f5fd0",
  "#0f766e",
  "#7c3aed",
  "#b4530a",
  "#be185d",
  "#0369a1",
  "#4d7c0f",
  "#9333ea",
  "#c2410c",
  "#0e7490",
  "#a21caf",
  "#15803d",
  "#4f46e5",
  "#b91c1c",
  "#57534e",
  "#facc15",
] as const;

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a chat's colour and the text colour, black or white, with the higher contrast on it. */
export function chatColour(chatId: ChatId | ""): { readonly fill: string; readonly text: string } {
  let sum = 0;
  for (const char of chatId) sum = (sum * 31 + char.charCodeAt(0)) % 65_536;
  const fill = CHAT_COLOURS[sum % CHAT_COLOURS.length] ?? CHAT_COLOURS[0];
  return { fill, text: luminance(fill) > 0.179 ? "#000000" : "#ffffff" };
}
