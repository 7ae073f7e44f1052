/**
 * Sets the clock of a process that a test started wrong: `node --import` this, with TEST_CLOCK_SHIFT_MS saying by how
 * much. Its timers run as before.
 */
const shift = Number(process.env.TEST_CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
