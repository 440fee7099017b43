import { DRIFT_APPROVAL } from "./drift/approval.ts";
import { JUPITER_APPROVAL } from "./jupiter/approval.ts";
import type { VenueApproval } from "./venue-approval.ts";

/** Every venue's part of approving, for the page's lazy chunk. */
export const VENUE_APPROVALS: readonly VenueApproval[] = [DRIFT_APPROVAL, JUPITER_APPROVAL];
