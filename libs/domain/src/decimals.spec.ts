import fc from 'fast-check';
import { parseCost, parseScore, plainDecimal } from './decimals.js';

describe('parseCost', () => {
  it.each([
    ['0.000000123', '0.000000123'],
    ['1.23e-7', '0.000000123'],
    [1.23e-7, '0.000000123'],
    ['"0.5"', '0.5'],
    ['0', '0'],
    ['-0.0', '0'],
    ['1.0', '1'],
    ['12.50', '12.5'],
    ['1e3', '1000'],
    ['9999999999.9999999999', '9999999999.9999999999'],
    ['0.00000000010000000', '0.0000000001'],
    [0.1 + 0.2 - 0.3 + 0.25, undefined],
  ])('reads %j as %j', (raw, cost) => {
    expect(parseCost(raw)).toBe(cost);
  });

  it.each([
    ...[
      '-0.1',
      '10000000000',
      '1e10',
      '0.00000000001',
      '1e-11',
      '1e999999999999999999',
      '1e-999999999999999999',
    ],
    ...[
      '',
      '.5',
      '1.',
      '01',
      '+1',
      '1,5',
      ' 1',
      'abc',
      '"',
      '""',
      '"1',
      '$1',
      '0x1',
      'NaN',
      'Infinity',
      'null',
      '[1]',
    ],
    ...[NaN, Infinity, -1],
  ])('[V10] refuses %j', (raw) => {
    expect(parseCost(raw)).toBeUndefined();
  });

  it('[F10] keeps every cost of ten decimals exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), (tenBillionths) => {
        const text = tenBillionths.toString().padStart(11, '0');
        const literal = `${text.slice(0, -10)}.${text.slice(-10)}`;
        const cost = parseCost(literal) ?? '';
        const [whole = '', fraction = ''] = cost.split('.');
        expect(BigInt(whole + fraction.padEnd(10, '0'))).toBe(tenBillionths);
        expect(parseCost(cost)).toBe(cost);
        expect(parseCost(`${tenBillionths}e-10`)).toBe(cost);
      }),
    );
  });
});

describe('parseScore', () => {
  it.each([
    ['0', '0'],
    ['1.000', '1'],
    ['0.875', '0.875'],
    ['"0.5"', '0.5'],
    [0.3, '0.3'],
  ])('reads %j as %s', (raw, score) => {
    expect(parseScore(raw)).toBe(score);
  });

  it.each(['1.001', '-0.1', '0.8755', '2', 'high', ''])('refuses %j', (raw) => {
    expect(parseScore(raw)).toBeUndefined();
  });
});

describe('plainDecimal', () => {
  it('removes the zeros that a numeric column pads, at any size', () => {
    expect(plainDecimal('0.0000123000')).toBe('0.0000123');
    expect(plainDecimal('123456789012345678901234.5000000000')).toBe('123456789012345678901234.5');
    expect(plainDecimal('0.0000000000')).toBe('0');
    expect(plainDecimal('100')).toBe('100');
  });

  it('throws on what is no decimal', () => {
    expect(() => plainDecimal('NaN')).toThrow(RangeError);
    expect(() => plainDecimal('-1')).toThrow(RangeError);
  });
});
