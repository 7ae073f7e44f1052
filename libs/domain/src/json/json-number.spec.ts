import fc from 'fast-check';
import { canonicalNumber, numberParts, printedLength } from './json-number.js';

describe('canonicalNumber', () => {
  it.each([
    [['1', '1.0', '1e0', '10e-1', '0.1e1', '1E+0', '1.000'], '1'],
    [['0', '-0', '0.000', '0e5', '-0.0e-7'], '0'],
    [['100', '1e2', '1.00e2', '10e+1'], '1e2'],
    [['-0.5', '-5e-1', '-50E-2'], '-5e-1'],
    [['12345678901234567890'], '1234567890123456789e1'],
  ])('gives %j one spelling', (literals, canonical) => {
    expect(literals.map(canonicalNumber)).toEqual(literals.map(() => canonical));
  });

  it('tells integers apart that a double cannot', () => {
    expect(canonicalNumber('9007199254740993')).not.toBe(canonicalNumber('9007199254740992'));
  });

  it('keeps the value of every double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(canonicalNumber(String(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('is its own canonical form', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: -400, max: 400 }), (digits, power) => {
        const canonical = canonicalNumber(`${digits}e${power}`);
        expect(canonicalNumber(canonical)).toBe(canonical);
      }),
    );
  });
});

describe('numberParts', () => {
  it.each(['', '-', '01', '1.', '.5', '1e', '+1', 'NaN', '0x10', ' 1', '1 ', '１'])('refuses %j', (text) => {
    expect(numberParts(text)).toBeUndefined();
  });
});

describe('printedLength', () => {
  it.each([
    ['1e308', 309],
    ['-1e308', 310],
    ['1e-308', 310],
    ['1.5e3', 4],
    ['0.0001', 6],
    ['123.456e1', 7],
    ['12', 2],
  ])('foresees how long Postgres prints %s', (literal, length) => {
    expect(printedLength(literal)).toBe(length);
  });
});
