import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Switch } from "../ui/switch.tsx";
import { areSingleKeysOn, setSingleKeys, KEYED_ACTIONS } from "../actions/keyed-actions.ts";
import type { ActionKey } from "../actions/action.ts";
import { CHART_KEYS } from "../features/chart/chart-keys.ts";

/** Dialog of keyboard shortcuts, with the setting for the one shortcut without a modifier. */
export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog
      onClose={onClose}
      isText
      title="Keyboard shortcuts"
      footer={
        <>
          <div className="mr-auto">
            <Switch
              label="Open this list with ?"
              checked={isOn}
              onCheckedChange={(checked) => {
                setSingleKeys(checked);
                setOn(checked);
              }}
            />
          </div>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1.5 text-xs font-semibold text-muted">{title}</h3>
            <dl className="flex flex-col">
              {shortcuts.map(({ keys, text }) => (
                <div
                  key={text}
                  className="flex min-h-8 items-center justify-between gap-4 border-b py-1 last:border-b-0"
                >
                  <dt className="text-sm">{text}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-raised px-1.5 font-sans text-2xs text-muted"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <a
          href="/third-party-notices.txt"
          target="_blank"
          rel="noreferrer"
          className="text-xs text-muted underline"
        >
          Licences of the packages in this product
        </a>
      </div>
    </Dialog>
  );
}

interface Shortcut {
  readonly keys: readonly string[];
  readonly text: string;
}

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const MODIFIER = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";

const shortcutOf = ({ key, withModifier, text }: ActionKey): Shortcut => ({
  keys: [...(withModifier ? [MODIFIER] : []), key.toUpperCase()],
  text,
});

/** All keyboard shortcuts. Those without a modifier need focus in their area, with one exception. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      ...KEYED_ACTIONS.flatMap(({ key }) => (key === undefined ? [] : [shortcutOf(key)])),
      { keys: ["F8"], text: "Go to the notification on screen" },
      { keys: ["Esc"], text: "Close what is open on top" },
    ],
  },
  {
    title: "Tabs and panels",
    shortcuts: [
      { keys: ["←", "→"], text: "Next or previous tab, while a tab has the focus" },
      { keys: ["Delete"], text: "Close the focused tab" },
      { keys: ["←", "→"], text: "Move the bar before the chat by 10%" },
    ],
  },
  {
    title: "Chat",
    shortcuts: [
      { keys: ["Enter"], text: "Send the message" },
      { keys: ["Shift", "Enter"], text: "New line" },
    ],
  },
  {
    title: "Chart, while it has the focus",
    shortcuts: CHART_KEYS,
  },
];
