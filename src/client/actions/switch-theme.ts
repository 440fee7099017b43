import { toggleTheme } from "../lib/theme.ts";
import type { Action } from "./action.ts";

export const switchTheme: Action = {
  label: "Switch between light and dark theme",
  group: "View",
  perform: toggleTheme,
};
