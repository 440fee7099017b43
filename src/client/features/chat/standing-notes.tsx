import { useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import { MAX_NOTES, readNotes, writeNotes } from "../../lib/ai/agent-notes.ts";
import { CONTROL_STYLE } from "../../ui/field-context.ts";

/** Notes that go into every question of a chat; this browser keeps them as they are typed. */
export default function StandingNotes({ chatId }: { readonly chatId: ChatId }) {
  const [notes, setNotes] = useState(() => readNotes(chatId));
  return (
    <label className="flex shrink-0 flex-col gap-1 border-b bg-raised px-3 py-2 text-xs">
      <span className="font-medium">Standing notes</span>
      <textarea
        rows={3}
        maxLength={MAX_NOTES}
        placeholder="For example: I trade with money I can lose. Never suggest leverage."
        value={notes}
        onChange={({ target }) => {
          setNotes(target.value);
          writeNotes(chatId, target.value);
        }}
        className={`${CONTROL_STYLE} block field-sizing-content max-h-40 resize-none px-2.5 py-1.5 text-sm`}
      />
      <span className="text-2xs text-faint">
        They go into every question of this chat, and stay in this browser.
      </span>
    </label>
  );
}
