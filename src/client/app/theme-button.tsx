import { Moon, Sun } from "lucide-react";
import { toggleTheme, useTheme } from "../lib/theme.ts";
import { IconButton } from "../ui/icon-button.tsx";

export function ThemeButton() {
  const isDark = useTheme() === "dark";
  return (
    <IconButton
      label={isDark ? "Use light theme" : "Use dark theme"}
      icon={isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
      onClick={toggleTheme}
    />
  );
}
