import { useStore } from "zustand";
import { lazyPart } from "../ui/lazy-part.tsx";
import { practiceApprovals } from "../wallet/practice-approvals.ts";

const Approval = lazyPart<{ readonly onClose: () => void }>(
  () => import("./practice-approval.tsx"),
  { isAbove: true },
);

/** Shows the practice wallet's window while the wallet asks; a window that cannot be loaded refuses when it is closed. */
export function PracticeWindow() {
  const { request, answer } = useStore(practiceApprovals);
  return request === null ? null : <Approval onClose={() => answer(false)} />;
}
