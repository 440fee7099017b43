import { useState } from "react";
import { useMedia } from "../lib/use-media.ts";
import type { MobilePage } from "./mobile-bar.tsx";

/** Returns which panes are on screen: all beside a sidebar on a wide screen, one page at a time on phones. */
export function usePanes() {
  const isWide = useMedia("(min-width: 768px)");
  const [page, setPage] = useState<MobilePage>("trade");
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  /** The sidebar's code is loaded when it is first opened. */
  const [isSidebarKept, setSidebarKept] = useState(false);

  const [wasWide, setWasWide] = useState(isWide);
  if (wasWide !== isWide) {
    setWasWide(isWide);
    // When the screen becomes narrow, the pane with the focus stays visible
    const side = isWide ? null : document.activeElement?.closest("#main, #chat");
    if (side) setPage(side.id === "chat" ? "chat" : "trade");
  }

  return {
    isWide,
    page,
    setPage,
    isSidebarOpen,
    setSidebarOpen,
    isSidebarKept,
    removeSidebar: () => setSidebarKept(false),
    /** Toggles the list of chats; on phones it is a page. */
    toggleSidebar(): void {
      if (!isWide) return setPage("agents");
      setSidebarKept(true);
      setSidebarOpen(!isSidebarOpen);
    },
    /** Leaves the list of chats for the tabs. */
    leaveList(): void {
      setSidebarOpen(false);
      setPage("trade");
    },
  };
}
