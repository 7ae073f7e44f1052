import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readMultipart } from './multipart.js';

const read = (body: string | Uint8Array, boundary = 'b'): unknown => {
  const reading = readMultipart(Buffer.from(body as string), boundary);
  return reading.ok ? reading.parts.map(({ name, content }) => [name, content.toString()]) : reading.detail;
};
const aPart = (name: string, content: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;

describe('the parts of a multipart body', () => {
  it('Parts are found by their boundaries, whatever stands before and behind them', () => {
    const parts = `${aPart('a', '1')}${aPart('b', '')}--b--`;
    const expected = [
      ['a', '1'],
      ['b', ''],
    ];
    for (const body of [parts, `${parts}\r\nepilogue`, `preamble\r\n${parts}`])
      expect(read(body)).toEqual(expected);
    expect(read('--b--')).toEqual([]);
    expect(read('--b\r\n\r\nno head\r\n--b--')).toEqual([[undefined, 'no head']]);
  });

  it('Content that looks like a boundary is content when the part says its length, either way', () => {
    const content = 'x\r\n--b--\r\n--b\r\n';
    for (const more of [
      `\r\nContent-Type: application/json; length=${content.length}`,
      `\r\ncontent-LENGTH: ${content.length}`,
    ]) {
      expect(read(`${aPart('a', content, more)}--b--`)).toEqual([['a', content]]);
    }
    expect(read(`${aPart('a', 'x\r\n--bc\r\n--b-')}--b--`)).toEqual([['a', 'x\r\n--bc\r\n--b-']]);
  });

  it('A length that is wrong, absurd or no number is not believed', () => {
    for (const length of ['0', '3', '999999999999999', '99999999999999999999', '-1', '1e3', 'x']) {
      const body = `${aPart('a', 'ten bytes.', `\r\nContent-Length: ${length}`)}${aPart('b', '2')}--b--`;
      expect([length, read(body)]).toEqual([
        length,
        [
          ['a', 'ten bytes.'],
          ['b', '2'],
        ],
      ]);
    }
  });

  it('Any content and any name come through as they were sent', () => {
    const names = fc.string({ unit: 'binary' }).filter((name) => !/[\r\n\ud800-\udfff]/.test(name));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.uint8Array())), (parts) => {
        const body = Buffer.concat([
          ...parts.flatMap(([name, content]) => [
            Buffer.from(`--b\r\nContent-Length: ${content.length}\r\n`),
            Buffer.from(`Content-Disposition: form-data; name="${name.replace(/["\\]/g, '\\$&')}"\r\n\r\n`),
            Buffer.from(content),
            Buffer.from('\r\n'),
          ]),
          Buffer.from('--b--\r\n'),
        ]);
        expect(read(body)).toEqual(parts.map(([name, content]) => [name, Buffer.from(content).toString()]));
      }),
    );
  });

  it('A body that was cut anywhere is not taken', () => {
    const body = `${aPart('a', '{"x":1}')}${aPart('b', '2')}--b--`;
    for (let length = 0; length < body.length; length++)
      expect(typeof read(body.slice(0, length))).toBe('string');
  });

  it('Bodies that are made to be slow are read as fast as others, or refused', () => {
    const many = aPart('a', '').repeat(50_000);
    expect((read(`${many}--b--`) as unknown[]).length).toBe(50_000);
    expect(read(`${aPart('a', '').repeat(100_001)}--b--`)).toBe('it has more than 100000 parts');
    expect(read(`--b\r\n${'x'.repeat(20_000)}`)).toBe('the head of a part does not end');
    const lookalikes = '\r\n--'.repeat(1_000_000);
    expect(read(`${aPart('a', lookalikes)}--b--`)).toEqual([['a', lookalikes]]);
    const heads = `--b\r\nContent-Disposition: ${'; name="'.repeat(1_500)}\r\n\r\n\r\n`.repeat(200);
    expect((read(`${heads}--b--`) as unknown[]).length).toBe(200);
  });

  it('Without a usable boundary nothing is read', () => {
    expect([read('', ''), read('', 'x'.repeat(201))]).toEqual(Array(2).fill('it has no usable boundary'));
    expect([read(''), read('--c--')]).toEqual(Array(2).fill('it ends before its last boundary'));
    expect(read('--b?\r\n')).toBe('a boundary is not followed by a line end');
  });
});
