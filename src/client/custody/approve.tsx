import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { ApproveProps } from "./approve-flow.tsx";

const ApproveFlow = lazyPart(() => import("./approve-flow.tsx"), { isAbove: true });

/** Preloads the approval's code. */
export const preloadApproval = ApproveFlow.preload;

/** Dialog in which the owner approves every transaction of one intent. */
export function Approve(props: ApproveProps) {
  return (
    <Suspense>
      <ApproveFlow {...props} />
    </Suspense>
  );
}
