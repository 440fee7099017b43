import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import ChatList, { type ChatListProps } from "./chat-list.tsx";

interface SidebarProps extends ChatListProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Chat list that slides over the workspace, 300 px wide. */
export default function Sidebar({ open, onOpenChange, ...list }: SidebarProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-overlay transition-opacity duration-(--motion-slow) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-30 flex w-[300px] max-w-[85vw] flex-col border-r border-line bg-surface shadow-dialog transition-transform duration-(--motion-slow) outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex h-12 shrink-0 items-center justify-between border-b px-3">
            <Dialog.Title className="text-base font-semibold">Agents</Dialog.Title>
            <Dialog.Close
              aria-label="Close sidebar"
              className="tint inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          </div>
          <ChatList {...list} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
