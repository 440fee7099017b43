import { perpetualsExchange } from "./programs/drift/stand-in.ts";
import { swapPool } from "./programs/swap/stand-in.ts";
import type { VenueStandIn } from "./venue-stand-in.ts";

/** The venues of the practice chain. A new venue adds its stand-in here. */
export const STAND_INS: readonly VenueStandIn[] = [perpetualsExchange, swapPool];
