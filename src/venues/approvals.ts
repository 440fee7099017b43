import { DRIFT_APPROVAL } from "./drift/approval.ts";
import { JUPITER_APPROVAL } from "./jupiter/approval.ts";
import type { VenueApproval } from "./venue-approval.ts";

/** Approval rules of every venue, for the page's lazy chunk. */
export const VENUE_APPROVALS: readonly VenueApproval[] = [DRIFT_APPROVAL, JUPITER_APPROVAL];
