// Given to Node with --import: a machine whose clock is wrong by SHIFT_CLOCK_MS
const RealDate = Date;
const shiftMs = Number(process.env.SHIFT_CLOCK_MS);

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
