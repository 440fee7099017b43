import { ArrowUp } from "lucide-react";
import { useState } from "react";
import { CONTROL_STYLE } from "../../ui/control-style.ts";

interface MessageInputProps {
  readonly isDisabled: boolean;
  readonly isLoading: boolean;
  /** Says whether the text was taken. */
  readonly onSend: (text: string) => Promise<boolean>;
}

export function MessageInput({ isDisabled, isLoading, onSend }: MessageInputProps) {
  const [text, setText] = useState("");
  const cannotSend = isDisabled || isLoading || text.trim() === "";

  async function submit(): Promise<void> {
    if (!cannotSend && (await onSend(text))) setText("");
  }

  return (
    <form
      className="shrink-0 border-t bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="relative">
        <textarea
          rows={2}
          aria-label="Message"
          placeholder={isDisabled ? "Connect wallet to chat..." : "Type your message..."}
          disabled={isDisabled}
          value={text}
          maxLength={100_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void submit();
          }}
          className={`${CONTROL_STYLE} block resize-none py-2 pr-12 pl-3`}
        />
        <button
          type="submit"
          aria-label="Send message"
          disabled={cannotSend}
          className="tint absolute right-2 bottom-2 inline-flex size-7 items-center justify-center rounded-md bg-accent text-accent-ink enabled:hover:bg-accent-hover disabled:cursor-not-allowed disabled:bg-hover disabled:text-faint"
        >
          <ArrowUp aria-hidden className="size-4" />
        </button>
      </div>
      <p className="mt-2 text-center text-2xs text-faint">
        AI may provide inaccurate information. Verify before making financial decisions.
      </p>
    </form>
  );
}
