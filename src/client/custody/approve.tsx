import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { ApproveProps } from "./approve-props.ts";

const ApproveFlow = lazyPart(() => import("./approve-flow.tsx"), { isAbove: true });

/** Asks for the code of an approval before one is shown. */
export const preloadApproval = ApproveFlow.preload;

/** Has the owner approve every transaction of one intent, in a dialog above the page. */
export function Approve(props: ApproveProps) {
  return (
    <Suspense>
      <ApproveFlow {...props} />
    </Suspense>
  );
}
