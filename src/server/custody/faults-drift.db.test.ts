import { custodyFaultTable } from "../../../test/custody-fault-table.ts";

custodyFaultTable("drift");
