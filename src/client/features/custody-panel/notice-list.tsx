import type { CustodyAccess } from "../../queries/custody.ts";
import { TimeText } from "../../ui/time-text.tsx";

/** List of on-chain changes not made through this product; empty without any. */
export function NoticeList({ notices }: { readonly notices: CustodyAccess["notices"] }) {
  if (notices.length === 0) return null;
  return (
    <section
      aria-label="Changes from outside"
      className="flex flex-col gap-1 rounded-md bg-warn-soft px-3 py-2"
    >
      <h4 className="text-xs font-semibold text-warn">Changed outside Wheelhouse</h4>
      <ul className="flex flex-col gap-1">
        {notices.map(({ at, text }) => (
          <li key={`${at}${text}`} className="text-xs break-words">
            <TimeText at={at} as="short" className="text-muted" /> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
