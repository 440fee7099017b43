import { KEYBOARD_STEP, moveSplit } from "../lib/split-layout.ts";
import type { Action } from "./action.ts";

export const widenChat: Action = {
  label: "Chat wider",
  group: "View",
  perform: () => moveSplit(-KEYBOARD_STEP),
};

export const narrowChat: Action = {
  label: "Chat narrower",
  group: "View",
  perform: () => moveSplit(KEYBOARD_STEP),
};
