import { expect, it } from "vitest";
import { callerOf } from "./limit-callers.ts";

it.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:2::1", "2001:db8:1:2"],
  ["2001:db8::", "2001:db8:0:0"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("counts %s as %s", (ip, caller) => expect(callerOf(ip)).toBe(caller));
